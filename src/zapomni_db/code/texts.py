"""What the symbols of a file are searched by: their words, and the heads that are embedded.

Those who read a file write this down; nobody in between looks inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import orjson
from isal import isal_zlib

from zapomni_db.code.cleaning import dumped
from zapomni_db.code.records import SymbolRecord

__all__ = ["FileWords", "pack_words", "unpack_words"]

_NANOSECONDS_PER_MS = 1_000_000
_END_OF_HEAD = b"\n"
_ZLIB = b"x"


class FileWords(NamedTuple):
    """What is searched for in one version of a file.

    A row is the key of a symbol, its words, its tags, the head to embed and the hash of that.
    """

    path: str
    timestamp_ms: int
    rows: list[tuple[str, str, list[str], str, str]]


def pack_words(
    path: str,
    mtime_ns: int,
    language: str,
    symbols: Sequence[tuple[str, SymbolRecord]],
    texts: tuple[Sequence[str], Sequence[str]],
) -> bytes:
    """Write down what is searched for in a file: symbols by key, and their words and heads."""
    tags = [[one.kind, language, *(["test"] if one.is_test else [])] for _, one in symbols]
    keys = [key for key, _ in symbols]
    hashes = [one.head_hash for _, one in symbols]
    head = dumped([path, mtime_ns // _NANOSECONDS_PER_MS, keys, tags, hashes])
    return head + _END_OF_HEAD + isal_zlib.compress(orjson.dumps(texts), 1)


def unpack_words(packed: bytes) -> FileWords:
    """Read what `pack_words` wrote."""
    if packed.startswith(_ZLIB):
        # An earlier version wrote all of it in rows.
        return FileWords(*orjson.loads(isal_zlib.decompress(packed)))
    head, _, texts = packed.partition(_END_OF_HEAD)
    path, timestamp_ms, keys, tags, hashes = orjson.loads(head)
    words, heads = orjson.loads(isal_zlib.decompress(texts))
    return FileWords(path, timestamp_ms, [*zip(keys, words, tags, heads, hashes, strict=True)])
