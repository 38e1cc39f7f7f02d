"""The opening book: how it is made, kept and used, and what the shipped one says."""

from pathlib import Path

import numpy as np
import pytest

from alphadiamond import games
from alphadiamond.games.connect_four.solver import Book, BookError, Solver
from alphadiamond.games.connect_four.solver.batch_kernels import book_key
from alphadiamond.games.connect_four.solver.book import discs_of
from alphadiamond.games.connect_four.solver.book_builder import boards, make_book

GAME = games.load("connect_four")
ROOT = GAME.parse("...o.../...x.../..ox.oo/..oo.xx/xoxoxox/ooxoxxx x")


def test_positions_are_counted_without_their_mirror_images() -> None:
    levels = boards(5)
    assert [len(level) for level in levels] == [1, 4, 25, 121, 568, 2144]
    for discs, level in enumerate(levels):
        for key, (own, mask) in level.items():
            assert discs_of(key) == mask.bit_count() == discs
            assert key == book_key(own, mask)
    everything = {
        discs_of_key: sum(1 if book_key(o, m) == o + m == _mirror_key(o, m) else 2 for o, m in level.values())
        for discs_of_key, level in enumerate(levels)
    }
    assert everything == {0: 1, 1: 7, 2: 49, 3: 238, 4: 1120, 5: 4263}


def _mirror_key(own: int, mask: int) -> int:
    state = np.array([[own, own ^ mask, 1]])
    image = GAME.images(state, np.ones(1, dtype=np.int64))[0]
    return int(image[0] + (image[0] | image[1]))


def test_a_book_is_made_gone_on_with_and_used(tmp_path: Path) -> None:
    path = tmp_path / "book.npz"
    root = (ROOT.own, ROOT.occupied)
    first = make_book(path, discs=ROOT.plies + 1, first=ROOT.plies + 1, root=root)
    assert first.complete == ROOT.plies + 1
    whole = make_book(path, discs=ROOT.plies + 3, first=ROOT.plies + 1, root=root)
    assert whole.complete == ROOT.plies + 3
    assert {key: score for key, score in whole.as_dict.items() if key in first.as_dict} == first.as_dict
    expected = {key for level in boards(ROOT.plies + 3, root) for key in level}
    assert set(whole.as_dict) == expected
    plain = Solver(Book.empty(), table_bits=12)
    for level in boards(ROOT.plies + 3, root):
        for key, (own, mask) in level.items():
            assert whole.as_dict[key] == plain.score(own, mask)
    loaded = Book.load(path)
    assert (loaded.keys == whole.keys).all()
    assert loaded.deepest == ROOT.plies + 3


def test_the_book_answers_before_the_search_does() -> None:
    state = GAME.states_of([ROOT, ROOT.image(1)])
    truth = Solver(Book.empty(), table_bits=12).values(state)
    wrong = Book.of({int(book_key(ROOT.own, ROOT.occupied)): 3}, -1)
    told = Solver(wrong, table_bits=12).values(state)
    assert told[0].tolist() == [1, 1]
    assert told[1].tolist() == [2 * (22 - 3 - ROOT.plies // 2) - 1] * 2
    assert truth[0].tolist() != told[0].tolist() or truth[1].tolist() != told[1].tolist()


def test_a_contradiction_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "book.npz"
    Book.of({int(book_key(ROOT.own, ROOT.occupied)): 9}, -1).save(path)
    with pytest.raises(BookError, match="contradicts itself"):
        make_book(path, discs=ROOT.plies + 1, first=ROOT.plies + 1, root=(ROOT.own, ROOT.occupied))


def test_a_missing_or_damaged_book_is_named_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(BookError, match=r"missing; `alphadiamond make-book` makes it"):
        Book.load(tmp_path / "none.npz")
    path = tmp_path / "book.npz"
    for content in (b"", b"nonsense"):
        path.write_bytes(content)
        with pytest.raises(BookError, match=r"damaged .*makes it again"):
            Book.load(path)
    Book(np.array([5, 3]), np.array([0, 0], dtype=np.int8), 1).save(path)
    with pytest.raises(BookError, match="not in order"):
        Book.load(path)


FIRST_MOVES = {"1": -2, "2": -1, "3": 0, "4": 1}
"""Known of old: what each first move scores for its player; 5 to 7 are mirror images."""


def test_the_shipped_book_has_every_position_with_up_to_four_discs() -> None:
    book, levels = Book.load(), boards(4)
    assert book.complete == 4
    scores = book.as_dict
    for discs, level in enumerate(levels):
        assert level.keys() <= scores.keys(), discs
    for before, level in enumerate(levels[:-1]):
        for key, (own, mask) in level.items():
            position = GAME.position_of(np.array([own, own ^ mask, 1]), GAME.sides[before % 2])
            after = [position.play(move) for move in position.moves()]
            replies = [-scores[int(book_key(one.own, one.occupied))] for one in after]
            assert scores[key] == max(replies), "each follows from the next"


def test_every_first_move_has_its_known_value() -> None:
    """Only the middle wins, its neighbours draw, the others lose; with best play the win takes 41 plies."""
    scores = Book.load().as_dict
    for move, known in FIRST_MOVES.items():
        position = GAME.start().play(move)
        assert scores[int(book_key(position.own, position.occupied))] == -known
    values, distances = Solver().action_values(GAME.states_of([GAME.start()]))
    assert values[0].tolist() == [-1, -1, 0, 1, 0, -1, -1]
    assert distances[0].tolist() == [40, 42, 0, 41, 0, 42, 40]


def test_the_game_gives_its_solution_with_the_shipped_book() -> None:
    solution = GAME.solution()
    assert GAME.solution() is solution
    values, _ = solution.values(GAME.states_of([ROOT]))
    assert values[0] == -1
