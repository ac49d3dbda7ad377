r"""Patterns of ignored files, matched byte by byte as git does.

pathspec 1.1 does not know `[[:alpha:]]`, refuses `name\` and takes `folder/**` to be about the
folder, too. Its expressions need time to the power of the number of stars; these do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

__all__ = ["Pattern", "parsed", "pattern", "verdict"]

_CLASSES: Final = {
    b"alnum": rb"0-9A-Za-z",
    b"alpha": rb"A-Za-z",
    b"blank": rb" \t",
    b"cntrl": rb"\x00-\x1f\x7f",
    b"digit": rb"0-9",
    b"graph": rb"!-~",
    b"lower": rb"a-z",
    b"print": rb" -~",
    b"punct": rb"!-/:-@\[-`{-~",
    b"space": rb" \t-\r",
    b"upper": rb"A-Z",
    b"xdigit": rb"0-9A-Fa-f",
}
# Anything else that starts with a bracket is a set of characters without its end.
_SPECIAL: Final = re.compile(rb"[*?\[\\]")
_SET: Final = re.compile(
    rb"\[([!^]?)((?>\]|%(part)b)(?>(?!\])%(part)b)*+)\]"
    % {b"part": rb"(?>\[:[^\]]*:\]|\\.|[^\\])"},
    re.DOTALL,
)
_MEMBER: Final = re.compile(
    rb"\[:([^\]]*):\]|(?:\\(.)|([^\\]))(?:-(?=[^\]]|\\)(?:\\(.)|([^\\])))?", re.DOTALL
)
_FOLDERS: Final = b"(?:.*/)?"
_TRAILING_SPACES: Final = re.compile(rb"((?:\\.|[^\\])*?) *", re.DOTALL)


class _NeverMatches(Exception):
    """A pattern that is not well-formed matches nothing."""


class Pattern(NamedTuple):
    """One line of a file of patterns."""

    regex: re.Pattern[bytes]
    is_negated: bool
    is_for_folders: bool
    is_for_names: bool

    def matches(self, path: bytes, *, is_folder: bool) -> bool:
        """Tell if it is about this very path, which is relative to the folder of the file."""
        if self.is_for_folders and not is_folder:
            return False
        subject = path.rpartition(b"/")[2] if self.is_for_names else path
        return self.regex.fullmatch(subject) is not None


def parsed(content: bytes) -> tuple[Pattern, ...]:
    """Read the patterns of a file."""
    lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    read = (pattern(line.removesuffix(b"\r")) for line in lines if not line.startswith(b"#"))
    return tuple(each for each in read if each is not None)


def pattern(line: bytes) -> Pattern | None:
    """Read one pattern; None if it can match nothing."""
    kept = _TRAILING_SPACES.fullmatch(line)
    text = kept[1] if kept else line
    is_negated = text.startswith(b"!")
    text = text[is_negated:]
    is_for_folders = text.endswith(b"/")
    text = text[: len(text) - is_for_folders]
    is_for_names = b"/" not in text
    text = text.removeprefix(b"/")
    try:
        regex = re.compile(_translated(text), re.DOTALL)
    except _NeverMatches:
        return None
    return Pattern(regex, is_negated, is_for_folders, is_for_names) if text else None


def verdict(patterns: Sequence[Pattern], path: bytes, *, is_folder: bool) -> bool | None:
    """Tell if the last pattern that matches leaves the path out; None if no pattern matches."""
    for each in reversed(patterns):
        if each.matches(path, is_folder=is_folder):
            return not each.is_negated
    return None


def _translated(text: bytes) -> bytes:
    """Write a pattern as an expression.

    What follows a star is taken where it comes first, without a second try: a later place would
    leave less for the rest. The last star alone must reach to the end.
    """
    pieces = [b""]
    stars = []
    for piece in _pieces(text):
        if piece in {b"[^/]*", b".*"}:
            stars.append(piece)
            pieces.append(b"")
        else:
            pieces[-1] += piece
    written = pieces[0]
    for number, (star, piece) in enumerate(zip(stars, pieces[1:], strict=True), start=1):
        is_last = number == len(stars)
        is_settled = not is_last and _FOLDERS not in piece
        written += b"(?>%b?%b)" % (star, piece) if is_settled else star + piece
    return written


def _pieces(text: bytes) -> Iterator[bytes]:
    position = 0
    while position < len(text):
        match text[position : position + 1]:
            case b"*":
                end = position + len(text[position:]) - len(text[position:].lstrip(b"*"))
                star, position = _stars(text, position, end)
                yield star
                continue
            case b"?":
                yield b"[^/]"
            case b"[":
                piece, position = _set(text, position)
                yield piece
                continue
            case b"\\":
                position += 1
                if position == len(text):
                    raise _NeverMatches
                yield re.escape(text[position : position + 1])
            case byte:
                yield re.escape(byte)
        position += 1


def _stars(text: bytes, start: int, end: int) -> tuple[bytes, int]:
    """Read a run of stars; two or more between slashes stand for any number of folders."""
    # Git compares what is plain first and sees the rest alone: there `d**/a` begins with stars.
    is_first = not _SPECIAL.search(text, 0, start)
    is_whole = (is_first or text[start - 1 : start] == b"/") and (
        end == len(text) or text[end : end + 1] == b"/"
    )
    if end - start < 2 or not is_whole:
        return b"[^/]*", end
    if end == len(text):
        return b".*", end
    return _FOLDERS, end + 1


def _set(text: bytes, start: int) -> tuple[bytes, int]:
    found = _SET.match(text, start)
    if found is None:
        raise _NeverMatches
    members = b"".join(_member(each) for each in _MEMBER.finditer(found[2]))
    if found[1]:
        return b"[^/%b]" % members, found.end()
    return b"(?!/)[%b]" % members, found.end()


def _member(found: re.Match[bytes]) -> bytes:
    if found[1] is not None:
        if found[1] not in _CLASSES:
            raise _NeverMatches
        return _CLASSES[found[1]]
    first, last = found[2] or found[3], found[4] or found[5]
    if last is None or last < first:
        return re.escape(first)
    return b"%b-%b" % (re.escape(first), re.escape(last))
