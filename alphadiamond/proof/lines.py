"""Playable games that lead to positions of an enumeration: found backward, ply by ply, through what was listed."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from alphadiamond.agents import Agent
from alphadiamond.base.game import Solution
from alphadiamond.base.record import GameRecord
from alphadiamond.base.results import ONGOING, WIN
from alphadiamond.proof import kernels
from alphadiamond.proof.ply_files import PlyFiles
from alphadiamond.proof.tasks import ProofError, Subject, moves_of, replies_to

_TOGETHER = 1 << 15


def ways_to(subject: Subject, files: PlyFiles, targets: Sequence[tuple[int, int]]) -> list[list[int]]:
    """For each (ply, number) the positions of one way there, with the player to move, from ply 0 on."""
    before: dict[tuple[int, int], int] = {}
    wanted = {(ply, number) for ply, number in targets}
    for ply in range(max((ply for ply, _ in targets), default=0), 0, -1):
        here = np.array(sorted(number for at, number in wanted if at == ply), dtype=np.uint64)
        for number, parent in _parents(subject, files, ply, here).items():
            before[ply, number] = parent
            wanted.add((ply - 1, parent))
    ways = []
    for ply, number in targets:
        way = [number]
        while ply:
            way.append(before[ply, way[-1]])
            ply -= 1
        ways.append(way[::-1])
    return ways


def _parents(subject: Subject, files: PlyFiles, ply: int, numbers: kernels.Numbers) -> dict[int, int]:
    """For each of some positions of a ply one of the ply before that leads there."""
    found: dict[int, int] = {}
    earlier, moves = files.positions(ply - 1), files.moves(ply - 1)
    for start in range(0, len(earlier), _TOGETHER):
        if len(found) == len(numbers):
            break
        some = np.asarray(earlier[start : start + _TOGETHER])
        actions = np.array(moves[start : start + _TOGETHER])
        *_, rows, positions, statuses = replies_to(subject, subject.states_of(some), actions)
        goes_on = np.flatnonzero(statuses == ONGOING)
        reached = subject.numbers_of(positions[goes_on])
        for hit in np.flatnonzero(np.isin(reached, numbers)):
            found.setdefault(int(reached[hit]), int(some[rows[goes_on[hit]]]))
    missing = [number for number in numbers.tolist() if number not in found]
    if missing:
        raise ProofError(f"{files.directory}: ply {ply} holds positions that no earlier one leads to; begin anew")
    return found


class LineWriter:
    """Puts ways together to games as they can be played, on the board of the start."""

    def __init__(self, subject: Subject, agent: Agent, starts: Sequence[Any], side: Any, solution: Solution | None):
        self._subject, self._agent, self._starts, self._side = subject, agent, starts, side
        self._solution = solution

    def game_of(self, way: Sequence[int], *, players: tuple[str, str], tags: dict[str, str]) -> GameRecord:
        """Along the way, then the player's move, and then whatever beats it fastest."""
        for start in self._starts:
            position, moves = start, list[Any]()
            if start.side is not self._side:
                position = self._reply(position, way[0], moves)
            if position is not None and self._number(position) == way[0]:
                break
        else:
            raise ProofError("a way begins at none of the starts")
        for number in way[1:]:
            position = self._reply(self._own(position, moves), number, moves)
            if position is None:
                raise ProofError(f"{self._agent.spec} is no function of the position: asked again it plays other moves")
        position = self._own(position, moves)
        while position.outcome is None:
            reply = self._best_reply(position)
            if reply is None:
                break
            moves.append(reply)
            position = position.play(reply)
            if position.outcome is None:
                position = self._own(position, moves)
        return self._subject.game.record(start, moves, players=players, tags=tags)

    def _number(self, position: Any) -> int:
        return int(self._subject.numbers_of(self._subject.game.states_of([position]))[0])

    def _own(self, position: Any, moves: list[Any]) -> Any:
        """The position after the player's move."""
        game = self._subject.game
        (action,), _ = moves_of(self._agent, game.bare(game.states_of([position])))
        moves.append(game.move_of(int(action), position.side))
        return position.play(moves[-1])

    def _reply(self, position: Any, number: int, moves: list[Any]) -> Any:
        """The position after a reply that leads to a number."""
        for move in position.moves():
            after = position.play(move)
            if after.outcome is None and self._number(after) == number:
                moves.append(move)
                return after
        return None

    def _best_reply(self, position: Any) -> Any | None:
        """A win at once, or the fastest by exact values; None where neither is known."""
        for move in position.moves():
            outcome = position.play(move).outcome
            if outcome is not None and outcome.winner is position.side:
                return move
        if self._solution is None:
            return None
        values, distances = self._solution.action_values(self._subject.game.states_of([position]))
        wins = np.flatnonzero(values[0] == WIN)
        if not len(wins):
            return None
        return self._subject.game.move_of(int(wins[np.argmin(distances[0, wins])]), position.side)
