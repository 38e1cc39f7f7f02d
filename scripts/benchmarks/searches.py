"""Self-play on one core by this project and by its peers, each in a process of its own: `peers.py` starts them.

All play Connect Four with the residual MLP of the same width and depth, with random weights; we play Diamond Chase too,
with 12 channels a node and 4 blocks.
"""

import os
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.rates import Work

GAMES = 128
SIMULATIONS = 64
WIDTH = 256
BLOCKS = 4
_VALUE_WIDTH = 32
_MOVES = 8  # of each game in one timed turn
_PYTHON_MOVES = 16  # of one game, where a move costs some hundred times as much


def ours(seed: int, *, game: str, kind: str, cache: int, half: bool = True) -> Work:
    """What a training worker does in an iteration, samples included; `half` as the evaluator has it.

    In Connect Four leaves are not looked ahead from, as the peers do not: the search is then the same for all.
    """
    from alphadiamond.games import load
    from alphadiamond.network import Evaluator, ModelConfig, build_model
    from alphadiamond.search import SearchSettings
    from alphadiamond.training.selfplay import SelfPlay, SelfPlaySettings

    config = ModelConfig(kind, value_width=_VALUE_WIDTH) if kind == "orbit" else ModelConfig(kind, WIDTH, BLOCKS)
    evaluator = Evaluator(build_model(config, load(game), seed=seed), device="cpu", threads=1, cache=cache, half=half)
    search = SearchSettings(method="gumbel", two_ply_lookahead=game != "connect_four")
    settings = SelfPlaySettings(games=GAMES, rounds=_MOVES, simulations=SIMULATIONS, search=search)
    selfplay = SelfPlay(settings, seed=seed, game=load(game))

    def work() -> float:
        before = selfplay.statistics["simulations"]
        selfplay.play(evaluator, iteration=0)
        return selfplay.statistics["simulations"] - before

    return work


def mctx_with_pgx(seed: int, *, half: bool = False) -> Work:
    """A move of all games as one compiled function: the Gumbel search of mctx with the rules of pgx.

    `half`: the trunk of the network in bfloat16, as ours.
    """
    import jax
    import jax.numpy as jnp
    import mctx
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("connect_four")
    weights = jax.device_put(_weights(int(np.prod(env.observation_shape)), env.num_actions, seed))

    def evaluate(weights: Any, state: Any) -> tuple[Any, Any]:
        inputs = state.observation.reshape(GAMES, -1).astype(jnp.float32)
        logits, value = _network(jnp, weights, inputs, half=jnp.bfloat16 if half else None)
        return jnp.where(state.legal_action_mask, logits, jnp.finfo(logits.dtype).min), value

    def expand(weights: Any, _: Any, action: Any, state: Any) -> tuple[Any, Any]:
        mover = state.current_player
        state = jax.vmap(env.step)(state, action)
        logits, value = evaluate(weights, state)
        output = mctx.RecurrentFnOutput(
            reward=state.rewards[jnp.arange(GAMES), mover],
            discount=jnp.where(state.terminated, 0.0, -1.0),
            prior_logits=logits,
            value=jnp.where(state.terminated, 0.0, value),
        )
        return output, state

    @jax.jit
    def move(weights: Any, state: Any, key: Any) -> tuple[Any, Any]:
        key, search_key, step_key = jax.random.split(key, 3)
        logits, value = evaluate(weights, state)
        found = mctx.gumbel_muzero_policy(
            params=weights,
            rng_key=search_key,
            root=mctx.RootFnOutput(prior_logits=logits, value=value, embedding=state),
            recurrent_fn=expand,
            num_simulations=SIMULATIONS,
            invalid_actions=~state.legal_action_mask,
        )
        step = jax.vmap(auto_reset(env.step, env.init))
        return step(state, found.action, jax.random.split(step_key, GAMES)), key

    key, first = jax.random.split(jax.random.key(seed))
    now = [jax.jit(jax.vmap(env.init))(jax.random.split(first, GAMES)), key]

    def work() -> float:
        for _ in range(_MOVES):
            now[:] = move(weights, *now)
        jax.block_until_ready(now)
        return GAMES * SIMULATIONS * _MOVES

    return work


def open_spiel(seed: int) -> Work:
    """OpenSpiel's AlphaZero actor in Python: one game, one position per network call, its cache of evaluations."""
    import pyspiel
    from open_spiel.python.algorithms import mcts
    from open_spiel.python.algorithms.alpha_zero.evaluator import AlphaZeroEvaluator

    game = pyspiel.load_game("connect_four")
    weights = _weights(int(np.prod(game.observation_tensor_shape())), game.num_distinct_actions(), seed)
    random = np.random.RandomState(seed)  # the kind that OpenSpiel takes

    class Model:
        def inference(self, observation: np.ndarray, mask: np.ndarray) -> tuple[float, np.ndarray]:
            logits, value = _network(np, weights, observation.astype(np.float32))
            chances = np.exp(logits - logits.max()) * mask
            return float(value), chances / chances.sum()

    bot = mcts.MCTSBot(
        game,
        2,
        SIMULATIONS,
        AlphaZeroEvaluator(game, Model()),
        solve=False,
        random_state=random,
        child_selection_fn=mcts.SearchNode.puct_value,
        dirichlet_noise=(0.25, 1),
        dont_return_chance_node=True,
    )
    state = game.new_initial_state()

    def work() -> float:
        nonlocal state
        simulations = 0
        for _ in range(_PYTHON_MOVES):
            root = bot.mcts_search(state)
            simulations += root.explore_count
            visits = np.array([child.explore_count for child in root.children])
            state.apply_action(root.children[random.choice(len(visits), p=visits / visits.sum())].action)
            if state.is_terminal():
                state = game.new_initial_state()
        return simulations

    return work


_CACHE = 1 << 18
SEARCHES: dict[str, Callable[[int], Work]] = {
    "Connect Four": partial(ours, game="connect_four", kind="mlp", cache=0),
    "Connect Four with cache": partial(ours, game="connect_four", kind="mlp", cache=_CACHE),
    "Connect Four in full precision": partial(ours, game="connect_four", kind="mlp", cache=0, half=False),
    "Connect Four in full precision with cache": partial(
        ours, game="connect_four", kind="mlp", cache=_CACHE, half=False
    ),
    "Diamond Chase": partial(ours, game="diamond_chase", kind="orbit", cache=0),
    "Diamond Chase with cache": partial(ours, game="diamond_chase", kind="orbit", cache=_CACHE),
    "mctx": mctx_with_pgx,
    "mctx in bfloat16": partial(mctx_with_pgx, half=True),
    "open_spiel": open_spiel,
}


def _weights(inputs: int, actions: int, seed: int) -> list[np.ndarray]:
    """Matrices and biases of alphadiamond's MLP, for a board of another size and a value of one number."""
    rng = np.random.default_rng(seed)
    shapes = [(inputs, WIDTH), (WIDTH,)]
    shapes += [(WIDTH, WIDTH), (WIDTH,), (WIDTH, WIDTH)] * BLOCKS
    shapes += [(WIDTH, actions + _VALUE_WIDTH), (actions + _VALUE_WIDTH,), (_VALUE_WIDTH, 1), (1,)]
    return [(rng.standard_normal(shape) * shape[0] ** -0.5).astype(np.float32) for shape in shapes]


def _network(xp: Any, weights: list[Any], x: Any, *, half: Any = None) -> tuple[Any, Any]:
    """(logits, value) in numpy or in jax.numpy; `half`: what the trunk computes in, if not in single precision."""
    enter, enter_bias, *blocks, heads, heads_bias, last, last_bias = weights
    if half is not None:
        enter, enter_bias, x = (one.astype(half) for one in (enter, enter_bias, x))
        blocks = [one.astype(half) for one in blocks]
    x = x @ enter + enter_bias
    for first, bias, second in zip(blocks[::3], blocks[1::3], blocks[2::3], strict=True):
        x = x + xp.maximum(x @ first + bias, 0) @ second
    x = x.astype(np.float32)
    x = x - x.mean(axis=-1, keepdims=True)
    x = x / xp.sqrt((x * x).mean(axis=-1, keepdims=True) + 1e-5)
    out = xp.maximum(x, 0) @ heads + heads_bias
    value = xp.tanh(xp.maximum(out[..., -_VALUE_WIDTH:], 0) @ last + last_bias)
    return out[..., :-_VALUE_WIDTH], value[..., 0]


def main(name: str, seed: str, core: str) -> None:
    """Answer every line that comes in with the simulations per second of processor time of one more turn."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this ends it
    if core and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {int(core)})
    work = SEARCHES[name](int(seed))
    work()  # compiles what there is to compile
    print("ready", flush=True)
    for _ in sys.stdin:
        started = time.process_time()
        units = work()
        print(units / (time.process_time() - started), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
