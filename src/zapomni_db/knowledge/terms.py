"""The words of a name, for a look-up that forgives typos."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["words_of"]

_WORD = re.compile(r"[^\W_]+")
_LONGEST_WORD = 32
_MOST_WORDS = 8


def words_of(name: str) -> list[str]:
    """Split a name into lower-case words without accents; nothing but letters and digits."""
    decomposed = unicodedata.normalize("NFKD", name[:1000]).casefold()
    plain = "".join(c for c in decomposed if not unicodedata.combining(c))
    return [word[:_LONGEST_WORD] for word in _WORD.findall(plain)[:_MOST_WORDS]]
