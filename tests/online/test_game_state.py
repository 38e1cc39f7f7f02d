"""The state of a game from its events: Python, JavaScript and the server say the same of the same recorded streams."""

import dataclasses
import functools
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

pytest.importorskip("msgspec", reason="playing online needs the extra [online]")

from alphadiamond.online import messages as m
from alphadiamond.online.game_state import GameState, missed, reduce

HERE = Path(__file__).parent
SCRIPT = HERE.parents[1] / "alphadiamond" / "server" / "static" / "js" / "game-state.js"
NODE = shutil.which("node")
STREAMS = {path.stem: json.loads(path.read_text()) for path in sorted((HERE / "streams").glob("*.json"))}

Entries = list[dict[str, Any]]


def event_of(data: dict[str, Any]) -> m.ServerMessage:
    return m.read_event(json.dumps(data))


def normal(state: GameState, at: float) -> dict[str, Any]:
    """As plain data, the same from both languages."""
    fields = {one.name: getattr(state, one.name) for one in dataclasses.fields(state)}
    data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(fields))
    data["players"] = [{"bot": False, "here": False, **player} for player in data["players"]]
    return {**data, "shown": [state.time_left(seat, at + 250) for seat in (0, 1)]}


def follow(entries: Entries) -> list[dict[str, Any]]:
    """What Python makes of a stream: after every event the states of all games, and whether something was missed."""
    states: dict[str, GameState] = {}
    found = []
    for entry in entries:
        event = event_of(entry["event"])
        code = entry["event"]["game"]
        behind = missed(states.get(code), event)
        after = reduce(states.get(code), event, entry["at"])
        if after is not None:
            states[code] = after
        shown = {other: normal(state, entry["at"]) for other, state in states.items()}
        found.append({"missed": behind, "states": shown})
    return found


def follow_in_javascript(streams: dict[str, Entries]) -> dict[str, list[dict[str, Any]]]:
    if NODE is None:
        pytest.skip("Node is not installed: apt-get install nodejs")
    command = [NODE, str(HERE / "reduce_streams.mjs"), str(SCRIPT)]
    done = subprocess.run(command, input=json.dumps(streams), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found: dict[str, list[dict[str, Any]]] = json.loads(done.stdout)
    return found


def events_of(entries: Entries) -> Entries:
    return [entry for entry in entries if "event" in entry]


def without_nothing(value: Any) -> Any:
    """JSON of a page leaves out what is undefined."""
    if isinstance(value, dict):
        return {key: without_nothing(one) for key, one in value.items() if one is not None}
    return [without_nothing(one) for one in value] if isinstance(value, list) else value


def mangled(entries: Entries) -> dict[str, Entries]:
    """The same stream with events that come twice, too late, in the wrong order, or not at all."""
    found = {
        "twice": [entry for entry in entries for _ in range(2)],
        "begun late": entries[1:],
        "the last again": [*entries, *entries[-3:]],
        "turned round": entries[:1] + entries[:0:-1],
    }
    return found | {f"without {number}": entries[:number] + entries[number + 1 :] for number in range(len(entries))}


@functools.cache
def recorded_in_javascript() -> dict[str, list[dict[str, Any]]]:
    """Of all streams and their mangled ones at once: to start Node takes longer than all the rest."""
    return follow_in_javascript({key: entries for name in STREAMS for key, entries in variants(name).items()})


def variants(name: str) -> dict[str, Entries]:
    entries = events_of(STREAMS[name])
    return {name: entries} | {f"{name}, {how}": one for how, one in mangled(entries).items()}


def agree(streams: dict[str, Entries], theirs: dict[str, list[dict[str, Any]]]) -> None:
    for name, entries in streams.items():
        mine = without_nothing(follow(entries))
        for number, (one, other) in enumerate(zip(mine, without_nothing(theirs[name]), strict=True)):
            assert one == other, f"{name}, after event {number}, {entries[number]['event']['type']}"


def truths(entries: Entries) -> int:
    """Whenever the server was asked, it says what its events say; how often that was."""
    states: dict[str, GameState] = {}
    count = 0
    for entry in entries:
        if "event" in entry:
            code = entry["event"]["game"]
            after = reduce(states.get(code), event_of(entry["event"]), entry["at"])
            if after is not None:
                states[code] = after
            continue
        whole = reduce(None, event_of(entry["truth"]), entry["at"])
        assert whole is not None
        known, told = facts(states[whole.code]), facts(whole)
        assert known == told, f"at {entry['at']}"
        for seat in (0, 1):
            shown, there = (state.time_left(seat, entry["at"]) for state in (states[whole.code], whole))
            assert shown == there or abs((shown or 0) - (there or 0)) < 1000
        count += 1
    return count


def facts(state: GameState) -> dict[str, Any]:
    """Without what depends on when the server was asked; ratings are told by `changes` when a game ends."""
    data = normal(state, 0)
    data["players"] = [(player["name"], player["bot"], player["here"]) for player in data["players"]]
    return {key: one for key, one in data.items() if key not in ("heard", "left", "shown", "watchers", "claim_at")}


def test_there_is_a_stream_of_everything_that_can_happen() -> None:
    kinds = {entry["event"]["type"] for entries in STREAMS.values() for entry in events_of(entries)}
    assert kinds == {"game", "moved", "ended", "offered", "presence", "rematch"}
    ends = {entry["event"]["ending"] for one in STREAMS.values() for entry in one if "result" in entry.get("event", {})}
    assert ends >= {"time", "resignation", "agreement", "abandonment", "aborted"}


@pytest.mark.parametrize("name", STREAMS)
def test_the_state_is_what_the_server_says(name: str) -> None:
    assert truths(STREAMS[name]) >= 2


@pytest.mark.parametrize("name", STREAMS)
def test_python_and_the_page_have_the_same_state_after_every_event(name: str) -> None:
    agree({name: events_of(STREAMS[name])}, recorded_in_javascript())


@pytest.mark.parametrize("name", STREAMS)
def test_python_and_the_page_agree_on_streams_that_are_not_as_they_should_be(name: str) -> None:
    agree(variants(name), recorded_in_javascript())


def test_a_lost_move_is_noticed_and_the_whole_game_puts_it_right() -> None:
    entries = events_of(STREAMS["whole_game"])
    moved = [number for number, entry in enumerate(entries) if entry["event"]["type"] == "moved"]
    behind = follow(entries[: moved[2]] + entries[moved[3] : moved[5]])
    assert [step["missed"] for step in behind] == [False] * moved[2] + [True, True]
    (state,) = behind[-1]["states"].values()
    assert state["moves"] == ["4", "1"], "a move that does not follow is not applied"
    (whole,) = [entry["truth"] for entry in STREAMS["whole_game"] if len(entry.get("truth", {}).get("moves", ())) == 5]
    (state,) = follow([*entries[: moved[2]], {"at": 0, "event": whole}])[-1]["states"].values()
    assert len(state["moves"]) == 5


def test_a_clock_runs_for_the_side_to_move_and_stops_with_the_game() -> None:
    *before, last = [step["states"] for step in follow(events_of(STREAMS["flag_fall"]))]
    (running,) = before[-1].values()
    (over,) = last.values()
    assert running["ticking"]
    assert running["shown"] == [running["left"][0] - 250, running["left"][1]]
    assert (over["left"][0], over["shown"]) == (0, over["left"])


def test_the_win_may_be_claimed_while_the_opponent_is_away_and_never_by_a_spectator() -> None:
    seen = []
    for entry, step in zip(events_of(STREAMS["away"]), follow(events_of(STREAMS["away"])), strict=True):
        (state,) = step["states"].values()
        seen.append((entry["event"]["type"], state["claim_at"] is not None))
    assert seen[-5:] == [
        *(("presence", True), ("presence", False), ("presence", True), ("game", True), ("ended", False)),
    ]
    for step in follow(events_of(STREAMS["spectator"])):
        assert all(state["claim_at"] is None for state in step["states"].values())


@pytest.mark.slow
def test_a_server_of_today_says_what_the_streams_say(tmp_path: Path) -> None:
    """Recorded anew: the same kinds of events in the same order."""
    pytest.importorskip("uvicorn", reason="the server needs the extra [server]")
    from tests.online.recordings import SCRIPTS, SETTINGS, record
    from tests.server.server_process import ServerProcess

    assert sorted(SCRIPTS) == sorted(STREAMS)
    server = ServerProcess(tmp_path, **SETTINGS).start()
    try:
        for name, stored in STREAMS.items():
            entries = record(name, server)
            assert [next(reversed(one)) for one in entries] == [next(reversed(one)) for one in stored], name
            kinds = [[entry["event"]["type"] for entry in events_of(one)] for one in (entries, stored)]
            assert kinds[0] == kinds[1], name
            truths(entries)
            again = {name: events_of(entries)}
            agree(again, follow_in_javascript(again))
    finally:
        server.stop()
