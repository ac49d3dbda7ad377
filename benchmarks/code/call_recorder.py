"""A pytest plugin that writes down which function each call of a project really reaches.

It runs in the environment of the project and needs nothing but the standard library. The
project's folder and the file to write are given by the environment. Of `f(*args)` CPython 3.12
does not tell if `f` is a function: such calls are not heard, and their lines not judged.
"""

from __future__ import annotations

import functools
import inspect
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType, MethodType

FOLDER = os.environ["RECORDED_FOLDER"] + os.sep
TARGET = Path(os.environ["RECORDED_CALLS"])
TOOL = sys.monitoring.PROFILER_ID

# Called at the place of a call that is written there, without being written.
UNWRITTEN = frozenset({"<genexpr>", "__exit__", "__aexit__"})
DEEPEST_WRAPPING = 8

# The place of the call in the file, and the functions any of which is a right answer.
type Place = tuple[str, int, int]
_seen: set[tuple[CodeType, int, tuple[str, ...]]] = set()


def pytest_configure() -> None:
    """Start to listen."""
    sys.monitoring.use_tool_id(TOOL, "recorder")
    sys.monitoring.register_callback(TOOL, sys.monitoring.events.CALL, _on_call)
    sys.monitoring.set_events(TOOL, sys.monitoring.events.CALL)


def pytest_unconfigure() -> None:
    """Write down what was heard."""
    sys.monitoring.set_events(TOOL, 0)
    TARGET.write_text(json.dumps(sorted(_rows())), encoding="utf-8")


def _rows() -> Iterator[tuple[Place, tuple[str, ...]]]:
    """Keep the first call that ends at a place: that is the one that is written there.

    A decorator is applied and a context is left at the place of the call that made it, later.
    """
    offsets: dict[tuple[CodeType, Place], int] = {}
    for code, offset, _ in _seen:
        at = code, _place(code, offset)
        offsets[at] = min(offset, offsets.get(at, offset))
    for code, offset, names in _seen:
        place = _place(code, offset)
        if offsets[code, place] == offset:
            yield place, names


def _on_call(code: CodeType, offset: int, called: object, _first: object) -> object:
    if not code.co_filename.startswith(FOLDER):
        return sys.monitoring.DISABLE
    if getattr(called, "__name__", "") not in UNWRITTEN:
        _seen.add((code, offset, tuple(dict.fromkeys(_names(called)))))
    return None


def _place(code: CodeType, offset: int) -> Place:
    """Return the file and the end of the call; no two calls end at the same place."""
    _, end_line, _, end_column = list(code.co_positions())[offset // 2]
    return code.co_filename.removeprefix(FOLDER), end_line or 0, end_column or 0


def _names(called: object) -> Iterator[str]:
    """Yield the project's functions that such a call reaches, and what they wrap."""
    if isinstance(called, type):
        yield from _names_of_class(called)
    elif isinstance(called, MethodType):
        yield from _names(called.__func__)
    elif isinstance(called, functools.partial):
        yield from _names(called.func)
    elif isinstance(called, FunctionType):
        yield from _names_of_function(called)
    elif hasattr(called, "__wrapped__"):
        yield from _names(called.__wrapped__)
    else:
        yield from _names_of_function(inspect.getattr_static(type(called), "__call__", None))


def _names_of_function(function: object) -> Iterator[str]:
    # The wrapper is what runs, the wrapped is what the caller names.
    for _ in range(DEEPEST_WRAPPING):
        code = getattr(function, "__code__", None)
        if code is not None:
            yield from _names_of_code(code)
        function = getattr(function, "__wrapped__", None)


def _names_of_code(code: CodeType) -> Iterator[str]:
    if code.co_filename.startswith(FOLDER):
        yield f"{code.co_filename.removeprefix(FOLDER)}::{_plain(code.co_qualname)}"


def _names_of_class(called: type) -> Iterator[str]:
    module = sys.modules.get(called.__module__)
    file = getattr(module, "__file__", None) or ""
    if file.startswith(FOLDER):
        yield f"{file.removeprefix(FOLDER)}::{_plain(called.__qualname__)}"
    for maker in ("__init__", "__new__"):
        yield from _names_of_function(getattr(called, maker))
    if type(called) is not type:
        yield from _names_of_function(inspect.getattr_static(type(called), "__call__", None))


def _plain(qualified: str) -> str:
    return qualified.replace(".<locals>", "")
