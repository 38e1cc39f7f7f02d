"""The rules written plainly from their description, to check the compiled ones against."""

import functools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from alphadiamond.games.labyrinth import Maze

SIZE, PLIES = 9, 48
STEPS = {
    "n": (-1, 0),
    "ne": (-1, 1),
    "e": (0, 1),
    "se": (1, 1),
    "s": (1, 0),
    "sw": (1, -1),
    "w": (0, -1),
    "nw": (-1, -1),
}
Place = tuple[int, int]
"""(row, column) from the top left."""


class State(NamedTuple):
    walls: frozenset[Place]
    traps: frozenset[Place]
    power_ups: frozenset[Place]
    runners: tuple[Place, Place]
    totals: tuple[int, int]
    left: int

    @property
    def mover(self) -> int:
        return (PLIES - self.left) % 2


HOMES = ((SIZE - 1, SIZE - 1), (0, 0))


def start(seed: int = 0) -> State:
    return parse(f"{Maze.of_seed(seed).rows()} a1 i9 0 0 48 a")


def parse(text: str) -> State:
    rows, a, b, total_a, total_b, left, _ = text.split(" ")
    found: dict[str, set[Place]] = {letter: set() for letter in "#TP."}
    for r, row in enumerate(rows.split("/")):
        for c, letter in enumerate(row):
            found[letter].add((r, c))
    runners = tuple((int(name[1]) - 1, "abcdefghi".index(name[0])) for name in (a, b))
    sets = (frozenset(found[letter]) for letter in "#TP")
    return State(*sets, runners, (int(total_a), int(total_b)), int(left))  # type: ignore[arg-type]


def moves(state: State) -> list[str]:
    if outcome(state) is not None:
        return []
    row, column = state.runners[state.mover]
    if (row, column) == HOMES[state.mover]:
        return ["-"]
    found = []
    for name, (down, right) in STEPS.items():
        r, c = row + down, column + right
        if 0 <= r < SIZE and 0 <= c < SIZE and (r, c) not in state.walls:
            found.append(name)
    return found


def play(state: State, move: str) -> State:
    me = state.mover
    if move == "-":
        return state._replace(left=state.left - 1)
    down, right = STEPS[move]
    place = (state.runners[me][0] + down, state.runners[me][1] + right)
    cost = 14 if down and right else 10
    if place in state.traps:
        cost += 30
    if place in state.power_ups:
        cost -= 20
    if place == state.runners[1 - me] and place not in HOMES:
        cost += 30
    runners, totals = list(state.runners), list(state.totals)
    runners[me] = place
    totals[me] += cost
    return state._replace(
        power_ups=state.power_ups - {place},
        runners=(runners[0], runners[1]),
        totals=(totals[0], totals[1]),
        left=state.left - 1,
    )


def margin(state: State) -> int:
    """What b pays more than a in a game that is over."""
    late = [0 if state.runners[runner] == HOMES[runner] else 100 for runner in (0, 1)]
    return state.totals[1] + late[1] - state.totals[0] - late[0]


def outcome(state: State) -> tuple[str, str] | None:
    """Who won and why, or None while the game goes on."""
    home = state.runners == HOMES
    if not home and state.left:
        return None
    found = margin(state)
    return "draw" if found == 0 else "a" if found > 0 else "b", "both at home" if home else "the deadline"


def text(state: State) -> str:
    letters = dict.fromkeys(state.walls, "#")
    letters |= dict.fromkeys(state.traps, "T") | dict.fromkeys(state.power_ups, "P")
    rows = "/".join("".join(letters.get((r, c), ".") for c in range(SIZE)) for r in range(SIZE))
    cells = " ".join(f"{'abcdefghi'[c]}{r + 1}" for r, c in state.runners)
    return f"{rows} {cells} {state.totals[0]} {state.totals[1]} {state.left} {'ab'[state.mover]}"


def best_margin(state: State, known: dict[State, int]) -> int:
    """What b will have paid more than a in the end, with best play, by trying everything."""
    if outcome(state) is not None:
        return margin(state)
    bare = state._replace(totals=(0, 0))
    if bare not in known:
        found = [best_margin(play(bare, move), known) for move in moves(bare)]
        known[bare] = min(found) if state.mover else max(found)
    return known[bare] + state.totals[1] - state.totals[0]


def places_of(state: State) -> list[Place]:
    """The open cells in order."""
    return [(r, c) for r in range(SIZE) for c in range(SIZE) if (r, c) not in state.walls]


@functools.cache
def all_margins(state: State) -> npt.NDArray[np.int64]:
    """[plies left, live power-ups, cell of a, cell of b] what b still pays more than a, with best play: whole layers of
    pairs of cells at a time, one direction after the other."""
    places, power_ups = places_of(state), sorted(state.power_ups)
    number = {place: n for n, place in enumerate(places)}
    count, sets = len(places), 1 << len(power_ups)
    ends = [number[home] for home in HOMES]
    cells = np.arange(count)
    far = 10_000
    table = np.zeros((PLIES + 1, sets, count, count), dtype=np.int64)
    late = [np.where(cells == end, 0, 100) for end in ends]
    table[0] = late[1][None, :] - late[0][:, None]
    for left in range(1, PLIES + 1):
        mover = (PLIES - left) % 2
        for live in range(sets):
            tried = []
            for down, right in STEPS.values():
                margin = np.full((count, count), -far)
                for n, (r, c) in enumerate(places):
                    to = number.get((r + down, c + right))
                    if to is None:
                        continue
                    item = power_ups.index(places[to]) if places[to] in power_ups else -1
                    taken = item >= 0 and live >> item & 1
                    cost = (14 if down and right else 10) + 30 * (places[to] in state.traps) - 20 * taken
                    after = table[left - 1, live ^ (1 << item) if taken else live]
                    bumps = np.where((cells == to) & (to not in ends), 30, 0)
                    margin[n] = (after[to] if mover == 0 else -after[:, to]) - cost - bumps
                tried.append(margin)
            best = np.max(tried, axis=0)  # [mover, other], for the mover
            best[ends[mover]] = (table[left - 1, live] if mover == 0 else -table[left - 1, live].T)[ends[mover]]
            best[ends[mover], ends[1 - mover]] = 0
            table[left, live] = best if mover == 0 else -best.T
    return table
