"""Tic-tac-toe once more, with nothing but a text of nine characters."""

LINES = ("012", "345", "678", "036", "147", "258", "048", "246")

State = str


def start() -> State:
    return "........."


def side(state: State) -> str:
    return "x" if state.count("x") == state.count("o") else "o"


def moves(state: State) -> list[str]:
    return [str(i + 1) for i, cell in enumerate(state) if cell == "." and outcome(state) is None]


def play(state: State, move: str) -> State:
    cell = int(move) - 1
    return state[:cell] + side(state) + state[cell + 1 :]


def outcome(state: State) -> str | None:
    for line in LINES:
        cells = {state[int(cell)] for cell in line}
        if len(cells) == 1 and cells != {"."}:
            return cells.pop()
    return None if "." in state else "draw"


def text(state: State) -> str:
    return f"{state[:3]}/{state[3:6]}/{state[6:]} {side(state)}"
