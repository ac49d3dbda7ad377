"""Chains taken apart: `a.b[]().c` is a, attribute b, item, call, attribute c.

The parts of a tuple that is unpacked are written with their places, as `f()[0]`. What a function
is called with that is handed over itself is written as `f{1,0}`: the first parameter of the second
argument. `{}` is an object that is written out, `a[+]` a list of such things as `a`, and `a[*]` a
list of the things in `a`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

__all__ = [
    "CALL",
    "ITEM",
    "OBJECT",
    "WHOLE",
    "names_in",
    "names_of_file",
    "names_of_module",
    "steps_of",
]

CALL: Final = "()"
ITEM: Final = "[]"
LIST_OF: Final = "[+]"
LIST_OUT_OF: Final = "[*]"
OBJECT: Final = "{}"
# The name of what a file of JavaScript exports as a whole.
WHOLE: Final = "default"
_STEP: Final = re.compile(r"\(\)|\[(?:\d*|[*+])\]|\{[\d,]*\}|\?|[^.()\[\]{}?]+")
_NAME: Final = re.compile(r"[^\W\d]\w*")


@lru_cache(maxsize=65536)
def steps_of(chain: str) -> tuple[str, ...]:
    """Return the links of a chain; a call and a subscript are links of their own."""
    return tuple(_STEP.findall(chain))


@lru_cache(maxsize=65536)
def names_in(text: str) -> tuple[str, ...]:
    """Return every name that a chain or a type mentions."""
    return tuple(_NAME.findall(text))


def names_of_module(module: str) -> tuple[str, ...]:
    """Return the names in which an import mentions a module; a dot for the folder it is in."""
    return names_in(module) or (".",)


def names_of_file(path: str) -> tuple[str, ...]:
    """Return the names by one of which every import of a file mentions it."""
    folder, _, name = path.rpartition("/")
    return name.partition(".")[0], folder.rpartition("/")[2], "."
