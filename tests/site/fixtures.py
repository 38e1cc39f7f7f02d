"""What Python says of many positions, written so that the engine in the browser can be held to it.

Positions come from random games. Of each a digest is kept: of its result, its legal moves, what each of them leads to
and with what result, and the encoding that a network sees, bit for bit.
"""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.agents import make_agent
from alphadiamond.agents.neural import NeuralAgent
from alphadiamond.agents.neural_batch import beginnings
from alphadiamond.base.game import Game, States
from alphadiamond.network.encoding import encode_inputs
from alphadiamond.search import SearchSettings, TreeSearch
from alphadiamond.search.sequential_halving import suited_candidates
from alphadiamond.server.board_snapshots import scenes_of

Rows = npt.NDArray[np.int32]
"""[B, S] states as the engine has them: numbers of 32 bits."""
Digests = npt.NDArray[np.uint32]

NONE: Final = np.uint32(0xFFFFFFFF)
"""In a digest, where a position has no further move."""
_PRIME: Final = np.uint32(16777619)
_BASIS: Final = np.uint32(2166136261)
_GAMES: Final = 2_000
"""Random games at once."""


def engine_rows(game: Game, states: States) -> Rows:
    """Sets of cells that do not fit into 32 bits are cut as the engine cuts them."""
    if game.name == "connect_four":
        low, high = states[:, :2] & (1 << 28) - 1, states[:, :2] >> 28
        columns = [low[:, 0], high[:, 0], low[:, 1], high[:, 1], states[:, 2]]
    elif game.name == "labyrinth":
        columns = []
        for part in (0, 2, 4):
            first, second = states[:, part], states[:, part + 1]
            columns += [first & (1 << 27) - 1, first >> 27 & (1 << 27) - 1, first >> 54 | second << 7]
        columns += [states[:, k] for k in range(6, 12)]
    else:
        columns = list(states.T)
    return np.ascontiguousarray(np.stack(columns, axis=1).astype(np.int32))


def random_states(game: Game, count: int, *, seed: int) -> States:
    """So many different positions of random games, finished ones too."""
    rng = np.random.default_rng(seed)
    found = np.empty((0, game.state_size), dtype=np.int64)
    while len(found) < count:
        found = np.unique(np.concatenate([found, *_played(game, rng)]), axis=0)
    chosen: States = found[rng.permutation(len(found))[:count]]
    if game.repetition_limit:
        chosen[:, -1] = rng.integers(1, game.repetition_limit, size=count)  # what came before is not kept
    return chosen


def _played(game: Game, rng: np.random.Generator) -> Iterator[States]:
    """The positions of many random games, ply by ply: half of them from anywhere, as self-play begins."""
    begun = [game.random_start(rng) for _ in range(_GAMES // 2)]
    starts = [game.start(int(rng.integers(1 << 42))) if game.seeded else game.start() for _ in range(_GAMES // 2)]
    states = np.concatenate([np.array(begun), game.states_of(starts)])
    legal, counts = game.expand(states, np.full(len(states), -1, dtype=np.int16))[4:]
    yield states
    while len(states):
        going = counts > 0
        chosen = (rng.random(len(states)) * counts).astype(np.int64)
        actions = legal[np.arange(len(states)), chosen]
        states, _, _, _, legal, counts = game.expand(states[going], actions[going])
        yield states


class _Digest:
    """FNV-1a over words of 32 bits, many rows at once."""

    def __init__(self, rows: int) -> None:
        self.value: Digests = np.full(rows, _BASIS, dtype=np.uint32)

    def add(self, words: npt.NDArray[Any]) -> None:
        """[B] or [B, W]"""
        for column in words.reshape(len(self.value), -1).T:
            self.value = (self.value ^ column.astype(np.int64).astype(np.uint32)) * _PRIME


def digests(game: Game, states: States) -> Digests:
    """[B]"""
    digest = _Digest(len(states))
    plain = states.copy()
    plain[:, -1] = 1
    _, _, _, statuses, legal, counts = game.expand(plain, np.full(len(states), -1, dtype=np.int16))
    digest.add(statuses)
    digest.add(counts)
    for number in range(legal.shape[1]):
        there = counts > number
        words = np.full((len(states), 2 + engine_rows(game, states[:1]).shape[1]), NONE, dtype=np.uint32)
        after, _, _, result, _, _ = game.expand(states[there], legal[there, number])
        played = [legal[there, number][:, None], result[:, None], engine_rows(game, after)]
        words[there] = np.concatenate(played, axis=1).astype(np.int64).astype(np.uint32)
        digest.add(words)
    digest.add(encode_inputs(states, game).view(np.uint32))
    return digest.value


def write_positions(game: Game, directory: Path, *, count: int, seed: int = 1) -> None:
    states = random_states(game, count, seed=seed)
    engine_rows(game, states).astype("<i4").tofile(directory / "states.i32")
    digests(game, states).astype("<u4").tofile(directory / "digests.u32")


# Games, as people see them


def random_positions(game: Game, rng: np.random.Generator, *, plies: int = 10_000) -> list[Any]:
    """The positions of a random game, up to so many plies."""
    line = [game.start(int(rng.integers(1 << 42))) if game.seeded else game.start()]
    while len(line) <= plies and (moves := line[-1].moves()):
        line.append(line[-1].play(moves[rng.integers(len(moves))]))
    return line


def played_moves(line: list[Any]) -> list[str]:
    """The texts of the moves between the positions of a game."""
    return [
        next(str(move) for move in before.moves() if before.play(move) == after)
        for before, after in itertools.pairwise(line)
    ]


def scene_json(scene: Any) -> dict[str, Any]:
    import msgspec

    data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(scene))
    return data


def write_games(game: Game, directory: Path, *, count: int, seed: int = 2) -> None:
    """Whole random games with all that the page is told of them."""
    rng = np.random.default_rng(seed)
    games = []
    for _ in range(count):
        line = random_positions(game, rng)
        moves = played_moves(line)
        outcome = line[-1].outcome
        drawing = game.drawing_for(line[0])
        games.append(
            {
                "start": str(line[0]),
                "moves": moves,
                "positions": [str(position) for position in line],
                "legal": [[[str(move), list(drawing.spots(move))] for move in one.moves()] for one in line],
                "scenes": [scene_json(scene) for scene in scenes_of(drawing, line[0], moves)],
                "ending": str(outcome.reason),
                "winner": None if outcome.winner is None else game.sides.index(outcome.winner),
            }
        )
    seeds = [int(rng.integers(1 << 42)) for _ in range(100)] if game.seeded else []
    starts = [[str(seed), str(game.start(seed))] for seed in seeds]
    (directory / "games.json").write_text(json.dumps({"games": games, "starts": starts}))


# Searches


class RowEvaluator:
    """An evaluator whose answers are whole parts of a power of two, made from the numbers of a state.

    JavaScript makes the same of them, so that both searches compute with the same numbers.
    """

    def __init__(self, game: Game) -> None:
        self.game = game

    def __call__(self, states: States) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        digest = _Digest(len(states))
        digest.add(engine_rows(self.game, states))
        base = digest.value
        mixed = (base[:, None] ^ np.arange(1, self.game.actions + 1, dtype=np.uint32)) * _PRIME
        policy = ((mixed >> np.uint32(12) & np.uint32(255)) + np.uint32(1)).astype(np.float32) / 256
        win = (base >> np.uint32(8) & np.uint32(511)).astype(np.float32) / 1024
        draw = (base >> np.uint32(17) & np.uint32(511)).astype(np.float32) / 1024
        return policy, np.stack([win, draw, 1 - win - draw], axis=1)


def write_searches(game: Game, directory: Path, *, count: int, seed: int = 3) -> None:
    """Visits at the root of positions of random games, history included, by both rules and with several budgets."""
    rng = np.random.default_rng(seed)
    lines = []
    while len(lines) < count:
        line = random_positions(game, rng)
        at = int(rng.integers(len(line)))
        if line[at].outcome is None:
            lines.append(line[: at + 1])
    searches = []
    for method, simulations in (("gumbel", 8), ("gumbel", 100), ("gumbel", 400), ("puct", 300)):
        settings = SearchSettings(
            method=method,
            considered=suited_candidates(simulations),
            widening=0.7 if game.repetition_limit else 0.0,
        )
        search = TreeSearch(game, settings, games=count, nodes=simulations + 2)
        evaluate = RowEvaluator(game)
        search.set_roots(range(count), *beginnings(game, [line[-1] for line in lines]), evaluate)
        search.run(evaluate, simulations)
        roots = search.roots()
        for number, line in enumerate(lines):
            edges = int(roots.moves[number])
            searches.append(
                {
                    "start": str(line[0]),
                    "moves": played_moves(line),
                    "method": method,
                    "simulations": simulations,
                    "actions": roots.actions[number, :edges].tolist(),
                    "visits": roots.visits[number, :edges].tolist(),
                    "values": roots.values[number, :edges].tolist(),
                    "result": int(roots.result[number]),
                    "choice": int(roots.chosen_actions[number]),
                }
            )
    (directory / "searches.json").write_text(json.dumps(searches))


def write_followed(game: Game, directory: Path, *, count: int, simulations: int = 100, seed: int = 4) -> None:
    """What the player says while games go on: of each position, of it again, after its own move, after the reply, and
    with both taken back."""
    agent = NeuralAgent(game=game, simulations=simulations, method="puct", device="cpu")
    agent._evaluator = RowEvaluator(game)  # type: ignore[assignment]
    rng = np.random.default_rng(seed)
    said = []

    def ask(line: list[Any]) -> Any:
        found = agent.analyse(line[-1])
        visits = {str(one.move.action): one.visits for one in found.moves}
        text = {"start": str(line[0]), "moves": played_moves(line), "visits": visits}
        said.append({**text, "simulations": found.simulations, "best": found.best.action})
        return found.best

    for _ in range(count):
        line = random_positions(game, rng, plies=int(rng.integers(12)))
        for _ in range(6):
            before = line
            for again in (True, False, False):  # it is asked of its own positions twice
                if line[-1].outcome is None:
                    best = ask(line)
                    best = ask(line) if again else best
                    line = [*line, line[-1].play(best)]
            if line[-1].outcome is not None:
                break
        if before[-1].outcome is None:
            ask(before)
    (directory / "followed.json").write_text(json.dumps({"simulations": simulations, "said": said}))


# Exact values


def write_exact(game: Game, directory: Path, *, count: int, seed: int = 5) -> None:
    """What the perfect player says of every move in positions of random games."""
    agent = make_agent("perfect", game=game, seed=0)
    rng = np.random.default_rng(seed)
    said = []
    while len(said) < count:
        position = random_positions(game, rng, plies=int(rng.integers(30)))[-1]
        if position.outcome is None:
            moves = {one.move.action: [one.value, one.distance, one.margin] for one in agent.analyse(position).moves}
            said.append({"position": str(position), "moves": moves})
    (directory / "exact.json").write_text(json.dumps(said))


# Networks


def write_exam(game: Game, directory: Path, *, checkpoint: Path, precisions: dict[str, int]) -> None:
    """What the network says of the exam's positions, and its files, with how many positions each is asked about."""
    from alphadiamond.arena.exam import Exam
    from alphadiamond.network import Evaluator, load_checkpoint
    from alphadiamond.site.networks import network_bytes

    model = load_checkpoint(checkpoint, game=game).model
    states = Exam.load(game=game).states
    policy, value = Evaluator(model, device="cpu", half=False).logits(states)
    engine_rows(game, states).astype("<i4").tofile(directory / "exam.i32")
    policy.astype("<f4").tofile(directory / "policy.f32")
    value.astype("<f4").tofile(directory / "value.f32")
    for precision in precisions:
        (directory / f"network.{precision}").write_bytes(network_bytes(model, precision=precision, origin={}))
    (directory / "exam.json").write_text(json.dumps(precisions))
