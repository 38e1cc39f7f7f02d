"""Files and lookups."""

import struct
from pathlib import Path

import numpy as np
import pytest

from alphadiamond.base.game import ILLEGAL
from alphadiamond.games.diamond_chase import Position, Side
from alphadiamond.games.diamond_chase.kernels import legal_masks, trapped
from alphadiamond.games.diamond_chase.solver import (
    LAYERS,
    Layer,
    Probe,
    Tablebase,
    TablebaseError,
    default_directory,
    index_kernels,
    tablebase,
)
from alphadiamond.games.diamond_chase.solver.layer_file import map_layer, write_layer
from tests.games.diamond_chase.samples import random_position
from tests.solutions import SMALL, Table, small_position

FOURS = Layer(4, 4)


@pytest.fixture
def written(small_table: Table, tmp_path: Path) -> Path:
    write_layer(tmp_path, FOURS, small_table[FOURS.slice])
    return tmp_path


def test_a_layer_comes_back_as_it_was_written_and_mapped(small_table: Table, written: Path) -> None:
    mapped = map_layer(written, FOURS)
    assert (mapped == small_table[FOURS.slice]).all()
    assert isinstance(mapped.base, np.memmap)
    assert not mapped.flags.writeable
    assert FOURS.path(written).stat().st_size == FOURS.entries + 60


def damage(path: Path, offset: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)


@pytest.mark.parametrize(
    ("offset", "data", "message"),
    [
        (0, b"X", "no layer of a tablebase"),
        (8, struct.pack("<I", 99), "format 99, expected 1"),
        (12, struct.pack("<I", 99), "rules version 99, expected 1"),
        (16, struct.pack("<I", 5), "own beads 5, expected 4"),
        (32, b"\1\2\3\4", "its checksum does not agree"),
        (36, b"\1\2\3\4", "its header does not agree with itself"),
        (59, b"\1", "its header does not agree with itself"),
        (60, b"\7", "its checksum does not agree"),
        (60 + FOURS.entries - 1, b"\7", "its checksum does not agree"),
        (60 + FOURS.entries, b"\7", "bytes, expected"),
    ],
)
def test_an_altered_layer_is_named_in_the_error(written: Path, offset: int, data: bytes, message: str) -> None:
    path = FOURS.path(written)
    damage(path, offset, data)
    with pytest.raises(TablebaseError, match=message) as raised:
        map_layer(written, FOURS)
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("size", [0, 10, 60, 1000])
def test_a_truncated_layer_is_named_in_the_error(written: Path, size: int) -> None:
    path = FOURS.path(written)
    with path.open("r+b") as file:
        file.truncate(size)
    with pytest.raises(TablebaseError, match=r"4v4.layer: "):
        map_layer(written, FOURS)


def test_a_missing_layer_is_named_in_the_error(written: Path) -> None:
    with pytest.raises(TablebaseError, match=r"4v5.layer: missing"):
        Tablebase.load(written)
    with pytest.raises(TablebaseError, match=r"nowhere: no tablebase there; .*make solve"):
        Tablebase.load(written / "nowhere")


def test_find_gives_none_where_no_finished_tablebase_is(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for directory in (written / "nowhere", written):
        monkeypatch.setattr(tablebase, "default_directory", lambda directory=directory: directory)
        assert tablebase.find() is None


@pytest.mark.slow
def test_the_start_is_a_draw(whole_tablebase: Tablebase) -> None:
    assert whole_tablebase.probe(Position.start()) == Probe(0, 0)


def test_finished_positions_are_at_distance_0(small_tablebase: Tablebase) -> None:
    won = Position.parse("r/../r/..r/......./.g./g/gg/. g")
    assert small_tablebase.probe(won) == Probe(1, 0)
    assert small_tablebase.probe(Position(won.opp, won.own, Side.RED)) == Probe(-1, 0)


def test_what_is_no_position_is_refused(small_tablebase: Tablebase) -> None:
    own, opp = 0b1111, 0b1111 << 3
    with pytest.raises(TablebaseError, match="no position"):
        small_tablebase.probe_batch(np.array([own]), np.array([opp]))
    corner = 1 | 1 << 18 | 1 << 19 | 1 << 20  # n is trapped by nw, ne and ni
    with pytest.raises(TablebaseError, match="trapped beads stand"):
        small_tablebase.probe_batch(np.array([corner]), np.array([0b1110 | 1 << 10]))


def check_images(tablebase: Tablebase, positions: list[Position]) -> None:
    for position in positions:
        assert len({tablebase.probe(position.image(symmetry)) for symmetry in range(8)}) == 1
    assert len({tablebase.probe(position).value for position in positions}) == 3


def check_batch(tablebase: Tablebase, positions: list[Position]) -> None:
    own, opp = np.array([p.own for p in positions]), np.array([p.opp for p in positions])
    values, distances = tablebase.probe_batch(own, opp)
    for position, value, distance in zip(positions, values, distances, strict=True):
        assert tablebase.probe(position) == Probe(int(value), int(distance))
    assert len(set(distances.tolist())) > 10


def test_turned_and_mirrored_positions_have_the_same_result(small_tablebase: Tablebase) -> None:
    rng = np.random.default_rng(5)
    check_images(small_tablebase, [small_position(rng) for _ in range(50)])


def test_single_and_batch_lookups_agree(small_tablebase: Tablebase) -> None:
    rng = np.random.default_rng(6)
    check_batch(small_tablebase, [small_position(rng) for _ in range(200)])


@pytest.mark.slow
def test_lookups_in_all_layers_agree_with_each_other(whole_tablebase: Tablebase) -> None:
    rng = np.random.default_rng(5)
    positions = [random_position(rng) for _ in range(400)]
    check_images(whole_tablebase, positions)
    check_batch(whole_tablebase, positions)


def check_layer(tablebase: Tablebase, layer: Layer) -> None:
    """Once more apart from the compiled proof: by the rules of values, on arrays."""
    rng = np.random.default_rng(7)
    own, opp = index_kernels.positions_in_layer(layer.own, layer.opp, rng.integers(layer.entries, size=20_000))
    unstable = tablebase.codes(own, opp) == 255
    for i in range(0, len(own), 50):
        standing = trapped(int(own[i]), int(opp[i])) | trapped(int(opp[i]), int(own[i]))
        assert bool(standing) == unstable[i]
    own, opp = own[~unstable], opp[~unstable]
    values, distances = tablebase.probe_batch(own, opp)
    moves, plies = (array.astype(np.int64) for array in tablebase.probe_actions(own, opp))
    assert ((moves != ILLEGAL) == legal_masks(own, opp)).all()
    assert (values == np.where(moves == ILLEGAL, -2, moves).max(axis=1)).all()
    fastest = np.where(moves == 1, plies, 999).min(axis=1)
    slowest = np.where(moves == -1, plies, 0).max(axis=1)
    assert (distances == np.select([values == 1, values == -1], [fastest, slowest], 0)).all()


@pytest.mark.parametrize("layer", SMALL, ids=lambda layer: layer.name)
def test_samples_of_a_layer_agree_with_their_successors(small_tablebase: Tablebase, layer: Layer) -> None:
    check_layer(small_tablebase, layer)


@pytest.mark.slow
@pytest.mark.parametrize("layer", sorted(set(LAYERS) - set(SMALL)), ids=lambda layer: layer.name)
def test_samples_of_a_great_layer_agree_with_their_successors(whole_tablebase: Tablebase, layer: Layer) -> None:
    check_layer(whole_tablebase, layer)


def test_it_lies_under_the_games_name_or_where_it_lay_before_there_were_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_directory() == tmp_path / "alphadiamond" / "diamond_chase"
    (tmp_path / "alphadiamond" / "tablebase").mkdir(parents=True)
    assert default_directory() == tmp_path / "alphadiamond" / "tablebase"
