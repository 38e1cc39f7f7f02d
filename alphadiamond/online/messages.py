"""Every message between a client and the server, as both sides read and write it.

One JSON object a WebSocket text frame; `type` says which. Fields that have their default are left out on the way out
and may be left out on the way in. The two seats of a game are 0, who moves first, and 1. Times are milliseconds.
`docs/reference/online-protocol.md` shows each with an example.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta, Struct

VERSION: Final = 1
"""Of the protocol; a server refuses a client with another."""

Code: TypeAlias = Annotated[str, Meta(min_length=1, max_length=32)]
"""A game, seek or challenge, as the server named it."""
Word: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
"""The name of a game, a bot or a move."""
Seat: TypeAlias = Annotated[int, Meta(ge=0, le=1)]
PositionText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=2048)]
LONGEST_LINE: Final = 300
"""Moves from a position that is looked at without a game."""
Number: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000)]
"""A request's number, chosen by the client and repeated in the answer."""


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """Thinking time of each side."""

    seconds: Annotated[int, Meta(ge=1, le=86_400)]
    increment: Annotated[int, Meta(ge=0, le=600)] = 0
    """Seconds added after each move."""


class Terms(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What game two players agree on."""

    game: Word
    clock: Clock | None = None
    """None: as long as it takes (correspondence)."""
    rated: bool = False
    seat: Seat | None = None
    """Which seat the one who proposes takes; None: drawn by lot."""


# From the client


class Request(Struct, forbid_unknown_fields=True, omit_defaults=True, tag_field="type", tag=str.lower):
    """Anything a client sends."""

    id: Number | None = None
    """Answered with `ok` or `error` of the same number, if given."""


class Hello(Request, kw_only=True):
    """The first message: who I am. Without token and name: a spectator."""

    version: int = VERSION
    token: Annotated[str, Meta(max_length=128)] | None = None
    name: Annotated[str, Meta(max_length=128)] | None = None
    """For a new person, who gets a token."""
    recovery: Annotated[str, Meta(max_length=128)] | None = None
    """For who has lost the token: a code from `recovery`, which brings a new token and is used up."""
    scenes: bool = False
    """Send with every game and move what is seen of it, for clients that know no rules."""


class Recovery(Request):
    """A code to be written down, which brings a new token when the old one is lost; it voids the one before."""


class Rename(Request, kw_only=True):
    """Be called something else from now on."""

    name: Annotated[str, Meta(max_length=128)]


class Delete(Request, kw_only=True):
    """Be no more: running games are resigned, finished ones stay without the name; this cannot be undone."""

    name: Annotated[str, Meta(max_length=128)]
    """Mine, so that it is meant."""


class Renew(Request):
    """A new token; the old one is void, and all other connections of this person are closed."""


class Ping(Request):
    """Answered with `pong`."""


class Lobby(Request):
    """Send me the lobby now and whenever it changes (at most once a second)."""

    on: bool = True


class Seek(Request, kw_only=True):
    """Play anybody on these terms; it stands until it is taken, withdrawn, or its owner's last connection is gone."""

    terms: Terms


class Unseek(Request, kw_only=True):
    seek: Code


class Take(Request, kw_only=True):
    """Take somebody's seek."""

    seek: Code


class Challenge(Request, kw_only=True):
    """Make a link on these terms, or ask one person; it stands for a week, restarts included."""

    terms: Terms
    to: Annotated[str, Meta(max_length=128)] | None = None


class Accept(Request, kw_only=True):
    challenge: Code


class Look(Request, kw_only=True):
    """What a challenge is about, before it is accepted."""

    challenge: Code


class Decline(Request, kw_only=True):
    """Refuse a challenge to me, or withdraw mine."""

    challenge: Code


class Bot(Request, kw_only=True):
    """Play a bot of the server's list."""

    bot: Word
    terms: Terms


class Resume(Request, kw_only=True):
    """Go on with a game of mine against a bot that was aborted, as a new one that is not rated."""

    game: Code


class Watch(Request, kw_only=True):
    """Send me the game and what happens in it."""

    game: Code


class Unwatch(Request, kw_only=True):
    game: Code


class Move(Request, kw_only=True):
    """My move as the ply with this number, 0 first. Sent twice it counts once."""

    game: Code
    ply: Annotated[int, Meta(ge=0, le=100_000)]
    move: Word
    lag: Annotated[int, Meta(ge=0, le=10_000)] = 0
    """How long a message and its answer were on their way lately; a part of it is given back to the mover's clock."""


class Resign(Request, kw_only=True):
    game: Code


class Abort(Request, kw_only=True):
    """End without a result a game in which I have not moved yet."""

    game: Code


class Offer(Request, kw_only=True):
    """Offer a draw or a rematch, or ask for my last move back; an offer that answers the opponent's accepts it."""

    game: Code
    what: Annotated[str, Meta(pattern="^(draw|takeback|rematch)$")]


class Refuse(Request, kw_only=True):
    """Refuse the opponent's offer, or withdraw mine."""

    game: Code
    what: Annotated[str, Meta(pattern="^(draw|takeback|rematch)$")]


class Claim(Request, kw_only=True):
    """Take the win in a game with a clock whose other player has been away for too long."""

    game: Code


class Analyse(Request, kw_only=True):
    """What a bot thinks of the position after `ply` moves of a finished or an unrated game."""

    game: Code
    ply: Annotated[int, Meta(ge=0, le=100_000)]
    bot: Word


class Explore(Request, kw_only=True):
    """What a position looks like and what can be played there: for a board without a game."""

    of: Word
    """The game's name."""
    start: PositionText | None = None
    """Where to begin; None: where the game does."""
    pieces: Annotated[str, Meta(max_length=1024, pattern="^[.01]*$")] | None = None
    """Instead of `start`: for every square `.`, or the seat whose piece stands on it, as in `Scene.pieces`."""
    turn: Seat = 0
    """With `pieces`: who is to move."""
    moves: Annotated[list[Word], Meta(max_length=LONGEST_LINE)] = []
    """Played from there."""
    since: Annotated[int, Meta(ge=0, le=LONGEST_LINE)] = 0
    """Scenes that are known already."""


class Consider(Request, kw_only=True):
    """What a bot thinks of any position."""

    of: Word
    start: PositionText
    moves: Annotated[list[Word], Meta(max_length=LONGEST_LINE)] = []
    bot: Word


class Puzzle(Request, kw_only=True):
    """A puzzle of a game: the one that I have not answered yet, or a new one."""

    of: Word


class Solve(Request, kw_only=True):
    """My move in the puzzle that I have; without one I give it up."""

    of: Word
    puzzle: PositionText
    move: Word | None = None


ClientMessage: TypeAlias = (
    Hello
    | Renew
    | Recovery
    | Rename
    | Delete
    | Resume
    | Ping
    | Lobby
    | Seek
    | Unseek
    | Take
    | Challenge
    | Accept
    | Look
    | Decline
    | Bot
    | Watch
    | Unwatch
    | Move
    | Resign
    | Abort
    | Offer
    | Refuse
    | Claim
    | Analyse
    | Explore
    | Consider
    | Puzzle
    | Solve
)


# Parts of what the server sends


class GameInfo(Struct, frozen=True):
    """A game that can be played here."""

    name: str
    title: str
    sides: tuple[str, str]
    start: str
    """The text of its first position; empty where every game begins elsewhere."""


class BotInfo(Struct, frozen=True, omit_defaults=True):
    name: str
    title: str
    game: str
    rating: int
    deviation: int
    anchor: bool = False
    """Whether its rating is fixed."""
    exact: bool = False
    """Whether its opinions are the truth."""


class Player(Struct, frozen=True, omit_defaults=True):
    """Who plays at a seat."""

    name: str
    rating: int
    deviation: int
    bot: bool = False
    here: bool = False


class SeekInfo(Struct, frozen=True):
    seek: str
    owner: Player
    terms: Terms


class ChallengeInfo(Struct, frozen=True, omit_defaults=True):
    challenge: str
    owner: str
    terms: Terms
    to: str | None = None


class GameLine(Struct, frozen=True, omit_defaults=True):
    """A game in a list."""

    game: str
    of: str
    """Which game it is: `diamond_chase`."""
    players: tuple[Player, Player]
    rated: bool
    plies: int
    clock: Clock | None = None
    turn: int | None = None
    """None in a finished game."""
    result: str | None = None
    ending: str | None = None
    at: int = 0
    """When it began, or ended."""


class Change(Struct, frozen=True):
    """What a rated game did to a player's rating."""

    before: int
    after: int
    deviation: int


class Scene(Struct, frozen=True, omit_defaults=True):
    """A position as it is seen, and the move that led to it."""

    pieces: str
    """For every square `.`, or `0` or `1` for the seat whose piece stands on it."""
    text: str = ""
    """The move, with what it removed where that is worth saying; empty before the first."""
    seat: int | None = None
    """Whose move it was."""
    path: tuple[int, ...] = ()
    """Where the piece went; a single square where it came from outside."""
    how: str = ""
    """slide, fall or jump."""
    captured: tuple[int, ...] = ()
    """Squares from which the opponent's pieces came off."""
    lost: tuple[int, ...] = ()
    """Squares from which the mover's own came off."""
    lit: tuple[int, ...] = ()
    """The reason of an ending, such as four in a row."""
    outcome: str = ""
    """Why it is over by the rules, in words that follow `Green wins: `."""
    blocks: tuple[tuple[int, ...], ...] = ()
    """The squares under each piece that covers more than one."""
    toll: str = ""
    """What the move has cost or brought, where that is told."""
    tallies: tuple[str, ...] = ()
    """The number of each side that the game is about: what it has paid, say."""
    countdown: str = ""
    """How much of the game is left, in words."""
    ways: tuple[tuple[int, ...], ...] = ()
    """At the end: the cheapest way of each side from where it began."""
    cheapest: tuple[int, ...] = ()
    """What those ways cost."""
    efficiency: tuple[str, ...] = ()
    """That as a share of what each side has paid; empty for one that did not get home."""
    ground: str = ""
    """A sign for each square: `_` floor, `#` wall, `T` trap, `P` something to gain, `0` and `1` a side's home, `.` what
    the board shows by itself; empty: all of it is such."""


class FacetInfo(Struct, frozen=True):
    """A tinted part of a board."""

    squares: tuple[int, ...]
    colour: str
    strength: float


class DrawingInfo(Struct, frozen=True, kw_only=True):
    """How a game is drawn: the plain data of `alphadiamond.base.drawing.Drawing`, which says what each field means."""

    name: str
    title: str
    surface: str
    names: tuple[str, ...]
    points: tuple[tuple[float, float], ...]
    reach: float
    radius: float
    hole: float
    touch: float
    lines: tuple[tuple[int, int], ...]
    facets: tuple[FacetInfo, ...]
    labels: tuple[tuple[float, float], ...]
    columns: tuple[tuple[int, ...], ...]
    column_names: tuple[str, ...]
    row_names: tuple[str, ...]
    colours: tuple[str, str]
    side_names: tuple[str, str]
    shape: str
    piece: str
    pieces: str
    """What several are called."""
    place: str
    how: str
    home: int
    tagline: str
    texts: Mapping[str, Mapping[str, str]]
    """Its words in other languages than English: for each a table as `alphadiamond.base.translation` reads it."""
    editable: bool
    """Whether its positions can be set up by hand."""
    of: int
    """Pieces that each side begins with, shown as so many places; 0 where they are not counted."""
    bar: int
    """Below so many the game is lost; 0 for none."""
    keys: dict[str, str] = {}
    """Keys that are a move, with its text."""
    passes: str = ""
    """The text of a move that is made for people, where it is their only one."""
    sight: int = 0
    """In a fog: how far a piece sees, in squares; 0 where there is none to be had."""
    start: Scene
    sample: Scene
    """A position from the middle of a game, for pictures."""


Legal: TypeAlias = tuple[str, tuple[int, ...]]
"""A legal move: its text, and the squares that a person clicks for it, in order."""


# From the server


class Event(Struct, omit_defaults=True, tag_field="type", tag=str.lower):
    """Anything the server sends."""


class Welcome(Event, kw_only=True):
    """The answer to `hello`."""

    version: int
    now: int
    """The server's clock, in milliseconds since 1970."""
    games: tuple[GameInfo, ...]
    bots: tuple[BotInfo, ...]
    name: str | None = None
    """None for a spectator."""
    token: str | None = None
    """Once, for a new person: keep it, the server does not."""
    puzzles: tuple[str, ...] = ()
    """The games that have puzzles here."""
    playing: tuple[GameLine, ...] = ()
    challenges: tuple[ChallengeInfo, ...] = ()


class Token(Event, kw_only=True):
    """The answer to `renew`."""

    token: str


class RecoveryCode(Event, kw_only=True, tag="recovery"):
    """The answer to `recovery`: once, the server does not keep it."""

    code: str
    id: int | None = None


class Named(Event, kw_only=True):
    """I am called something else now."""

    name: str


class Trouble(Event, kw_only=True):
    """The server's disk does not take what is to be written; moves wait until it does, and then count."""

    on: bool
    """False when it is over."""


class Ok(Event, kw_only=True):
    id: int


class Error(Event, kw_only=True):
    code: str
    """A word for programs; docs/reference/online-protocol.md lists them."""
    message: str
    """A sentence for people."""
    id: int | None = None
    game: str | None = None


class Pong(Event, kw_only=True):
    now: int
    id: int | None = None


class LobbyState(Event, kw_only=True, tag="lobby"):
    seeks: tuple[SeekInfo, ...]
    games: tuple[GameLine, ...]
    """Some of those that are being played, the newest first."""
    people: tuple[str, ...]
    """Some of those who are here."""
    playing: int
    """How many games are being played in all."""
    here: int


class Sought(Event, kw_only=True):
    """The answer to `seek`."""

    seek: str
    id: int | None = None


class Challenged(Event, kw_only=True):
    """A challenge of mine, or to me."""

    challenge: ChallengeInfo
    link: str
    """The path of its page."""
    id: int | None = None


class Unchallenged(Event, kw_only=True):
    """A challenge of mine or to me is no more: declined, withdrawn or taken."""

    challenge: str


class Game(Event, kw_only=True):
    """All there is to know of a game; sent when it begins, when it is watched, and after a take-back."""

    game: str
    of: str
    players: tuple[Player, Player]
    rated: bool
    moves: tuple[str, ...]
    position: str
    start: str
    left: tuple[int, int] | None
    """What each clock shows now; None in a game without."""
    clock: Clock | None = None
    turn: int | None = None
    """Whose move it is; None in a finished game."""
    ticking: bool = False
    """Whether the clock of the side to move runs: not before its first move, nor for a bot."""
    legal: tuple[Legal, ...] = ()
    seat: int | None = None
    """Mine; None for a spectator."""
    offers: dict[str, int] = {}
    """What is offered, and by which seat."""
    watchers: int = 0
    result: str | None = None
    """`first`, `second`, `draw`, or `aborted`."""
    ending: str | None = None
    """Why it ended: the rules' word for it, resignation, time, agreement, abandonment, aborted."""
    changes: tuple[Change, Change] | None = None
    rematch: str | None = None
    """The game that followed it."""
    now: int = 0
    scenes: tuple[Scene, ...] = ()
    """For those who asked in `hello`: the first position, and that after each move."""


class Moved(Event, kw_only=True):
    """A move, on disk. `ply` is its number; a client that has not seen the one before asks with `watch`."""

    game: str
    ply: int
    move: str
    position: str
    """After the move."""
    turn: int | None
    left: tuple[int, int] | None
    now: int
    ticking: bool = False
    legal: tuple[Legal, ...] = ()
    scene: Scene | None = None
    """After the move, for those who asked in `hello`."""


class Ended(Event, kw_only=True):
    game: str
    result: str
    ending: str
    left: tuple[int, int] | None = None
    changes: tuple[Change, Change] | None = None


class Offered(Event, kw_only=True):
    """An offer is made (`seat` says by whom), or is no more (`seat` is absent)."""

    game: str
    what: str
    seat: int | None = None


class Rematch(Event, kw_only=True):
    """Both want to play again: the new game follows."""

    game: str
    next: str


class Presence(Event, kw_only=True):
    """A player came or went."""

    game: str
    seat: int
    here: bool
    claim_in: int | None = None
    """Milliseconds until the opponent may claim the win."""


class MoveOpinion(Struct, frozen=True, omit_defaults=True):
    move: str
    score: float
    value: float | None = None
    visits: int | None = None
    distance: int | None = None
    """Plies to the end, where that is known."""
    variation: tuple[str, ...] = ()
    path: tuple[int, ...] = ()
    """The squares that the piece would touch, as in `Scene`."""
    margin: int | None = None
    """By how much the game is won or, below 0, lost, where it is won by a margin and that is known."""


class Opinion(Event, kw_only=True):
    """The answer to `analyse` and `consider`: values are from the side to move."""

    game: str
    """Empty in an answer to `consider`."""
    ply: int
    bot: str
    best: str
    moves: tuple[MoveOpinion, ...]
    """Best first."""
    value: float | None = None
    win_draw_loss: tuple[float, float, float] | None = None
    exact: bool = False
    id: int | None = None


class Explored(Event, kw_only=True):
    """The answer to `explore`."""

    of: str
    start: str
    """The text of where it begins, as the game writes it."""
    position: str
    """The same of where the moves lead."""
    scenes: tuple[Scene, ...]
    """Of the first position and of that after each move, from `since` on."""
    turn: int | None = None
    """None where it is over."""
    legal: tuple[Legal, ...] = ()
    id: int | None = None


class SolverInfo(Struct, frozen=True):
    """How somebody stands with the puzzles of a game."""

    rating: int
    deviation: int
    right: int
    wrong: int


class PuzzleGiven(Event, kw_only=True, tag="puzzle"):
    """The answer to `puzzle`. It does not hold what is right."""

    of: str
    puzzle: str
    """The text of the position, which names it."""
    scene: Scene
    turn: int
    legal: tuple[Legal, ...]
    goal: str
    """win or draw: what a right move keeps."""
    rating: int | None = None
    """The puzzle's."""
    mine: SolverInfo | None = None
    id: int | None = None


class PuzzleSolved(Event, kw_only=True, tag="solved"):
    """The answer to `solve`."""

    of: str
    puzzle: str
    right: bool
    keeping: tuple[str, ...]
    """All moves that were right."""
    scene: Scene
    """After the move, or after a right one where it was given up."""
    change: Change | None = None
    mine: SolverInfo | None = None
    rating: int | None = None
    id: int | None = None


class Stopping(Event, kw_only=True):
    """The server is going down; come back after so many milliseconds."""

    back_in: int


ServerMessage: TypeAlias = (
    Welcome
    | Token
    | RecoveryCode
    | Named
    | Trouble
    | Ok
    | Error
    | Pong
    | LobbyState
    | Sought
    | Challenged
    | Unchallenged
    | Game
    | Moved
    | Ended
    | Offered
    | Rematch
    | Presence
    | Opinion
    | Explored
    | PuzzleGiven
    | PuzzleSolved
    | Stopping
)

_ENCODER: Final = msgspec.json.Encoder()
_FROM_CLIENT: Final = msgspec.json.Decoder(ClientMessage)
_FROM_SERVER: Final = msgspec.json.Decoder(ServerMessage)


def encode(message: Any) -> bytes:
    return _ENCODER.encode(message)


def read_request(text: str | bytes) -> ClientMessage:
    """A client's message; `msgspec.MsgspecError` says what is wrong with it."""
    request: ClientMessage = _FROM_CLIENT.decode(text)
    return request


def read_event(text: str | bytes) -> ServerMessage:
    event: ServerMessage = _FROM_SERVER.decode(text)
    return event
