"""What is wrong with a game is said in one sentence that says what to mend."""

import itertools
from collections import namedtuple
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from alphadiamond.base import game, rules
from alphadiamond.base.compilation import BODIES
from alphadiamond.base.rules import Rules, implement, missing
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games import GameError, check_game
from examples.tic_tac_toe import Move, Position, TicTacToe, TicTacToeRules

SHAPE = TicTacToe.shape
NUMBERS = itertools.count()


def sentence(wrong: type[game.Game] | game.Game) -> str:
    with pytest.raises(GameError) as error:
        check_game(wrong() if isinstance(wrong, type) else wrong)
    assert "\n" not in str(error.value)
    assert str(error.value).startswith("Tic-tac-toe: ")
    return str(error.value)


def having(**changes: Any) -> type[TicTacToe]:
    return type("Wrong", (TicTacToe,), changes)


def test_a_game_that_is_right_passes_with_any_seed() -> None:
    for seed in range(3):
        check_game(TicTacToe(), seed=seed)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"rules": TicTacToeRules(max_moves=8)}, "rules.max_moves is 8, but a position has 9 moves: raise it"),
        ({"rules": TicTacToeRules(inputs=17)}, "rules.inputs is 17, but shape says planes * nodes + globals = 18"),
        ({"rules": TicTacToeRules(repetition_limit=3)}, "history_limit is 1, but positions recur"),
        ({"rules": TicTacToeRules(state_size=4)}, "rules.state_size is 4"),
        ({"longest": 8}, "longest is 8, but a game has more plies"),
        ({"endings": ("full board",)}, "ended by 'three in a row', which is not among endings"),
        ({"score_scale": 0.0}, "score_scale"),
        ({"shape": replace(SHAPE, grid=(3, 4))}, "shape.grid is 3 by 4, but there are 9 nodes"),
        ({"shape": replace(SHAPE, action_nodes=np.zeros((8, 2), dtype=np.int64))}, "shape.action_nodes"),
        ({"shape": replace(SHAPE, edges=np.array([[0, 9]]))}, "shape.edges names a node that is none"),
        (
            {"shape": replace(SHAPE, symmetries=SHAPE.symmetries[::-1])},
            "shape.symmetries has to begin with the identity",
        ),
        (
            {"shape": replace(SHAPE, symmetries=SHAPE.symmetries[[0, 2]], action_symmetries=SHAPE.symmetries[[0, 2]])},
            "they have to be a group",
        ),
        (
            {"shape": replace(SHAPE, action_symmetries=SHAPE.symmetries[[0, 1, 4, 3, 2, 5, 6, 7]])},
            "action_symmetries do not follow symmetries",
        ),
        ({"images": lambda self, states, which: states.copy()}, "symmetry 1: the legal moves of an image"),
        ({"start": lambda self, seed=None: Position(0o7, 0o70)}, "start: "),
        (
            {"start": lambda self, seed=None: Position(0, 0) if not seed else Position(1, 2)},
            "say so with seeded = True",
        ),
        ({"seeded": True}, "seeded is True, but eight seeds have given the same position"),
        ({"state_of": lambda self, position: np.array([position.own, position.opp, 1], np.int32)}, "expected int64"),
        (
            {"state_of": lambda self, position: np.array([position.opp, position.own, 1])},
            "but the state of the position after it is",
        ),
        ({"position_of": lambda self, state, side=None: Position()}, "position_of(state_of(...)) is"),
        (
            {"position_of": lambda self, state, side=None: TicTacToe().position_of(state) if side.letter else None},
            "its state makes no position without a side (AttributeError: 'NoneType' object has no attribute 'letter')",
        ),
        ({"parse": lambda self, text: Position()}, "gives a position with the text"),
        ({"parse_move": lambda self, text: Move(0)}, "parse_move reads its text as another move"),
        ({"move_of": lambda self, action, side=None: Move(8 - action)}, "is another move"),
        ({"ending": lambda self, state: "boredom"}, "ending() says 'boredom'"),
    ],
)
def test_what_a_game_says_of_itself_has_to_be_true(changes: dict[str, Any], expected: str) -> None:
    assert expected in sentence(having(**changes))


def test_texts_that_are_no_position_have_to_be_refused() -> None:
    def parse(self: TicTacToe, text: str) -> Position:
        return Position() if text == "nonsense" else TicTacToe.parse(self, text)

    assert "parse takes 'nonsense' for one: raise a NotationError" in sentence(having(parse=parse))


def test_moves_that_are_not_legal_have_to_be_refused() -> None:
    class Lenient(Position):
        def play(self, move: Move | str) -> "Lenient":
            move = TicTacToe().parse_move(move) if isinstance(move, str) else move
            return Lenient(self.opp, self.own | 1 << move.action)

    def parse(self: TicTacToe, text: str) -> Lenient:
        return Lenient(*TicTacToe.parse(self, text))

    assert "raise an IllegalMoveError" in sentence(having(start=lambda self, seed=None: Lenient(), parse=parse))


def test_an_error_in_the_code_of_a_game_is_said_in_one_line_with_where_it_was() -> None:
    found = sentence(having(history_of=lambda self, position: 1 // 0))
    assert "ZeroDivisionError" in found
    assert "(test_check.py:" in found


def test_a_class_that_no_other_process_can_import_is_found_out() -> None:
    assert "cannot be sent to another process" in sentence(having())


def broken(**bodies: Callable[..., Any]) -> type[TicTacToe]:
    """Tic-tac-toe with some functions of its rules replaced; None leaves one out."""
    kind: Any = namedtuple(f"Broken{next(NUMBERS)}", Rules._fields)  # the compiler tells classes apart by their names
    for function, known in BODIES.items():
        body = bodies.get(function.__name__, known.get(TicTacToeRules))
        if body is not None:
            implement(function, kind)(body)
    return having(rules=kind(*TicTacToeRules()))


def test_a_function_that_is_missing_is_named() -> None:
    wrong = broken(score=None, input_key=None)
    assert " has no input_key: give it one with @implement" in sentence(wrong)
    assert "or pass rules.input_key to use_defaults" in missing(rules.input_key, type(wrong.rules))
    assert "use_defaults" not in missing(rules.score, type(wrong.rules))


def test_whoever_calls_a_function_that_is_missing_gets_one_sentence_and_no_page_by_the_compiler() -> None:
    wrong: Any = broken(list_moves=None)()
    with pytest.raises(AlphaDiamondError) as error:
        wrong.legal(wrong.states_of([Position()]))
    name = type(wrong.rules).__name__
    assert str(error.value) == f"{name} has no list_moves: give it one with @implement(rules.list_moves, {name})"


def test_perft_says_that_max_moves_is_too_small() -> None:
    wrong: Any = having(rules=TicTacToeRules(max_moves=8))()
    with pytest.raises(AlphaDiamondError, match="max_moves is 8, but a position has 9 moves: raise it"):
        wrong.perft(2)


def play_twice(rules: Any, state: Any, action: int, after: Any) -> None:
    after[0] = state[1]
    after[1] = state[0] | 1 << action  # of an array that may have been written to
    after[2] = 1


def negative_key(rules: Any, state: Any) -> int:
    return (state[0] | state[1] << 9) - 1


def half_a_key(rules: Any, state: Any) -> int:
    return state[0]


def half_encoded(rules: Any, state: Any, row: Any) -> None:
    for cell in range(9):
        row[cell] = state[0] >> cell & 1


def turned(rules: Any, state: Any, row: Any) -> None:
    for cell in range(9):
        row[cell], row[9 + (cell + 1) % 9] = state[0] >> cell & 1, state[1] >> cell & 1


def great_score(rules: Any, state: Any) -> int:
    return 1_000_000


def sure(rules: Any, state: Any) -> float:
    return 1.5


def unsorted(rules: Any, state: Any, actions: Any) -> int:
    count = 0
    for cell in range(8, -1, -1):
        if (state[0] | state[1]) >> cell & 1 == 0:
            actions[count] = cell
            count += 1
    return count


def endless(rules: Any, state: Any) -> int:
    return 2 if state[0] | state[1] != 511 else 0


def untypable(rules: Any, state: Any) -> int:
    return state.nothing()  # type: ignore[no-any-return]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bodies", "expected"),
    [
        ({"play": play_twice}, "is wrong where `after` is the same array as `state`"),
        ({"position_key": negative_key}, "keys must not be negative"),
        (
            {"position_key": half_a_key, "input_key": BODIES[rules.position_key][TicTacToeRules]},
            "position that is another",
        ),
        ({"input_key": half_a_key}, "a state of which encode writes something else"),
        ({"encode": half_encoded}, "encode leaves input 9 as it was"),
        ({"encode": turned}, "encode of an image is not the image of encode"),
        ({"score": great_score}, "stay between -900,000 and 900,000"),
        ({"heuristic_value": sure}, "from 0 to 1"),
        ({"list_moves": unsorted}, "list_moves gives"),
        ({"status": endless}, "its outcome a loss"),
        ({"score": untypable}, "score does not compile"),
    ],
)
def test_what_is_wrong_with_compiled_rules_is_said(bodies: dict[str, Any], expected: str) -> None:
    assert expected in sentence(broken(**bodies))
