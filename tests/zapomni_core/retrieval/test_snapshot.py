"""A snapshot is whole or refused, and never half written."""

import stat
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from zapomni_core.retrieval.lexicon import Lexicon
from zapomni_core.retrieval.snapshot import (
    Snapshot,
    SnapshotUnusable,
    read_snapshot,
    write_snapshot,
)
from zapomni_db import IndexEntry

reuses_folder = settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    lexicon = Lexicon()
    lexicon.add([IndexEntry("a" * 32, "b" * 32, "ash elm ash", 5, "notes", ("trees",))])
    lexicon.save(tmp_path / "index", "9-1")
    return tmp_path / "index"


def test_arrays_and_note_come_back_as_they_were(tmp_path: Path) -> None:
    arrays: dict[str, NDArray[Any]] = {
        "few": np.arange(3, dtype=np.uint8),
        "none": np.zeros(0),
        "ids": np.array([b"a\0b"]),
    }

    write_snapshot(tmp_path / "file", Snapshot({"position": "\ud800 1", "k1": 1.2}, arrays))

    snapshot = read_snapshot(tmp_path / "file")
    assert snapshot.note == {"position": "\ud800 1", "k1": 1.2}
    assert {name: (array.dtype, array.tolist()) for name, array in snapshot.arrays.items()} == {
        name: (array.dtype, array.tolist()) for name, array in arrays.items()
    }


def test_only_the_owner_may_read_the_file_and_nothing_lies_beside_it(saved: Path) -> None:
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    assert list(saved.parent.iterdir()) == [saved]


def test_a_write_that_fails_leaves_the_old_file(saved: Path) -> None:
    before = saved.read_bytes()

    with pytest.raises(TypeError):
        write_snapshot(saved, Snapshot({"position": b"no text"}, {}))  # type: ignore[dict-item]

    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]


@reuses_folder
@given(st.data())
def test_a_changed_byte_is_noticed(saved: Path, data: st.DataObject) -> None:
    content = bytearray(saved.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    damaged = saved.with_name("damaged")
    damaged.write_bytes(content)

    with pytest.raises(SnapshotUnusable):
        Lexicon.load(damaged)


@reuses_folder
@given(st.data())
def test_a_cut_file_is_noticed(saved: Path, data: st.DataObject) -> None:
    content = saved.read_bytes()
    cut = saved.with_name("cut")
    cut.write_bytes(content[: data.draw(st.integers(0, len(content) - 1))])

    with pytest.raises(SnapshotUnusable):
        Lexicon.load(cut)


@reuses_folder
@given(st.binary())
def test_a_foreign_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "foreign").write_bytes(content)

    with pytest.raises(SnapshotUnusable):
        Lexicon.load(tmp_path / "foreign")


@reuses_folder
@given(st.binary(max_size=40))
def test_a_sound_checksum_over_nonsense_is_refused(saved: Path, nonsense: bytes) -> None:
    content = saved.read_bytes()[:8] + nonsense
    odd = saved.with_name("odd")
    odd.write_bytes(content + zlib.crc32(content).to_bytes(4, "little"))

    with pytest.raises(SnapshotUnusable):
        Lexicon.load(odd)


def test_another_version_of_the_format_is_refused(saved: Path) -> None:
    content = saved.read_bytes()
    other = content[:7] + bytes([content[7] - 1]) + content[8:-4]
    saved.write_bytes(other + zlib.crc32(other).to_bytes(4, "little"))

    with pytest.raises(SnapshotUnusable):
        Lexicon.load(saved)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "missing", tmp_path):
        with pytest.raises(SnapshotUnusable):
            Lexicon.load(path)
