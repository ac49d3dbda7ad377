"""Tell junk by what a single text says."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import Final

__all__ = ["is_recalled", "is_too_short", "same_text", "same_words"]

# The same short answer is given many times, and none of them is a copy.
_LEAST_REPEATED: Final = 40
_LEAST_WORDS: Final = 4
_LEAST_CHARS: Final = 8
_WORD: Final = re.compile(r"\w+")
# How an answer of search_memory and of add_memory begins, in words and as JSON.
_RECALLED: Final = re.compile(
    r"\s*(?:Found \d+ results?:\s+)?1\. \[Score: \d\.\d\d\]"
    r'|\s*[{\[][^}]{0,2000}"(?:similarity_score"\s*:\s*\d|memory_id"\s*:\s*"[0-9a-f-]{36}")'
    r"|\s*Memory stored successfully\.\s+ID: [0-9a-f-]{36}"
)
_LOOKED_THROUGH: Final = 5_000


def same_text(text: str) -> bytes | None:
    """Return what two copies of a text share; None if it is too short to be one."""
    folded = " ".join(unicodedata.normalize("NFC", text).split())
    return _digest(folded) if len(folded) >= _LEAST_REPEATED else None


def same_words(text: str) -> bytes | None:
    """Return what texts share that differ in case, punctuation and the order of words only."""
    words = sorted(_WORD.findall(text.casefold()))
    return _digest(" ".join(words)) if len(words) >= _LEAST_WORDS else None


def is_recalled(text: str) -> bool:
    """Tell whether a text is an answer of this memory, stored as something new."""
    return _RECALLED.match(text[:_LOOKED_THROUGH]) is not None


def is_too_short(text: str) -> bool:
    """Tell whether a text alone can hardly say anything."""
    return sum(map(str.isalnum, text[:_LOOKED_THROUGH])) < _LEAST_CHARS


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=16).digest()
