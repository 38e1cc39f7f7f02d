"""The results of an evaluation as tables for people."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from alphadiamond.arena.ratings import Rating
from alphadiamond.arena.statistics import Summary, Thinking

if TYPE_CHECKING:
    from rich.table import Table


def ratings_table(ratings: Sequence[Rating], *, anchor: str) -> "Table":
    from rich.table import Table

    table = Table("player", title=f"Ratings by these games, {anchor} being 0", title_justify="left")
    for name in ("rating", "95 % interval", "score", "games"):
        table.add_column(name, justify="right")
    for one in ratings:
        interval = "anchor" if one.player == anchor else f"{one.low:+.0f} to {one.high:+.0f}"
        table.add_row(one.player, f"{one.elo:+.0f}", interval, f"{one.score:.3f}", f"{one.games:.0f}")
    return table


def matches_table(summaries: Sequence[Summary]) -> "Table":
    """One row a match: who, and with what result for the first player."""
    from rich.table import Table

    table = Table("", "first", "second", title="Matches (win, draw, loss of the first player)", title_justify="left")
    for name in ("result", "score", "95 % interval"):
        table.add_column(name, justify="right", no_wrap=True)
    for number, one in enumerate(summaries, start=1):
        low, high = one.interval
        interval = f"{low:.3f} to {high:.3f}"
        table.add_row(str(number), one.first, one.second, str(one.total), f"{one.score:.3f}", interval)
    return table


def details_table(summaries: Sequence[Summary], sides: Sequence[object]) -> "Table":
    """The same matches: by side, how long and in what way; two tables, since one would not fit a terminal."""
    from rich.table import Table

    table = Table("", title="How they were played", title_justify="left")
    for name in (*(f"as {side}" for side in sides), "plies", "time a move"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("endings")
    for number, one in enumerate(summaries, start=1):
        table.add_row(
            str(number),
            str(one.as_first),
            str(one.as_second),
            f"{one.mean_plies:.0f}",
            " / ".join(time_a_move(player) for player in one.thinking),
            ", ".join(f"{count} {ending}" for ending, count in one.endings.items()),
        )
    return table


_FEWEST_PAIRS: Final = 4  # below, a run of luck looks like openings that decide
_REASONS: Final = 5  # why a player has lost games without being beaten, that are told


def remarks(summaries: Sequence[Summary], *, balanced: bool = False) -> list[str]:
    """Lines on what a table does not show: openings that decided, duplicates, faults of players, sequential tests,
    matches cut short.

    `balanced`: whether the openings were chosen to be even, so that there is no better advice.
    """
    lines = []
    for one in summaries:
        match = f"{one.first} against {one.second}"
        pairs = sum(one.pairs)
        if pairs >= _FEWEST_PAIRS and 2 * one.by_seat >= pairs:
            advice = "" if balanced else "; openings=balanced begins with even ones"
            lines.append(
                f"{match}: {one.by_seat} of {pairs} pairs were won by the same side whoever had it, so that the score "
                f"says more of the openings than of the players{advice}"
            )
        if one.duplicates:
            lines.append(f"{match}: {one.duplicates} duplicate games, not counted")
        for player, reasons in one.forfeits.items():
            for reason, count in list(reasons.items())[:_REASONS]:
                lines.append(f"{match}: {player} lost {count} {'game' if count == 1 else 'games'} by {reason}")
            if len(reasons) > _REASONS:
                lines.append(f"{match}: {player} lost others in {len(reasons) - _REASONS} more ways; the records tell")
        if one.verdict is not None:
            lines.append(f"{match}: {one.verdict}")
        if one.interrupted:
            lines.append(f"{match}: interrupted after {one.total.games + one.duplicates} of {one.planned} games")
    return lines


def time_a_move(player: Thinking) -> str:
    if not player.moves:
        return "-"
    milliseconds = 1000 * player.mean
    if milliseconds >= 1000:
        return f"{player.mean:.1f} s"
    return f"{milliseconds:.0f} ms" if milliseconds >= 100 else f"{milliseconds:.2g} ms"
