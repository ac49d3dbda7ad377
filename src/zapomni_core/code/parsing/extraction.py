"""Reading everything out of one source file."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tree_sitter import Node, QueryCursor

from zapomni_core.code.model import FileFacts
from zapomni_core.code.parsing.assembly import assemble
from zapomni_core.code.parsing.components import COMPONENTS, script_of
from zapomni_core.code.parsing.grammars import parser, query
from zapomni_core.code.parsing.mending import (
    damage,
    mended_c,
    mended_kotlin,
    mended_typescript,
    parted_kotlin,
    unconditional_c,
)
from zapomni_core.code.parsing.readers import LINE_COMMENTS, READERS
from zapomni_core.code.parsing.text import SourceText

__all__ = ["extract"]

_CPP: Final = re.compile(
    rb"^[ \t]*(?:class\s+\w+[^;]*[{:]|namespace\s+[\w:]+\s*\{|template\s*<|(?:public|private):)",
    re.MULTILINE,
)
_OBJC: Final = re.compile(rb"^[ \t]*@(?:interface|protocol|import|class)\b", re.MULTILINE)
# Other ways to write what a grammar gives up on, from so many lost bytes on. Conditions say
# which macros they ask for, so that they are left out only where much is at stake.
_MENDED_C: Final = ((mended_c, 0), (unconditional_c, 1_000))
_MENDED: Final[Mapping[str, Sequence[tuple[Callable[[bytes], bytes], int]]]] = {
    "c": _MENDED_C,
    "cpp": _MENDED_C,
    "kotlin": ((parted_kotlin, 0),),
    "tsx": ((mended_typescript, 0),),
    "typescript": ((mended_typescript, 0),),
}
_MAX_WORDS_IN_ERROR: Final = 10_000
_MAX_FAULTY_NODES: Final = 10_000
_MAX_DEPTH: Final = 12_000


def extract(source: bytes, path: str, language: str) -> FileFacts:
    """Read the definitions, calls, imports and bindings of a file.

    A language that is only searched as text has no facts. Those of a component are of the
    language of its scripts.
    """
    if language in COMPONENTS:
        source, language = script_of(source, language)
    dialect = _dialect(source, path, language)
    reader = READERS.get(dialect)
    if reader is None:
        return FileFacts(language)
    root = _root(source, dialect)
    if _is_given_up(root) or _is_too_deep(root):
        return FileFacts(language, errors=_errors(root))
    text = SourceText(source, LINE_COMMENTS.get(language, b"//"))
    reading = reader(QueryCursor(query(dialect)).captures(root), text)
    return assemble(reading, text, language, _errors(root))


def _root(source: bytes, dialect: str) -> Node:
    if dialect == "kotlin":
        source = mended_kotlin(source)
    root = parser(dialect).parse(source).root_node
    for mended, bearable in _MENDED.get(dialect, ()):
        if damage(root) > bearable:
            root = min(root, parser(dialect).parse(mended(source)).root_node, key=damage)
    return root


def _dialect(source: bytes, path: str, language: str) -> str:
    # A header says nothing about its language; one with classes is C++, or Objective-C.
    if language != "c" or not path.endswith((".h", ".H")):
        return language
    if _OBJC.search(source):
        return "objc"
    return "cpp" if _CPP.search(source) else language


def _is_given_up(root: Node) -> bool:
    """Tell whether the text was given up at so many words that a query would never come back.

    A query takes more and more for each word in one error: 17 s for 100,000, 62 s for 200,000.
    (tree-sitter 0.26; its progress callback, which could end the query, crashes.)
    """
    waiting = [root] if root.has_error else []
    for _ in range(_MAX_FAULTY_NODES):
        if not waiting:
            break
        node = waiting.pop()
        if node.is_error and node.child_count > _MAX_WORDS_IN_ERROR:
            return True
        waiting += [child for child in node.children if child.has_error and child.child_count]
    return False


def _is_too_deep(root: Node) -> bool:
    """Tell whether there is a chain or nest in which a query would never come back.

    Up to 12,000 levels it takes 0.04 s, at 60,000 of them 32 s (tree-sitter 0.26).
    """
    node, depth = root, 0
    # A level has at least one byte, so that small nodes need not be looked into.
    while depth < _MAX_DEPTH and _length(node) > _MAX_DEPTH - depth:
        if not node.child_count:
            return False
        node = max(node.children, key=_length)
        depth += 1
    return depth == _MAX_DEPTH


def _length(node: Node) -> int:
    return node.end_byte - node.start_byte


def _errors(root: Node) -> int:
    """Count what could not be parsed, as far as it stands at the top."""
    if not root.has_error:
        return 0
    count = 0
    for child in root.children:
        if child.is_error or child.is_missing:
            count += 1
        elif child.has_error:
            count += max(1, sum(each.is_error or each.is_missing for each in child.children))
    return max(count, 1)
