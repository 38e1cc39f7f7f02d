"""The command `prove`: one side or both, from the start or from given positions, with a report."""

import contextlib
import importlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np

from alphadiamond.agents import Agent, make_agent
from alphadiamond.base.game import Game, Solution
from alphadiamond.base.process_pool import ProcessPool
from alphadiamond.base.record import write_records
from alphadiamond.base.threads import available_cores
from alphadiamond.console import print_written
from alphadiamond.files import write_json, write_text
from alphadiamond.games import load, solution_of
from alphadiamond.proof.certificate import entries_of, write_certificate
from alphadiamond.proof.enumeration import Found, KnownMoves, enumerate_positions, first_positions
from alphadiamond.proof.lines import LineWriter, ways_to
from alphadiamond.proof.ply_files import PlyFiles
from alphadiamond.proof.report import SideReport, report
from alphadiamond.proof.settings import ProveSettings
from alphadiamond.proof.tasks import ProofError, Subject, expand, moves_of
from alphadiamond.settings.memory import amount

FORMAT: Final = 1
SUBJECT: Final = "subject.json"
FILES: Final = ("proof.json", "proof.md")
_ENGINES: Final = {"ray": "alphadiamond.cluster.matches"}
_ASKED_AGAIN: Final = 500
_SIDES: Final = {"first": (0,), "second": (1,), "both": (0, 1)}


def prove(settings: ProveSettings) -> None:
    """List all positions of each side, write what was found, and print it."""
    from alphadiamond.base.compilation import announce_compilation

    announce_compilation()
    game = load(settings.game)
    agent = make_agent(settings.player, game=game, seed=0)
    if not agent.positional:
        raise ProofError(
            f"player={settings.player}: not a function of the position alone; "
            "neural is one with history=false, such as neural:simulations=100,history=false"
        )
    starts = starts_of(game, settings.starts)
    solution = _solution(game, settings)
    subject = Subject(
        game,
        agent.spec,
        game.states_of(starts)[0],
        exact=solution is not None,
        beyond=settings.beyond or solution is None,
        tablebase=settings.tablebase,
    )
    _check_numbers(subject, starts)
    output = Path(settings.output)
    _claim(output, subject, agent, starts, anew=not settings.resume)
    limit = None if settings.memory is None else int(settings.memory * 1e9)
    reports: list[SideReport] = []
    known: KnownMoves | None = None
    with contextlib.closing(_team(settings, game)) as team:
        for side in (game.sides[number] for number in _SIDES[settings.side]):
            files = PlyFiles(output / str(side))
            files.directory.mkdir(parents=True, exist_ok=True)
            first = first_positions(subject, starts, side)
            title = f"{agent.spec} as {side}"
            found = enumerate_positions(
                subject,
                first,
                files,
                team,
                title=title,
                part=settings.part,
                plies=settings.plies,
                limit=limit,
                known=known,
            )
            known = KnownMoves(*entries_of(files, len(found.plies)))
            _ask_again(subject, agent, files, found)
            games = _losing_games(subject, agent, starts, side, files, found, solution, most=settings.lines)
            for name, records in games.items():
                write_records(output / f"{side}-{name}.txt", records)
            reports.append(SideReport(side, found, {name: len(records) for name, records in games.items()}))
    table = report(game, agent.spec, reports, exact=subject.exact)
    print(table)
    write_json(output / "proof.json", _figures(settings, agent, reports))
    write_text(output / "proof.md", table + "\n")
    names = [f"{one.side}-{name}.txt" for one in reports for name, count in one.games.items() if count]
    print_written(output, *FILES, *names)
    if settings.certificate:
        _certify(subject, agent, starts, reports, output, claim=settings.certificate.replace("_", " "))


def _certify(
    subject: Subject, agent: Agent, starts: list[Any], reports: list[SideReport], output: Path, *, claim: str
) -> None:
    """A certificate of each side, with a summary; one that would be refused is not written."""
    for one in reports:
        if not one.proven:
            raise ProofError(f"no certificate: as {one.side} {agent.spec} can be beaten, or not everything is listed")
    for one in reports:
        numbers, moves = entries_of(PlyFiles(output / str(one.side)), len(one.found.plies))
        header = {
            "game": subject.game.name,
            "rules_version": subject.game.rules_version,
            "side": str(one.side),
            "starts": [str(start) for start in starts],
            "player": agent.spec,
            "weights": agent.digest,
        }
        path = output / f"{one.side}.proof"
        summary = write_certificate(path, subject, numbers, moves, header, claim=claim)
        write_json(path.with_suffix(".proof.json"), summary)
        print_written(path, note=f"{len(numbers):,} positions, {amount(summary['bytes'])}, sha256 {summary['sha256']}")


def starts_of(game: Game, texts: list[str]) -> list[Any]:
    """The positions where games begin."""
    if not texts and game.seeded:
        raise ProofError(f"every game of {game.title} begins on a board of its own: give starts=")
    starts = [game.parse(text) for text in texts] or [game.start()]
    for start in starts:
        if start.outcome is not None:
            raise ProofError(f"starts={start}: the game is over there")
    return starts


def _solution(game: Game, settings: ProveSettings) -> Solution | None:
    """Exact values, where looking them up takes no search."""
    if not settings.exact or game.solution_searches:
        return None
    if settings.tablebase is not None:
        return solution_of(game, settings.tablebase)
    found = game.solution()
    if found is None and game.solving:
        print(f"{game.title} is not solved here: losses are counted at their ends alone; {game.solving}")
    return found


def _check_numbers(subject: Subject, starts: list[Any]) -> None:
    game = subject.game
    states = game.bare(game.states_of(starts))
    try:
        numbers = game.pack_positions(states, subject.board)
        back = subject.states_of(numbers)
    except NotImplementedError:
        raise ProofError(f"{game.title} does not say how positions are numbered: see Game.unpack_positions") from None
    if not np.array_equal(back, states):
        raise ProofError(f"{game.title}: unpack_positions does not give back what pack_positions was given")


def _claim(output: Path, subject: Subject, agent: Agent, starts: list[Any], *, anew: bool) -> None:
    """Note whose positions a directory holds, and refuse one that holds another's."""
    path = output / SUBJECT
    mine = {
        "format": FORMAT,
        "game": subject.game.name,
        "rules_version": subject.game.rules_version,
        "player": agent.spec,
        "weights": agent.digest,
        "starts": [str(start) for start in starts],
        "exact": subject.exact,
        "beyond": subject.beyond,
    }
    if path.is_file() and not anew:
        try:
            theirs = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            raise ProofError(f"{path}: damaged; begin anew with resume=false") from None
        wrong = [key for key in mine if theirs.get(key) != mine[key]]
        if wrong:
            raise ProofError(
                f"output={output}: holds the proof of another {wrong[0].replace('_', ' ')} "
                f"({theirs.get(wrong[0])}); name another directory, or begin anew with resume=false"
            )
        return
    for side in subject.game.sides:
        PlyFiles(output / str(side)).clear()
    write_json(path, mine)


def _team(settings: ProveSettings, game: Game) -> Any:
    """Whoever answers; another engine than processes is a module above this package, known by name alone."""
    if settings.engine == "processes":
        return ProcessPool(
            expand, settings.workers or available_cores(), name="proof", of=lambda task: task.subject.player
        )
    return importlib.import_module(_ENGINES[settings.engine]).make_proof_workers(settings)


def _ask_again(subject: Subject, agent: Agent, files: PlyFiles, found: Found) -> None:
    """Ask about some positions once more, alone and in another order: a player that answers otherwise is no function of
    the position, and all this would say nothing."""
    rng = np.random.default_rng(1)
    total = found.counts.positions
    for ply in found.plies:
        share = max(1, round(_ASKED_AGAIN * ply.counts.positions / max(1, total)))
        rows = rng.permutation(ply.counts.positions)[:share]
        numbers, moves = files.positions(ply.number)[rows], files.moves(ply.number)[rows]
        again, _ = moves_of(agent, subject.states_of(np.array(numbers)))
        if (again != moves).any():
            state = subject.states_of(np.array(numbers[again != moves][:1]))[0]
            raise ProofError(
                f"{agent.spec} is no function of the position: asked again about "
                f"{subject.game.position_of(state)} it plays another move"
            )


def _losing_games(
    subject: Subject,
    agent: Agent,
    starts: list[Any],
    side: Any,
    files: PlyFiles,
    found: Found,
    solution: Solution | None,
    *,
    most: int,
) -> dict[str, list[Any]]:
    """Games that lead to the first losses, by kind."""
    writer = LineWriter(subject, agent, starts, side, solution)
    players = ("anybody", agent.spec) if int(side) else (agent.spec, "anybody")
    games: dict[str, list[Any]] = {}
    for kind, words in (("lost", "a held game is lost"), ("losing", "the next reply wins")):
        targets = [(ply.number, number) for ply in found.plies for number in getattr(ply, kind)][:most]
        games[kind] = [
            writer.game_of(way, players=players, tags={"Proof": f"{words} by own move {len(way)}"})
            for way in ways_to(subject, files, targets)
        ]
    return games


def _figures(settings: ProveSettings, agent: Agent, reports: Iterable[SideReport]) -> dict[str, Any]:
    return {
        "settings": asdict(settings),
        "weights": agent.digest,
        "sides": {str(one.side): one.as_json for one in reports},
    }
