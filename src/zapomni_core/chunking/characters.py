"""Places inside a run of characters where a cut does not break what a reader sees as one."""

import re
import unicodedata

EAST_ASIAN = (
    r"\u2e80-\u2fff\u3001-\u9fff\ua960-\ua97f\uac00-\ud7ff"
    r"\uf900-\ufaff\uff01-\uffef\U00020000-\U0003ffff"
)

_JOINER = "\u200d"
_LONGEST_CLUSTER = 32
_NATURAL_CUT = re.compile(r"[-,;:/\\&?=|)}\]>.!。！？、，；：）」』】]")


def cut_run(text: str, start: int, limit: int, end: int) -> int:
    """Return where to end a fragment that starts at `start` and should reach about `limit`.

    Prefers a place after punctuation in its second half, and never cuts a surrogate pair, a
    combining sequence or a joined emoji unless that alone fills `text[start:end]`.
    """
    if limit >= end:
        return end
    for place in range(limit, (start + limit) // 2, -1):
        if _NATURAL_CUT.match(text, place - 1) and not is_joined(text, start, place):
            return place
    return _cluster_edge(text, start, limit, end)


def is_joined(text: str, start: int, place: int) -> bool:
    """Say whether the characters before and after `place` form one visible character.

    Flags are pairs, so they are counted from `start`, where a visible character begins.
    """
    before, after = text[place - 1], text[place]
    if _JOINER in (before, after):
        return True
    if "\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff":
        return True
    if _is_regional(before) and _is_regional(after):
        return _regional_run(text, start, place) % 2 == 1
    return after > "\x7f" and _extends(after)


def _cluster_edge(text: str, start: int, limit: int, end: int) -> int:
    lowest = max(start, limit - _LONGEST_CLUSTER)
    for place in range(limit, lowest, -1):
        if not is_joined(text, start, place):
            return place
    for place in range(limit + 1, min(end, limit + _LONGEST_CLUSTER)):
        if not is_joined(text, start, place):
            return place
    is_whole_cluster = end - limit <= _LONGEST_CLUSTER and lowest == start
    return end if is_whole_cluster else limit


def _extends(character: str) -> bool:
    return (
        unicodedata.category(character).startswith("M")
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or "\U000e0020" <= character <= "\U000e007f"
        or "\u1160" <= character <= "\u11ff"
    )


def _is_regional(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _regional_run(text: str, start: int, place: int) -> int:
    first = place
    while first > start and _is_regional(text[first - 1]):
        first -= 1
    return place - first
