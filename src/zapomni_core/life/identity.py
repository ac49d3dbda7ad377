"""Tell whether a text is a memory already."""

from __future__ import annotations

import re
import time
import unicodedata
from collections import OrderedDict
from hashlib import blake2b
from typing import Final, NamedTuple

import orjson

from zapomni_core.validation import ParsedMetadata

__all__ = ["Echoes", "are_alike", "holds", "identity_of"]

_REMEMBERED: Final = 4096
# Two texts are nearly the same if they share this much of their phrases.
_ALIKE: Final = 0.9
_WORD: Final = re.compile(r"\w+")


def identity_of(text: str, metadata: ParsedMetadata) -> str:
    """Return what two memories share that say the same in the same place.

    Two people who say "Yes!" have two memories, and so do two files with the same licence: a file
    that is read again must not take away what another one says. Tags do not matter.
    """
    place = (
        metadata.source,
        metadata.session,
        metadata.speaker,
        metadata.position,
        metadata.timestamp_ms,
    )
    digest = blake2b(_folded(text), digest_size=16)
    digest.update(orjson.dumps(place))
    return digest.hexdigest()


class Told(NamedTuple):
    """The memory that a text was told from, and when."""

    memory_id: str
    at_ms: int


class Echoes:
    """The texts that were told lately: who stores one of them again stores nothing new."""

    def __init__(self) -> None:
        self._told: OrderedDict[bytes, Told] = OrderedDict()

    def note(self, text: str, memory_id: str) -> None:
        """Remember that a text was told, and whose it is."""
        key = _key(text)
        self._told[key] = Told(memory_id, time.time_ns() // 1_000_000)
        self._told.move_to_end(key)
        while len(self._told) > _REMEMBERED:
            self._told.popitem(last=False)

    def memory_of(self, text: str, metadata: ParsedMetadata) -> Told | None:
        """Return what a text was told from; None if it says when or by whom."""
        given = (metadata.session, metadata.speaker, metadata.position, metadata.timestamp_ms)
        if any(each is not None for each in given):
            return None
        return self._told.get(_key(text))

    def clear(self) -> None:
        """Forget everything."""
        self._told.clear()


def are_alike(one: str, other: str) -> bool:
    """Tell whether two texts say nearly the same."""
    mine, theirs = _phrases(one), _phrases(other)
    shared = len(mine & theirs)
    return shared >= _ALIKE * (len(mine) + len(theirs) - shared)


def _phrases(text: str) -> frozenset[tuple[str, ...]]:
    """Return every run of three words: sets of single words hide what code or a date changes."""
    words = _WORD.findall(text.casefold())
    return frozenset(zip(words, words[1:], words[2:], strict=False)) or frozenset([tuple(words)])


def holds(whole: str, part: str) -> bool:
    """Tell whether a text still says what was told from it."""
    return b" ".join(_folded(part).split()) in b" ".join(_folded(whole).split())


def _folded(text: str) -> bytes:
    return unicodedata.normalize("NFC", text).strip().encode()


def _key(text: str) -> bytes:
    return blake2b(b" ".join(_folded(text).split()), digest_size=16).digest()
