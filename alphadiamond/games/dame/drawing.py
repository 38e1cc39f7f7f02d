"""How Dame is shown: light and dark squares, men turned from wood who jump, and the words for it."""

from collections.abc import Mapping
from typing import Any, ClassVar

from alphadiamond.base.drawing import CHECKERS, Drawing, Lesson, Square, Tally
from alphadiamond.games.dame.board import MEN, SQUARE_NAMES, SQUARES, file_of, rank_of
from alphadiamond.games.dame.german import GERMAN
from alphadiamond.games.dame.german import LESSONS as LESSONS_IN_GERMAN
from alphadiamond.games.dame.lessons import LESSONS, advice
from alphadiamond.games.dame.position import Position, Reason
from alphadiamond.games.dame.side import Side


class DameDrawing(Drawing):
    surface: ClassVar[str] = CHECKERS
    names: ClassVar[tuple[str, ...]] = SQUARE_NAMES
    points: ClassVar[tuple[tuple[float, float], ...]] = tuple(
        (file_of(square) - 2.5, rank_of(square) - 2.5) for square in range(SQUARES)
    )
    reach: ClassVar[float] = 3.4
    radius: ClassVar[float] = 0.37
    touch: ClassVar[float] = 0.5
    column_names: ClassVar[tuple[str, ...]] = tuple("abcdef")
    row_names: ClassVar[tuple[str, ...]] = tuple("654321")
    colours: ClassVar[tuple[str, str]] = ("ivory", "ebony")
    side_names: ClassVar[tuple[str, str]] = ("white", "black")
    shape: ClassVar[str] = "man"
    piece: ClassVar[str] = "man"
    pieces_are: ClassVar[str] = "men"
    how: ClassVar[str] = "jump"
    home: ClassVar[int] = 4
    must_take: ClassVar[str] = "what can be taken must be"
    draws: ClassVar[bool] = False
    pictured_game: ClassVar[str] = (
        "d2-c3 e5-f4 b2-a3 d6-e5 c1-d2 e5-d4 c3xe5 f6xd4 d2-e3 f4xd2 e1xc3xe5 c5-b4 a3xc5 b6xd4 e5-d6"
    )
    pictured_plies: ClassVar[int] = 8
    longest_move: ClassVar[int] = 8
    texts: ClassVar[Mapping[str, Mapping[str, str]]] = {"de": GERMAN}
    lesson_texts: ClassVar[Mapping[str, Mapping[str, str]]] = {"de": LESSONS_IN_GERMAN}
    editable: ClassVar[bool] = True
    tagline: ClassVar[str] = (
        "Twelve men on thirty-six squares, and none of them turns back. Break through, or take whoever is in the way."
    )
    guess: ClassVar[str] = "Men and how far they are"
    lessons: ClassVar[tuple[Lesson, ...]] = LESSONS

    def pieces(self, position: Position) -> dict[Square, Side]:
        found = ((square, position.at(square)) for square in range(SQUARES))
        return {square: side for square, side in found if side is not None}

    def lit(self, position: Position) -> tuple[Square, ...]:
        """The man that has got through."""
        outcome = position.outcome
        if outcome is None or outcome.reason is not Reason.FAR_RANK:
            return ()
        far = 5 if outcome.winner is Side.WHITE else 0
        return tuple(square for square in position.men(outcome.winner) if rank_of(square) == far)

    def lead(self, position: Position) -> float:
        """Men, and the ranks behind them."""
        white, black = position.men(Side.WHITE), position.men(Side.BLACK)
        ahead = sum(rank_of(square) for square in white) - sum(5 - rank_of(square) for square in black)
        return 0.14 * (len(white) - len(black)) + 0.015 * ahead

    def tally(self, position: Position, side: Side) -> Tally:
        return Tally(len(position.men(side)), of=MEN)

    def arranged(self, pieces: Mapping[Square, Side], side: Side) -> Position:
        white, black = (sum(1 << square for square, owner in pieces.items() if owner is one) for one in Side)
        return Position.of(white, black, side)

    def advice(self, position: Position) -> str:
        return advice(position)

    def result_words(self, position: Position, winner: Any | None, reason: str) -> str:
        if winner is None:
            return reason
        other = self.side_name(winner.other)
        through = self.names_of(self.lit(position))
        clauses = {
            str(Reason.FAR_RANK): f"a man has reached {through}",
            str(Reason.NO_MEN): f"{other} has no man left",
            str(Reason.NO_MOVE): f"{other} has no move",
        }
        return clauses.get(reason, reason)

    def score(self, position: Position, side: Any | None) -> tuple[str, str]:
        taken = {one: MEN - len(position.men(one.other)) for one in Side}
        if side is not None:
            return f"{taken[side]} – {taken[side.other]}", "men taken – lost"
        return f"{taken[Side.WHITE]} – {taken[Side.BLACK]}", "taken, white – black"
