"""Find names of code in ordinary text, and ordinary text around names of code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

__all__ = ["is_path", "mentions", "names_in", "passage"]

_NAMES_PER_TEXT = 8
_PASSAGE_CHARS = 300
_SHORTEST = 3
# What people write as a name of code: something in backticks, with the parentheses of a call,
# with a dot, an underscore or a capital inside, or the path of a file.
_NAME = re.compile(
    r"""
      `(?P<quoted>[^`\n]{2,120})`
    | (?P<path>(?<![\w/.])(?:[\w.@+-]+/)*[\w.@+-]+\.(?:[a-z]{1,4})(?![\w/:]|\.\w))
    | (?P<called>\b[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)*)(?=\()
    | (?P<written>\b(?:
          [A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)+
        | [A-Za-z]+_\w+
        | _\w{3,}
        | [a-z]+[A-Z]\w+
        | (?:[A-Z][a-z0-9]+){2,}
      )\b)
    """,
    re.VERBOSE,
)
_SYMBOL = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->|\#)[A-Za-z_$][\w$]*)*")
_SOURCE_FILE = re.compile(
    r"[\w./@+-]*\.(?:c|cc|cpp|cs|dart|ex|exs|go|h|hpp|hs|java|jl|js|jsx|kt|lua|mjs|php|py|pyi|r"
    r"|rb|rs|scala|sh|sql|swift|toml|ts|tsx|yaml|yml|zig)"
)


def names_in(text: str) -> list[str]:
    """List what a text names of code, each once, in the order of the text."""
    found: dict[str, None] = {}
    for match in _NAME.finditer(text):
        name = next(filter(None, match.groups())).strip().removesuffix("()")
        if len(name) >= _SHORTEST and (_SYMBOL.fullmatch(name) or is_path(name)):
            found[name.replace("::", ".")] = None
    return list(found)[:_NAMES_PER_TEXT]


def is_path(name: str) -> bool:
    """Tell whether a name is that of a source file."""
    return _SOURCE_FILE.fullmatch(name) is not None


def mentions(text: str, names: Iterable[str]) -> bool:
    """Tell whether a text names one of these, not only the same word in passing."""
    return any(_occurrence(name).search(text) for name in names)


def passage(text: str, names: Sequence[str]) -> str:
    """Cut what stands around the first of these names."""
    matches = [match for name in names if (match := _occurrence(name).search(text))]
    first = min((match.start() for match in matches), default=0)
    start = max(first - _PASSAGE_CHARS // 2, 0)
    cut = text[start : start + _PASSAGE_CHARS].strip()
    before = "... " if start else ""
    return before + cut + (" ..." if start + _PASSAGE_CHARS < len(text) else "")


def _occurrence(name: str) -> re.Pattern[str]:
    """Find a name that looks like code of itself, or one that is marked as code."""
    written = re.escape(name)
    if is_path(name):
        return re.compile(rf"(?<![\w.-]){written}(?!\w)")
    if "_" in name.strip("_") or "." in name or re.search(r"[a-z][A-Z]", name):
        return re.compile(rf"(?<![\w]){written}(?!\w)")
    return re.compile(rf"`[^`\n]*\b{written}\b[^`\n]*`|(?<!\w){written}\(|(?<=\.){written}\b")
