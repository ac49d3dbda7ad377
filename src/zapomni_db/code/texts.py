"""The words of a file's symbols and the heads that are embedded of them, as they are kept.

Those who read a file write this down; nobody in between looks inside.
"""

from __future__ import annotations

from collections.abc import Sequence

import orjson
from isal import isal_zlib

__all__ = ["pack_texts", "unpack_texts"]


def pack_texts(words: Sequence[str], heads: Sequence[str]) -> bytes:
    """Write down the words and the head of each symbol."""
    return isal_zlib.compress(orjson.dumps((words, heads)), 1)


def unpack_texts(packed: bytes) -> tuple[list[str], list[str]]:
    """Read what `pack_texts` wrote."""
    words, heads = orjson.loads(isal_zlib.decompress(packed))
    return words, heads
