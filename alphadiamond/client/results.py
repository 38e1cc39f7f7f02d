"""How a game went, in words and for the statistics. No pygame here."""

from alphadiamond.client.opponents import title_of
from alphadiamond.client.session import Session
from alphadiamond.client.solution_lookup import SolutionLookup
from alphadiamond.client.statistics import GameResult


def person_result(session: Session) -> str:
    """won, drawn or lost for the one person; empty where there is not exactly one."""
    if len(session.humans) != 1:
        return ""
    winner = session.winner
    return "drawn" if winner is None else "won" if winner is session.humans[0] else "lost"


def result_text(session: Session) -> str:
    """`You win: green has 3 beads left`, and so on."""
    winner = session.winner
    if winner is None:
        return f"Draw: {session.drawing.result_words(session.position, None, session.ending)}"
    names = {"won": "You win", "lost": f"{title_of(session.seat(winner))} wins"}
    who = names.get(person_result(session), f"{session.drawing.side_name(winner).capitalize()} wins")
    if session.ending == "resignation":
        return f"{who} by resignation"
    return f"{who}: {session.drawing.result_words(session.position, winner, session.ending)}"


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
