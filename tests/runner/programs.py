"""Another program that plays, well or badly: `python programs.py KIND`."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__)


def spec_of(kind: str, *arguments: object, **parameters: object) -> str:
    from alphadiamond.settings.players import player

    command = " ".join([f'"{sys.executable}"', f'"{HERE}"', kind, *map(str, arguments)])
    return str(player("engine", command=command, **parameters))


def say(answer: object) -> None:
    print(json.dumps(answer), flush=True)


def first_move(query: dict[str, Any]) -> str:
    from alphadiamond.games import load  # compiled rules take a second or two to load, which faults need not wait for

    position = load(query["game"]).parse(query["position"])
    for move in query["moves"]:
        position = position.play(move)
    return str(position.moves()[0])


def main() -> None:
    kind, *arguments = sys.argv[1:]
    if kind == "mute":
        time.sleep(600)
    if kind == "leaving":
        sys.exit("I have a headache")
    asked = 0
    for line in sys.stdin:
        query = json.loads(line)
        id = query["id"]
        if "action" in query:
            say({"id": id, "name": "a program"})
            continue
        asked += 1
        well = kind in ("good", "noting")
        good = {"id": id, "best": first_move(query) if well else "si-cs"}  # which begins a game of Diamond Chase
        if kind == "noting":
            with open(arguments[0], "a") as file:
                file.write(line)
        elif kind == "forking":
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
            Path(arguments[0]).write_text(f"{os.getpid()} {child.pid}")
        if asked == 1 or well or kind == "forking":
            say(good)
        elif kind == "hanging":
            time.sleep(600)
        elif kind == "dying":
            print("something is\nbroken inside", file=sys.stderr, flush=True)
            os._exit(3)
        elif kind == "garbage":
            print("bestmove e2e4", flush=True)
        elif kind == "list":
            say([1, 2])
        elif kind == "illegal":
            say({"id": id, "best": "zz-zz"})
        elif kind == "speechless":
            say({"id": id})
        elif kind == "wrong_id":
            say({**good, "id": 999})
        elif kind == "text_id":
            say({**good, "id": str(id)})
        elif kind == "huge":
            sys.stdout.write("x" * 3_000_000)
            sys.stdout.flush()
            time.sleep(600)
        elif kind == "twice":
            say(good)
            say(good)
        elif kind == "refusing":
            say({"id": id, "error": "I do not like this one"})
        elif kind == "closing":
            os.close(1)
            time.sleep(600)


if __name__ == "__main__":
    main()
