"""What every game keeps to, whatever its rules are."""

import itertools
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from alphadiamond import games
from alphadiamond.base.game_kernels import encode_states, input_keys
from alphadiamond.base.notation import IllegalMoveError
from alphadiamond.base.results import DRAW, LOSS, ONGOING, WIN
from alphadiamond.games import records
from alphadiamond.games.records import RecordError
from tests.contract.plain import (
    NAMES,
    letter_of,
    no_action,
    random_game,
    reference_of,
    some_positions,
    winner_of,
)

ROOT = Path(__file__).parents[2]

every_game = pytest.mark.parametrize("name", NAMES)


def value_of(position: Any) -> int:
    """How a position stands, from its side to move."""
    outcome = position.outcome
    if outcome is None:
        return ONGOING
    return DRAW if outcome.winner is None else WIN if outcome.winner is position.side else LOSS


@every_game
def test_a_game_says_what_it_is(name: str) -> None:
    game = games.load(name)
    assert game.name == name
    assert game.title
    assert [int(side) for side in game.sides] == [0, 1]
    assert [side.other for side in game.sides] == list(reversed(game.sides))
    assert letter_of(game.sides[0]) != letter_of(game.sides[1])
    assert game.rules.actions == game.shape.actions
    assert game.rules.inputs == game.shape.inputs
    assert game.sample_start().side is game.sides[0]
    assert game is games.load(name)


@every_game
def test_every_game_passes_the_check_for_authors(name: str) -> None:
    games.check_game(name)


def _within_two_plies(position: Any) -> tuple[int, int]:
    """The result that two plies decide and the plies to it, by positions and moves alone."""
    values = [(after, value_of(after)) for after in map(position.play, position.moves())]
    if any(value == LOSS for _, value in values):
        return WIN, 1
    going_on = [after for after, value in values if value == ONGOING]
    if any(value == DRAW for _, value in values):
        return ONGOING, 0
    if all(any(value_of(after.play(reply)) == LOSS for reply in after.moves()) for after in going_on):
        return LOSS, 2 if going_on else 1
    return ONGOING, 0


@every_game
def test_looking_two_plies_ahead_finds_what_they_decide(name: str) -> None:
    game, rng = games.load(name), np.random.default_rng(3)
    drawn = [game.random_position(rng) for _ in range(1500)]
    for seed in range(20):  # what is decided only at the end is seen there
        drawn += list(random_game(game, random.Random(seed)))[-4:]
    positions = [position for position in drawn if position is not None and position.outcome is None]
    fresh = [game.position_of(game.state_of(position), position.side) for position in positions]
    results, distances, keys = game.two_ply_lookahead(game.states_of(fresh))
    expected = [_within_two_plies(position) for position in fresh]
    assert list(zip(results.tolist(), distances.tolist(), strict=True)) == expected
    assert {WIN, LOSS, ONGOING} <= set(results.tolist())
    for i in np.flatnonzero(results == LOSS)[:20].tolist():
        after = [fresh[i].play(move) for move in fresh[i].moves()]
        states = game.states_of([one for one in after if one.outcome is None])
        own_keys = game.expand(states, np.full(len(states), -1, dtype=np.int16))[1]
        assert sorted(keys[i][keys[i] >= 0].tolist()) == sorted(own_keys.tolist())


@every_game
def test_perft_counts_what_the_plain_rules_count(name: str) -> None:
    game, plain = games.load(name), reference_of(name)

    def count(state: Any, depth: int) -> int:
        return 1 if depth == 0 else sum(count(plain.play(state, move), depth - 1) for move in plain.moves(state))

    for depth in range(5):
        found = game.perft(depth, game.sample_start())
        assert found == count(plain.start(), depth)
        if found > 300:
            break
    with pytest.raises(ValueError, match="depth -1"):
        game.perft(-1, game.sample_start())


def compare(name: str, plies: int, seed: int) -> None:
    """Play at random by the plain rules, and let positions and compiled rules follow."""
    game, plain, rng = games.load(name), reference_of(name), random.Random(seed)
    done = 0
    while done < plies:
        state, position = plain.start(), game.sample_start()
        row = game.states_of([position])
        row, keys, irreversible, statuses, legal, counts = game.expand(row, no_action())
        length = 0
        while True:
            known = game.states_of([position])
            assert str(position) == plain.text(state)
            assert (row[0, :-1] == known[0, :-1]).all(), str(position)
            options = plain.moves(state)
            moves = {str(move): move for move in position.moves()}
            assert sorted(moves) == sorted(options), str(position)
            actions = [move.action for move in position.moves()]
            assert actions == sorted(set(actions))
            end, outcome = plain.outcome(state), position.outcome
            assert (outcome is None) == (end is None), str(position)
            history = game.history_of(position)
            assert history[-1] == keys[0]
            assert 1 <= len(history) <= game.history_limit
            repeated = game.repetition_limit and (history[::-2] == history[-1]).sum() >= game.repetition_limit
            if outcome is not None:
                assert winner_of(end) == (None if outcome.winner is None else letter_of(outcome.winner))
                assert str(outcome.reason) in game.endings
                if repeated and statuses[0] == ONGOING:
                    assert value_of(position) == DRAW
                    break
                assert statuses[0] == value_of(position), str(position)
                assert counts[0] == 0
                assert game.ending(row[0]) == str(outcome.reason)
                break
            assert statuses[0] == ONGOING
            assert legal[0, : counts[0]].tolist() == actions, str(position)
            assert counts[0] <= game.max_moves
            choice = rng.choice(options)
            state, position = plain.play(state, choice), position.play(moves[choice])
            action = np.array([moves[choice].action], dtype=np.int16)
            row, keys, irreversible, statuses, legal, counts = game.expand(row, action)
            assert not irreversible[0] or len(game.history_of(position)) == 1
            length += 1
        assert length <= game.longest
        done += max(length, 1)


@every_game
def test_the_compiled_rules_are_the_plain_ones(name: str) -> None:
    compare(name, 600, seed=2)


@pytest.mark.slow
@every_game
def test_the_compiled_rules_are_the_plain_ones_on_a_hundred_thousand_plies(name: str) -> None:
    compare(name, 100_000, seed=3)


@every_game
def test_what_is_not_legal_is_refused(name: str) -> None:
    game = games.load(name)
    for position in some_positions(name, 20):
        legal = set(position.moves())
        for action in range(game.actions):
            move = game.move_of(action, position.side)
            if move not in legal:
                with pytest.raises(IllegalMoveError):
                    position.play(move)
    over = list(random_game(game, random.Random(4)))[-1]
    assert over.moves() == []
    with pytest.raises(IllegalMoveError, match="over"):
        over.play(game.sample_start().moves()[0])


@every_game
def test_starts_and_openings_are_games_that_go_on(name: str) -> None:
    game, rng = games.load(name), np.random.default_rng(5)
    states = [game.random_start(rng) for _ in range(20)] + [game.opening(rng, plies) for plies in (0, 1, 2, 4)]
    for state in states:
        assert game.expand(state[None], no_action())[3][0] == ONGOING
        assert game.legal(state[None]).any()
    begun = game.position_of(game.opening(rng, 0))
    assert game.seeded or begun == game.start()
    assert begun.side is game.sides[0]


def encoded(name: str, states: Any) -> Any:
    return encode_states(games.load(name).rules, states)


@every_game
def test_what_looks_the_same_has_the_same_input_key(name: str) -> None:
    game = games.load(name)
    states = np.repeat(game.states_of(some_positions(name, 60)), 2, axis=0)
    if game.repetition_limit:
        states[1::2, -1] = 2
    rows: dict[int, bytes] = {}
    for key, row in zip(input_keys(game.rules, states).tolist(), encoded(name, states), strict=True):
        assert key >= 0
        assert rows.setdefault(key, row.tobytes()) == row.tobytes()
    assert np.isfinite(encoded(name, states)).all()
    assert len(rows) == len(set(rows.values()))


@every_game
def test_a_record_of_any_game_reads_back(name: str, tmp_path: Path) -> None:
    game, rng = games.load(name), random.Random(6)
    written = []
    for number in range(6):
        positions = list(random_game(game, rng))[: None if number % 2 else 4]
        moves = [next(move for move in a.moves() if a.play(move) == b) for a, b in itertools.pairwise(positions)]
        written.append(game.record(game.sample_start(), moves, players=("a", 'the "best"'), tags={"Event": "test"}))
    path = tmp_path / "games.txt"
    records.write_records(path, written)
    found = records.read_records(path)
    assert found == written
    assert [one.game.name for one in found] == [name] * len(written)
    assert {one.result for one in found[::2]} == {"*"} or game.longest < 6
    assert (f'[Game "{name}"]' in path.read_text()) == (not game.unnamed_records)
    assert all(one.final.outcome is not None and one.result != "*" for one in found[1::2])
    with pytest.raises(RecordError, match="tag Game: no game is called"):
        records.parse_records('[Game "chess"]\n' + str(written[1]).replace(f'[Game "{name}"]\n', ""))


CACHED = """
import sys
from tests.contract.plain import NAMES, no_action
from alphadiamond import games
from alphadiamond.agents import make_agent
from alphadiamond.base import game_kernels
from alphadiamond.base.compilation import compilations, files_used

for name in NAMES:
    game = games.load(name)
    game.perft(2, game.sample_start())
    states = game.states_of([game.sample_start()])
    game.expand(states, no_action())
    game.legal(states)
    game_kernels.encode_states(game.rules, states)
    game_kernels.input_keys(game.rules, states)
    for spec in ("minimax:depth=2", "mcts:simulations=20", "greedy", "beginner"):
        make_agent(spec, game=game, seed=1).analyse(game.sample_start())
print(compilations(), len(files_used()))
"""


def test_a_second_process_compiles_nothing() -> None:
    compiled, used = 1, 0
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", CACHED], capture_output=True, text=True, cwd=ROOT)
        assert done.returncode == 0, done.stderr
        compiled, used = map(int, done.stdout.split())
    assert compiled == 0
    assert used > 20
