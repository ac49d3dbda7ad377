"""Python's import statements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from zapomni_core.code.model import Import

__all__ = ["read_imports"]

_NOISE: Final = re.compile(r"#[^\n]*|\\\r?\n|[()]")
_FROM: Final = re.compile(r"from\s*([.\s]*[\w.\s]*?)\s*\bimport\b\s*(.*)", re.DOTALL)
_CACHE_ENTRIES: Final = 1 << 12
_MODULE: Final = re.compile(r"[\w.]+")


# Half of the statements of a repository stand in other files of it too.
@lru_cache(_CACHE_ENTRIES)
def read_imports(statement: str) -> tuple[Import, ...]:
    """Read one statement; everything imported at the top can be imported from here again."""
    return tuple(_imports(statement))


def _imports(statement: str) -> Iterator[Import]:
    plain = _NOISE.sub(" ", statement).strip().rstrip(";")
    matched = _FROM.fullmatch(plain)
    if matched is None:
        yield from _modules(plain.removeprefix("import"))
        return
    module = "".join(matched.group(1).split())
    for name, alias in _aliased(matched.group(2)):
        yield Import(module, name, "" if name == "*" else alias or name, 0, is_export=True)


def _modules(listed: str) -> Iterator[Import]:
    for name, alias in _aliased(listed):
        if _MODULE.fullmatch(name):
            yield Import(name, "", alias or name.partition(".")[0], 0, is_export=True)


def _aliased(listed: str) -> Iterator[tuple[str, str]]:
    for each in listed.split(","):
        match each.split():
            case [name]:
                yield name, ""
            case [name, "as", alias]:
                yield name, alias
            case [*parts] if parts and all(part != "as" for part in parts):
                yield "".join(parts), ""
