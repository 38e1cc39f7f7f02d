"""What networks and players take from a game: keys, inputs, scores and symmetries."""

from typing import Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base import game_kernels
from alphadiamond.games.check import kernels
from alphadiamond.games.check.sample import Sample, need, untouched, with_room

_LARGEST_SCORE: Final = 900_000


# Keys, inputs and opinions


def check_keys(sample: Sample) -> None:
    """Equal keys are taken for the same position, in which the same can be played."""
    game, known = sample.game, dict[int, tuple[bytes, bytes]]()
    planes = game.shape.planes * game.shape.nodes
    texts = dict[str, int]()
    legal, rows = game.legal(sample.states), game_kernels.encode_states(game.rules, sample.states)
    for state, moves, row in zip(sample.states, legal, rows, strict=True):
        key, where = int(kernels.key_of(game.rules, state)), game.position_of(state)
        need(key >= 0, f"position_key is {key} in {where}: keys must not be negative, so stay below 2**63")
        seen = moves.tobytes(), row[:planes].tobytes()
        need(
            known.setdefault(key, seen) == seen, f"position_key is {key} for {where} and for a position that is another"
        )
        need(texts.setdefault(str(where), key) == key, f"position_key differs between two occurrences of {where}")


def check_inputs(sample: Sample) -> None:
    game, rows = sample.game, dict[int, bytes]()
    states = np.repeat(sample.states, 2 if game.repetition_limit else 1, axis=0)
    if game.repetition_limit:
        states[1::2, -1] = 2
    for state in states:
        where = game.position_of(state)
        row, again = with_room(game.rules.inputs, np.float32), np.full(game.rules.inputs, 7, dtype=np.float32)
        for room in (row, again):
            kernels.encoded(game.rules, state, room)
        need(untouched(row), f"encode writes beyond its row: rules.inputs is {game.rules.inputs}")
        left = np.flatnonzero(row != again)
        need(not left.size, f"encode leaves input {left[0] if left.size else 0} as it was in {where}: write every one")
        need(np.isfinite(row).all(), f"encode writes a number that is not finite in {where}")
        key = int(kernels.input_key_of(game.rules, state))
        need(key >= 0, f"input_key is {key} in {where}: keys must not be negative, so stay below 2**63")
        need(
            rows.setdefault(key, row.tobytes()) == row.tobytes(),
            f"input_key is {key} for {where} and for a state of which encode writes something else",
        )


def check_opinions(sample: Sample) -> None:
    game = sample.game
    for state in sample.states:
        where = game.position_of(state)
        score, guess = kernels.score_of(game.rules, state), kernels.guess_of(game.rules, state)
        need(isinstance(score, int | np.integer), f"score gives {score!r}: expected a whole number")
        need(
            abs(score) < _LARGEST_SCORE,
            f"score is {score} in {where}: stay between -900,000 and 900,000, beyond which are wins and losses",
        )
        need(0 <= guess <= 1, f"heuristic_value is {guess} in {where}: expected a share of a point, from 0 to 1")


# Symmetries


def check_symmetries(sample: Sample) -> None:
    game, shape, states = sample.game, sample.game.shape, sample.states
    legal, inputs = game.legal(states), game_kernels.encode_states(game.rules, states)
    after, _, _, statuses, *_ = game.expand(states, sample.actions)
    planes = shape.planes * shape.nodes
    for number in range(len(shape.symmetries)):
        which = np.full(len(states), number, dtype=np.int64)
        images, moved = game.images(states, which), shape.action_symmetries[number]
        name = f"symmetry {number}"
        need(images.dtype == states.dtype and images.shape == states.shape, "images has to give states as it gets them")
        need((images[:, -1] == states[:, -1]).all(), f"{name}: images changes the last column, the occurrences")
        need(number or (images == states).all(), "symmetry 0 has to be the identity, but images changes states by it")
        wrong = np.flatnonzero((game.legal(images)[:, moved] != legal).any(axis=1))
        need(not wrong.size, f"{name}: the legal moves of an image are not the images of the moves{_at(sample, wrong)}")
        turned = game_kernels.encode_states(game.rules, images)
        nodes = turned[:, :planes].reshape(-1, shape.planes, shape.nodes)[:, :, shape.symmetries[number]]
        wrong = np.flatnonzero((nodes.reshape(len(states), -1) != inputs[:, :planes]).any(axis=1))
        need(
            not wrong.size,
            f"{name}: encode of an image is not the image of encode by shape.symmetries{_at(sample, wrong)}",
        )
        wrong = np.flatnonzero((turned[:, planes:] != inputs[:, planes:]).any(axis=1))
        need(not wrong.size, f"{name}: an input of the whole board changes under it{_at(sample, wrong)}")
        other, _, _, results, *_ = game.expand(images, moved[sample.actions].astype(np.int16))
        wrong = np.flatnonzero((other != game.images(after, which)).any(axis=1))
        need(
            not wrong.size,
            f"{name}: playing in the image is not the image, by the same symmetry, of playing{_at(sample, wrong)}",
        )
        need((results == statuses).all(), f"{name}: status differs between a state and its image")


def _at(sample: Sample, wrong: npt.NDArray[np.int64]) -> str:
    return f" in {sample.game.position_of(sample.states[wrong[0]])}" if wrong.size else ""
