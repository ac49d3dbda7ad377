"""Reading everything out of one source file."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node, QueryCursor

from zapomni_core.code.model import FileFacts
from zapomni_core.code.parsing.assembly import assemble
from zapomni_core.code.parsing.grammars import parser, query
from zapomni_core.code.parsing.readers import LINE_COMMENTS, READERS
from zapomni_core.code.parsing.text import SourceText

__all__ = ["extract"]

_CPP: Final = re.compile(
    rb"^[ \t]*(?:class\s+\w+[^;]*[{:]|namespace\s+[\w:]+\s*\{|template\s*<|(?:public|private):)",
    re.MULTILINE,
)


def extract(source: bytes, path: str, language: str) -> FileFacts:
    """Read the definitions, calls, imports and bindings of a file.

    A language that is only searched as text has no facts.
    """
    dialect = _dialect(source, path, language)
    reader = READERS.get(dialect)
    if reader is None:
        return FileFacts(language)
    root = parser(dialect).parse(source).root_node
    text = SourceText(source, LINE_COMMENTS.get(language, b"//"))
    reading = reader(QueryCursor(query(dialect)).captures(root), text)
    return assemble(reading, text, language, _errors(root))


def _dialect(source: bytes, path: str, language: str) -> str:
    # A header says nothing about its language; one with classes is C++.
    if language == "c" and path.endswith((".h", ".H")) and _CPP.search(source):
        return "cpp"
    return language


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
