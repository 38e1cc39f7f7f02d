"""Opinions and reviews for people, as lines and tables, and for programs, as JSON."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from alphadiamond.agents.base import Move, Position
from alphadiamond.analysis.opinions import Exact, Opinion, exact_json, line_text
from alphadiamond.analysis.review import PlyReview, Review
from alphadiamond.console import count_of

if TYPE_CHECKING:
    from rich.table import Table


def percent(value: float | None) -> str:
    """An expected result in [-1, 1] as a share of the point."""
    return "" if value is None else f"{50 * (value + 1):.0f} %"


def opinions_table(position: Position, opinions: Sequence[Opinion], exact: Mapping[Move, Exact]) -> "Table":
    from rich.table import Table

    table = Table()
    table.add_column("player", overflow="fold")
    table.add_column("plays")
    if exact:
        table.add_column("exactly")
    table.add_column("expects", justify="right")
    table.add_column("looked", justify="right")
    table.add_column("line")
    for one in opinions:
        if one.analysis is None:
            table.add_row(one.player, "-", *([""] if exact else []), "", "", one.fault)
            continue
        best = one.analysis.best
        first = next(move for move in one.analysis.moves if move.move == best)
        known = [str(exact[best])] if exact else []
        value = percent(one.analysis.value)
        line = line_text(position, first.variation[1:], limit=5)
        table.add_row(one.player, str(best), *known, value, looked(one), line)
    return table


def looked(opinion: Opinion) -> str:
    """How far a player has looked: plies or simulations."""
    analysis = opinion.analysis
    if analysis is None:
        return ""
    if analysis.simulations:
        return count_of(analysis.simulations, "simulation")
    plies = "1 ply" if analysis.depth == 1 else f"{analysis.depth} plies"
    return plies if analysis.depth else ""


def exact_lines(moves: Mapping[Move, Exact]) -> list[str]:
    """The moves by their exact value: `draw: si-cs, es-e`."""
    groups: dict[str, list[str]] = {}
    for move, exact in moves.items():
        groups.setdefault(str(exact), []).append(str(move))
    return [f"{value}: {', '.join(names)}" for value, names in groups.items()]


def mistakes_table(review: Review) -> "Table":
    from rich.table import Table

    how = "by the solution" if review.solved else f"by {review.judge}"
    table = Table("ply", "side", "played", "better", title=f"Mistakes, {how}", title_justify="left")
    table.add_column("was" if review.solved else "expected", justify="right")
    table.add_column("then", justify="right")
    table.add_column("points", justify="right")
    for ply in review.mistakes:
        was = str(ply.exact_before) if review.solved else percent(2 * ply.given_away + ply.value)
        now = str(ply.exact_after) if review.solved else percent(ply.value)
        table.add_row(
            str(ply.number + 1),
            str(ply.before.side),
            f"{ply.move} {ply.mark}",
            str(ply.best),
            was,
            now,
            f"-{ply.given_away:.2f}",
        )
    return table


def summary_lines(review: Review) -> list[str]:
    """How each side played, in a line."""
    lines = []
    for side in review.record.game.sides:
        plies = [ply for ply in review.plies if ply.before.side is side]
        lost = sum(ply.given_away for ply in plies)
        wrong = [ply for ply in plies if ply.mark]
        counts = f"{count_of(len(plies), 'move')}, {count_of(len(wrong), 'mistake')}"
        lines.append(f"{side} ({review.record.player(side)}): {counts}, {lost:.2f} points given away")
    return lines


def position_json(
    position: Position, opinions: Sequence[Opinion], exact: Exact | None, moves: Mapping[Move, Exact]
) -> dict[str, Any]:
    return {
        "position": str(position),
        "side": str(position.side),
        "over": str(position.outcome) if position.outcome is not None else None,
        "exact": exact_json(exact),
        "exact_moves": {str(move): exact_json(one) for move, one in moves.items()},
        "opinions": [opinion_json(one) for one in opinions],
    }


def opinion_json(opinion: Opinion) -> dict[str, Any]:
    analysis = opinion.analysis
    if analysis is None:
        return {"player": opinion.player, "fault": opinion.fault}
    return {
        "player": opinion.player,
        "seconds": round(opinion.seconds, 4),
        "best": str(analysis.best),
        "value": analysis.value,
        "win_draw_loss": analysis.win_draw_loss,
        "exact": analysis.exact,
        "depth": analysis.depth,
        "simulations": analysis.simulations,
        "moves": [
            {
                "move": str(one.move),
                "score": one.score,
                "value": one.value,
                "visits": one.visits,
                "distance": one.distance,
                "margin": one.margin,
                "variation": [str(move) for move in one.variation],
            }
            for one in analysis.moves
        ],
    }


def review_json(review: Review) -> dict[str, Any]:
    record = review.record
    return {
        "players": {str(side): record.player(side) for side in record.game.sides},
        "start": str(record.start),
        "result": record.result,
        "ending": record.ending,
        "judge": review.judge,
        "solved": review.solved,
        "curve": [round(value, 4) for value in review.curve],
        "exact_curve": review.exact_curve,
        "plies": [_ply_json(ply) for ply in review.plies],
        "mistakes": [ply.number + 1 for ply in review.mistakes],
    }


def _ply_json(ply: PlyReview) -> dict[str, Any]:
    return {
        "number": ply.number + 1,
        "side": str(ply.before.side),
        "position": str(ply.before),
        "move": str(ply.move),
        "best": str(ply.best),
        "value": round(ply.value, 4),
        "exact_before": exact_json(ply.exact_before),
        "exact_after": exact_json(ply.exact_after),
        "given_away": round(ply.given_away, 4),
        "mark": ply.mark,
    }
