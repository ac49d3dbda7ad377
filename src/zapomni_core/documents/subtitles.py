"""Subtitles: what is spoken, in stretches of some minutes."""

from __future__ import annotations

import re
from typing import Final

from zapomni_core.documents.decoding import decoded
from zapomni_core.documents.draft import Draft
from zapomni_core.documents.model import Section

__all__ = ["read_subtitles"]

_STRETCH_S: Final = 300
_TIMES: Final = re.compile(
    r"(?:(\d{1,3}):)?(\d\d):(\d\d)[.,]\d{1,3}[ \t]*-->[ \t]*[\d:.,]+[^\n]*", re.ASCII
)
_VOICE: Final = re.compile(r"<v(?:\.[^>\s]*)?[ \t]+([^>\n]{1,80})>")
_TAG: Final = re.compile(r"</?[a-zA-Z][^>\n]{0,200}>|<[\d:.]+>|\{\\[^}\n]{0,200}\}")


def read_subtitles(raw: bytes, draft: Draft) -> None:
    """Read SubRip or WebVTT."""
    text = decoded(raw).replace("\r\n", "\n").replace("\r", "\n")
    cues = [*_TIMES.finditer(text)]
    if not cues:
        raise draft.refused("holds no subtitles; check that it is an SRT or WebVTT file")
    stretch: list[str] = []
    begun = _seconds(cues[0])
    for cue, following in zip(cues, [*cues[1:], None], strict=True):
        if _seconds(cue) >= begun + _STRETCH_S:
            _add(stretch, begun, draft)
            stretch, begun = [], _seconds(cue)
        spoken = _spoken(text[cue.end() : following.start() if following else len(text)])
        # Subtitles of live speech repeat the line before.
        stretch += [line for line in spoken if line not in stretch[-2:]]
    _add(stretch, begun, draft)


def _add(lines: list[str], begun: int, draft: Draft) -> None:
    clock = f"{begun // 3600:02}:{begun // 60 % 60:02}:{begun % 60:02}"
    draft.add(Section("\n".join(lines), place=clock))


def _spoken(text: str) -> list[str]:
    # What stands behind an empty line is the number or the name of the next cue.
    said = text.strip("\n").partition("\n\n")[0]
    said = _TAG.sub("", _VOICE.sub(r"\1: ", said))
    return [line.strip() for line in said.split("\n") if line.strip()]


def _seconds(cue: re.Match[str]) -> int:
    hours, minutes, seconds = (int(each or 0) for each in cue.groups())
    return hours * 3600 + minutes * 60 + seconds
