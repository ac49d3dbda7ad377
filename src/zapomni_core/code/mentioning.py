"""Find names of code in ordinary text, and ordinary text around names of code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from zapomni_core.code.languages import FILE_ENDINGS, FILE_NAMES

__all__ = ["is_path", "mentions", "names_in", "passage"]

# More than a chunk of prose ever names; a list of them may fill one.
_NAMES_PER_TEXT: Final = 64
_PASSAGE_CHARS: Final = 300
_SHORTEST: Final = 3
_ENDINGS: Final = sorted(FILE_ENDINGS, reverse=True)  # `c++` before `c`
_ENDING: Final = rf"\.(?i:{'|'.join(map(re.escape, _ENDINGS))})"
# `build` and `license` are words, unless somebody shouts.
_WHOLE_NAME: Final = "|".join(
    rf"(?i:{name})" if name.endswith("file") else name.upper()
    for name in sorted(FILE_NAMES)
    if name.isalpha()
)
_DOTTED_NAME: Final = "|".join(re.escape(name) for name in sorted(FILE_NAMES) if "." in name)
# What people write as a name of code: something in backticks, with the parentheses of a call,
# with a dot, an underscore or a capital inside, or the path of a file.
_NAME: Final = re.compile(
    rf"""
      `(?P<quoted>[^`\n]{{2,200}})`
    | (?<![\w/.])(?P<path>/?(?:[\w.@+-]+/)*(?:[\w.@+-]+{_ENDING}|(?:{_WHOLE_NAME})(?:\.\w+)?)
        (?:::\w+(?:\.\w+)*)?)(?![\w/]|\.\w|::)
    | (?P<called>\b[^\W\d]\w*(?:(?:\.|::)[^\W\d]\w*)*)(?=\()
    | (?P<written>\b(?:
          [^\W\d]\w*(?:(?:\.|::)[^\W\d]\w*)+
        | [^\W\d_]+_\w+
        | _\w{{3,}}
        | [a-z]+[A-Z]\w+
        | (?:[A-Z][a-z0-9]+){{2,}}
      )\b)
    """,
    re.VERBOSE,
)
# Names may end as in Ruby, and have the dashes of Lisp and of shells.
_WORD: Final = r"[^\W\d][\w$'-]*[?!=]?|\$[\w$]+"
_SYMBOL: Final = re.compile(rf"(?:{_WORD})(?:(?:\.|::|->|\#)(?:{_WORD}))*")
_PATH: Final = re.compile(r"[\w./@+\[\]()$-]+")
_FILE_NAME: Final = re.compile(
    rf"(?:.*/)?(?:.+{_ENDING}|(?:{_WHOLE_NAME})(?:\.\w+)?|(?i:{_DOTTED_NAME}))"
)
_LINES_BEHIND: Final = re.compile(r":\d+(?:-\d+)?$")


def names_in(text: str) -> list[str]:
    """List what a text names of code, each once, in the order of the text."""
    found: dict[str, None] = {}
    for match in _NAME.finditer(text):
        name = _LINES_BEHIND.sub("", next(filter(None, match.groups())).strip())
        path, _, inside = name.partition("::")
        if is_path(path) and (not inside or _SYMBOL.fullmatch(inside)):
            found[name.removeprefix("./")] = None
            continue
        name = name.partition("(")[0]
        if len(name) >= _SHORTEST and _SYMBOL.fullmatch(name):
            found[name.replace("::", ".")] = None
    return list(found)[:_NAMES_PER_TEXT]


def is_path(name: str) -> bool:
    """Tell whether a name may be that of a source file; some may be those of symbols, too."""
    return _PATH.fullmatch(name) is not None and _FILE_NAME.fullmatch(name) is not None


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
    written = rf"(?<!\w){re.escape(name)}"
    if is_path(name):
        return re.compile(rf"(?<![.-]){written}(?!\w|\.\w)")
    if "_" in name.strip("_") or "." in name or re.search(r"[a-z][A-Z]", name):
        return re.compile(rf"{written}(?!\w)")
    return re.compile(rf"`[^`\n]*{written}(?!\w)[^`\n]*`|{written}\(|(?<=\.){written}(?!\w)")
