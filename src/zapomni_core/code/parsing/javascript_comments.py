"""Types that are written in comments, as JavaScript has no other place for them."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["documented_parameters", "documented_result", "documented_type"]

type _Parameters = tuple[tuple[str, str], ...]

# `{?Foo}`, `{!Foo}`, `{...Foo}` and `{Foo=}` are all about a Foo.
_TYPE: Final = r"\{[?!.]*([^{}]{1,200}?)=?\}"
_PARAMETER: Final = re.compile(rf"@(?:param|arg|argument)\s+{_TYPE}\s+\[?([\w$]+)(?![\w$.])")
_RESULT: Final = re.compile(rf"@returns?\s+{_TYPE}")
_HELD: Final = re.compile(rf"@type\s+{_TYPE}")


def documented_parameters(parameters: _Parameters, doc: str) -> _Parameters:
    """Give parameters the types that a comment tells, where nothing else does."""
    if "@" not in doc:
        return parameters
    told = {name: kind for kind, name in _PARAMETER.findall(doc)}
    return tuple((name, kind or told.get(name, "")) for name, kind in parameters)


def documented_result(doc: str) -> str:
    """Return the type that a comment says a function returns."""
    found = _RESULT.search(doc) if "@return" in doc else None
    return found[1] if found else ""


def documented_type(doc: str) -> str:
    """Return the type that a comment says a name holds."""
    found = _HELD.search(doc)
    return found[1] if found else ""
