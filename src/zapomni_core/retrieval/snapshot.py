"""Write arrays to one file that is either whole or refused."""

import json
import os
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Snapshot", "SnapshotUnusable", "read_snapshot", "write_snapshot"]

# The last byte is the version of the format.
_MAGIC: Final = b"ZAPOLEX\x04"
_ALIGNMENT: Final = 64
_NUMBER_BYTES: Final = 4


class SnapshotUnusable(Exception):
    """The file is missing, damaged, or not a snapshot of this version."""


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """Named arrays of one dimension, and a note about them."""

    note: Mapping[str, str | float]
    arrays: Mapping[str, NDArray[Any]]


def write_snapshot(path: Path, snapshot: Snapshot) -> None:
    """Replace the file in one step, readable by its owner only."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            checksum = 0
            for block in _blocks(snapshot):
                file.write(block)
                checksum = zlib.crc32(block, checksum)
            file.write(checksum.to_bytes(_NUMBER_BYTES, "little"))
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink()
        raise


def read_snapshot(path: Path) -> Snapshot:
    """Read what `write_snapshot` wrote; the arrays are read-only."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SnapshotUnusable(f"{path} cannot be read: {error}") from error
    if not data.startswith(_MAGIC):
        raise SnapshotUnusable(f"{path} is not a snapshot of this version")
    body, checksum = memoryview(data)[:-_NUMBER_BYTES], data[-_NUMBER_BYTES:]
    if zlib.crc32(body).to_bytes(_NUMBER_BYTES, "little") != checksum:
        raise SnapshotUnusable(f"{path} is damaged")
    try:
        return _parsed(body)
    except (KeyError, TypeError, ValueError) as error:
        raise SnapshotUnusable(f"{path} is damaged: {error}") from error


def _blocks(snapshot: Snapshot) -> Iterator[bytes]:
    shapes = [(name, array.dtype.str, len(array)) for name, array in snapshot.arrays.items()]
    header = json.dumps({"note": dict(snapshot.note), "arrays": shapes}).encode()
    yield _padded(_MAGIC + len(header).to_bytes(_NUMBER_BYTES, "little") + header)
    for array in snapshot.arrays.values():
        yield _padded(array.tobytes())


def _padded(block: bytes) -> bytes:
    return block + bytes(-len(block) % _ALIGNMENT)


def _parsed(body: memoryview) -> Snapshot:
    start = len(_MAGIC) + _NUMBER_BYTES
    end = start + int.from_bytes(body[len(_MAGIC) : start], "little")
    header = json.loads(bytes(body[start:end]))
    arrays = {}
    for name, dtype, length in header["arrays"]:
        end += -end % _ALIGNMENT
        arrays[name] = np.frombuffer(body, dtype, length, end)
        end += arrays[name].nbytes
    return Snapshot(header["note"], arrays)
