"""TypeScript that its grammar cannot parse, written in other words of the same length.

The grammar (tree-sitter-typescript 0.23) knows no variance, no types of other modules with types
of their own, no escapes in types that are templates, and no end of a line between two call
signatures. Places stay the same, so that
everything else is read out of the text as it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from tree_sitter import Node

__all__ = ["damage", "mended"]

# `<in out A, out B extends C>`
_VARIANCE: Final = re.compile(
    rb"([<,]\s*(?:const\s+)?)((?:in\s+out|in|out)\b)"
    rb"(?=\s+(?!extends\b)[A-Za-z_$][\w$]*\s*(?:[,>=]|extends\b))"
)
_MODULE: Final = rb"\bimport\s*\(\s*(?:\"[^\"\n]*\"|'[^'\n]*')\s*\)"
_TYPE_OF_MODULE: Final = re.compile(rb"(?<=\btypeof\s)" + _MODULE)
_TYPE_IN_MODULE: Final = re.compile(
    _MODULE + rb"\s*\.(?=\s*[A-Za-z_$][\w$.]*\s*(?:[<>,;|&)\]}\[=]|$))", re.MULTILINE
)
# The end of a type, then the head of a call signature on a line of its own.
_NEXT_SIGNATURE: Final = re.compile(
    rb"(?:(?<=[\w$\])}\"'`])|(?<=[^=]>))(?<!\bextends)(?<!\breturn)(?<!\bkeyof)(?<!\bas)"
    rb"(?:[ \t]+//[^\n]*)?[ \t\r]*\n"
    rb"(?=(?:\s|/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*\n)*"
    rb"(?:new\s*)?(?:<|\(\s*(?:(?:\.\.\.)?[\w$]+\s*\??\s*:|\)\s*:|[{\[])))"
)
_COMMENT: Final = re.compile(rb"(?<!:)//")


def mended(source: bytes) -> bytes:
    """Write what the grammar does not know in another way, byte by byte."""
    source = source.replace(rb"\`", b"__")
    source = _VARIANCE.sub(lambda found: found[1] + b" " * len(found[2]), source)
    source = _TYPE_OF_MODULE.sub(_written(b"_"), source)
    source = _TYPE_IN_MODULE.sub(_written(b" "), source)
    return _NEXT_SIGNATURE.sub(_separated, source)


def damage(root: Node) -> int:
    """Count the bytes that a grammar has given up; what is missing counts as one."""
    lost = 0
    waiting = [root] if root.has_error else []
    while waiting:
        node = waiting.pop()
        if node.is_error or node.is_missing:
            lost += max(node.end_byte - node.start_byte, 1)
        else:
            waiting += [child for child in node.children if child.has_error or child.is_missing]
    return lost


def _written(letter: bytes) -> Callable[[re.Match[bytes]], bytes]:
    return lambda found: re.sub(rb"[^\n]", letter, found[0])


def _separated(found: re.Match[bytes]) -> bytes:
    """Put a semicolon behind a type at the end of a line, unless it stands in a comment."""
    line = found.string[found.string.rfind(b"\n", 0, found.start()) + 1 : found.start()]
    return found[0] if _COMMENT.search(line) else b";".ljust(len(found[0]))
