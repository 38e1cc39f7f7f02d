"""How a game went, in words and for the statistics. No pygame here."""

from alphadiamond.client.solution_lookup import SolutionLookup
from alphadiamond.client.statistics import GameResult
from alphadiamond.play.opponents import title_of
from alphadiamond.play.session import Session

_MANNERS = ("resignation", "time", "agreement")
"""Ends that the players make, not the rules."""


def person_result(session: Session) -> str:
    """won, drawn or lost for the one person; empty where there is not exactly one."""
    if len(session.humans) != 1:
        return ""
    winner = session.winner
    return "drawn" if winner is None else "won" if winner is session.humans[0] else "lost"


def result_line(winner: str | None, why: str) -> str:
    """`You win: green has 3 beads left`, `Ada wins by resignation`, `A draw by agreement`."""
    said = "A draw" if winner is None else "You win" if winner == "You" else f"{winner} wins"
    return f"{said} by {why}" if why in _MANNERS else f"{said}: {why}" if why else said


def result_text(session: Session) -> str:
    winner = session.winner
    why = session.ending
    if why not in _MANNERS:
        why = session.drawing.result_words(session.position, winner, why)
    if winner is None:
        return result_line(None, why)
    names = {"won": "You", "lost": title_of(session.seat(winner))}
    return result_line(names.get(person_result(session), session.drawing.side_name(winner).capitalize()), why)


def game_result(session: Session, solution_lookup: SolutionLookup) -> GameResult | None:
    """A finished game of one person against a player, for the statistics; None for any other."""
    result = person_result(session)
    if not result or not session.over:
        return None
    person = session.humans[0]
    judged, kept = solution_lookup.accuracy(session.plies, person)
    return GameResult(
        game=session.game,
        opponent=title_of(session.seat(person.other)),
        colour=str(person),
        result=result,
        ending=session.ending,
        plies=len(session.plies),
        seconds=session.clocks[person],
        judged=judged,
        kept=kept,
        taken_back=session.taken_back,
        hints=session.hints,
    )
