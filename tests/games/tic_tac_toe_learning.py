"""Tic-tac-toe learnt by the ordinary training loop: `python -m tests.games.tic_tac_toe_learning DIRECTORY`."""

import functools
import sys
from pathlib import Path

from alphadiamond import games
from alphadiamond.agents import make_agent
from alphadiamond.games import load
from alphadiamond.network import ModelConfig
from alphadiamond.training.run import train
from alphadiamond.training.settings import (
    EvaluationSettings,
    GateSettings,
    LearnerSettings,
    PitSettings,
    ReplaySettings,
    SelfPlaySettings,
    TrainSettings,
)
from examples.tic_tac_toe import Move, Position

NAME = "tic_tac_toe"


def settings(directory: Path) -> TrainSettings:
    quick = PitSettings(simulations=8)
    return TrainSettings(
        profile="tiny",
        game=NAME,
        run=str(directory),
        device="cpu",
        iterations=24,
        iteration_seconds=2,
        snapshot_every=24,
        cache=16_384,
        plot=False,
        model=ModelConfig(kind="orbit", width=8, blocks=2, value_width=16),
        selfplay=SelfPlaySettings(games=64, rounds=24, simulations=24, opening_plies=5),
        replay=ReplaySettings(smallest=20_000),
        learner=LearnerSettings(batch=256, reuse=12, learning_rate=5e-3, warmup=20, average=0.99),
        gate=GateSettings(every=4, batch=16, max_pairs=32, pit=quick),
        evaluation=EvaluationSettings(
            every=24, pairs=4, baselines=["minimax:depth=2"], pit=quick, earlier=0, earlier_pairs=1
        ),
    )


@functools.cache
def value_of(position: Position) -> int:
    """1 won, 0 drawn, -1 lost for the side to move, by trying everything."""
    if position.outcome is not None:
        return 0 if position.outcome.winner is None else -1
    return max(-value_of(position.play(move)) for move in position.moves())


def reachable() -> list[Position]:
    """Every position of any game in which somebody is to move."""
    found, waiting = {Position()}, [Position()]
    while waiting:
        position = waiting.pop()
        new = {position.play(move) for move in position.moves()} - found
        found |= new
        waiting += new
    return sorted(position for position in found if position.outcome is None)


def answers(run: Path, positions: list[Position], simulations: int) -> list[Move]:
    """What the champion of a run plays in each."""
    player = make_agent(f"neural:checkpoint={run},simulations={simulations},device=cpu", game=load(NAME), seed=1)
    found = [player.analyse_many(positions[i : i + 64]) for i in range(0, len(positions), 64)]
    return [analysis.best for part in found for analysis in part]


def mistakes(positions: list[Position], moves: list[Move]) -> list[tuple[Position, Move]]:
    """The answers that give something away."""
    pairs = zip(positions, moves, strict=True)
    return [(position, move) for position, move in pairs if -value_of(position.play(move)) != value_of(position)]


def worst_result(start: Position, choice: dict[Position, Move], *, first: bool) -> int:
    """The worst that a player comes to, from its own side, whatever the opponent plays."""

    @functools.cache
    def worst(position: Position, mine: bool) -> int:
        if position.outcome is not None:
            return 0 if position.outcome.winner is None else -1 if mine else 1
        if mine:
            return worst(position.play(choice[position]), False)
        return min(worst(position.play(move), True) for move in position.moves())

    return worst(start, first)


def learn(directory: Path) -> None:
    games.register(NAME, "examples.tic_tac_toe:TicTacToe")
    train(settings(directory))


if __name__ == "__main__":
    run = Path(sys.argv[1])
    learn(run)
    everywhere = reachable()
    for simulations in (0, 4):
        wrong = mistakes(everywhere, answers(run, everywhere, simulations))
        print(f"{simulations} simulations: {len(wrong)} of {len(everywhere)} answers give something away")
