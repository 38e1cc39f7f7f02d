"""What a worker does with some positions in which the player is to move: ask for its moves, and list all replies.

The same answer wherever and in whatever company it is given, since the player is a function of the position.
"""

import functools
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from alphadiamond.agents import Agent, make_agent
from alphadiamond.base import game_kernels
from alphadiamond.base.game import Game, Solution, States
from alphadiamond.base.results import DRAW, LOSS, ONGOING, WIN
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games import solution_of
from alphadiamond.proof.kernels import Numbers

_TOGETHER: Final = 1024  # positions that a player is asked about at once


class ProofError(AlphaDiamondError):
    """A proof that cannot be made, or a set of positions that cannot be read."""


@dataclass(frozen=True, eq=False)
class Subject:
    """Whom a proof is about, and where."""

    game: Game
    player: str
    """The text that `make_agent` builds it from."""
    board: npt.NDArray[np.int64]
    """[S] a state on the board that all positions are on: see `Game.pack_positions`."""
    exact: bool
    """Whether moves are held against the game's exact values."""
    beyond: bool = True
    """Whether to go on where a held game has been lost; without exact values there is no telling."""
    tablebase: str | None = None
    """The directory of these, if not the user's own."""

    def numbers_of(self, states: States) -> Numbers:
        """[B] each position, history aside, as a number; images of each other under the symmetries as the same one."""
        bare = self.game.bare(states)
        # Another image of a maze is another maze.
        return self.game.pack_positions(bare if self.game.seeded else self.game.canonical(bare)[0], self.board)

    def states_of(self, numbers: Numbers) -> States:
        return self.game.unpack_positions(np.ascontiguousarray(numbers), self.board)


@dataclass(frozen=True, eq=False)
class ProofTask:
    """Some positions of one ply."""

    subject: Subject
    start: int
    """Where among the positions of the ply they begin."""
    numbers: Numbers
    """[B]"""
    actions: npt.NDArray[np.int16]
    """[B] the player's moves where they are known, from an earlier run or the other side, else -1."""

    @property
    def unknown(self) -> npt.NDArray[np.int64]:
        """Rows about which the player has to be asked."""
        return np.flatnonzero(self.actions < 0)


@dataclass(frozen=True, eq=False)
class Expansion:
    """What comes of some positions."""

    actions: npt.NDArray[np.int16]
    """[B] the player's moves."""
    replies: Numbers
    """Sorted, each once: the positions, with the player to move again, that the replies lead to."""
    ends: tuple[int, int, int]
    """Moves, the player's and the replies, that end the game: won, drawn, lost for the player."""
    lost_ends: Numbers
    """Positions after whose move the game can be lost at once."""
    lost: Numbers
    """Positions that are held and whose move loses, by exact values."""
    let_go: Numbers
    """Positions that are won and whose move draws, by exact values."""
    simulations: int


def expand(task: ProofTask) -> Expansion:
    """Ask the player, if its moves are not known, and list what the opponent can make of them."""
    subject, game = task.subject, task.subject.game
    states = subject.states_of(task.numbers)
    simulations = 0
    actions = task.actions.copy()
    if len(unknown := task.unknown):
        actions[unknown], simulations = moves_of(_agent(game, subject.player), states[unknown])
    listed = replies_to(subject, states, actions)
    own_status, rows, reply_status = listed.own_status, listed.rows, listed.statuses
    loses = own_status == WIN  # for the opponent, who is to move
    loses[rows[reply_status == LOSS]] = True
    won = int((own_status == LOSS).sum() + (reply_status == WIN).sum())
    drawn = int((own_status == DRAW).sum() + (reply_status == DRAW).sum())
    lost = int((own_status == WIN).sum() + (reply_status == LOSS).sum())
    replies = np.unique(subject.numbers_of(listed.positions[reply_status == ONGOING]))
    return Expansion(
        actions=actions,
        replies=replies,
        ends=(won, drawn, lost),
        lost_ends=task.numbers[loses],
        lost=task.numbers[listed.held_lost],
        let_go=task.numbers[listed.let_go],
        simulations=simulations,
    )


class Replies(NamedTuple):
    """What can come of a move in each of some positions [B], and of the replies to it [M]."""

    own_status: npt.NDArray[np.int8]
    """[B] what the rules say after the move, for the opponent, who is to move."""
    held_lost: npt.NDArray[np.bool_]
    """[B] the move loses a held game."""
    let_go: npt.NDArray[np.bool_]
    """[B] the move turns a win into a draw."""
    rows: npt.NDArray[np.int64]
    """[M] to which position's move it is a reply."""
    positions: States
    """[M, S] what it leads to."""
    statuses: npt.NDArray[np.int8]
    """[M] what the rules say of that, for the player."""


def replies_to(subject: Subject, states: States, actions: npt.NDArray[np.int16]) -> Replies:
    """All replies that count: none where a held game is lost, unless the subject is to go on there."""
    rules = subject.game.rules
    after, own_status = game_kernels.after_moves(rules, states, actions)
    held_lost, let_go = _wrong_moves(subject, states, after, own_status)
    goes_on = np.arange(len(states)) if subject.beyond else np.flatnonzero(~held_lost)
    rows, _, positions, statuses = game_kernels.all_replies(rules, after[goes_on])
    return Replies(own_status, held_lost, let_go, goes_on[rows], positions, statuses)


def moves_of(agent: Agent, states: States) -> tuple[npt.NDArray[np.int16], int]:
    """[B] what a player plays in positions without history, and the simulations that it took."""
    before = agent.simulations_made
    chosen = [_some_moves(agent, states[i : i + _TOGETHER]) for i in range(0, len(states), _TOGETHER)]
    actions = np.concatenate(chosen).astype(np.int16) if chosen else np.zeros(0, dtype=np.int16)
    legal = agent.game.legal(states)[np.arange(len(states)), actions]
    if not legal.all():
        wrong = agent.game.position_of(states[int(np.argmin(legal))])
        raise ProofError(f"{agent.spec} plays what is no move in {wrong}")
    return actions, agent.simulations_made - before


def _some_moves(agent: Agent, states: States) -> npt.NDArray[np.integer[Any]]:
    found = agent.answer_states(states)
    if found is not None:
        return found[0]
    analyses = agent.analyse_many([agent.game.position_of(state) for state in states])
    return np.array([one.best.action for one in analyses])


def _wrong_moves(
    subject: Subject, states: States, after: States, own_status: npt.NDArray[np.int8]
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """[B] where a held game is lost by the move, and [B] where a win becomes a draw."""
    if not subject.exact or not len(states):
        none = np.zeros(len(states), dtype=np.bool_)
        return none, none
    solution = _solution(subject.game, subject.tablebase)
    before = solution.values(states)[0]
    then = -own_status
    goes_on = own_status == ONGOING
    then[goes_on] = -solution.values(after[goes_on])[0]
    return (before >= DRAW) & (then == LOSS), (before == WIN) & (then == DRAW)


@functools.cache
def _agent(game: Game, player: str) -> Agent:
    """One of each in a process."""
    return make_agent(player, game=game, seed=0)


@functools.cache
def _solution(game: Game, tablebase: str | None) -> Solution:
    return solution_of(game, tablebase)
