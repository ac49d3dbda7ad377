"""The grammars and our queries, loaded once per process; nothing is ever downloaded."""

from __future__ import annotations

import fcntl
import functools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import semble_grammars  # type: ignore[import-untyped]
from semble_grammars.cache import cache_dir  # type: ignore[import-untyped]
from tree_sitter import Language, Parser, Query

from zapomni_core.errors import ConfigurationError

__all__ = ["GrammarUnavailable", "grammar", "parser", "query"]

_QUERIES: Final = Path(__file__).parent / "queries"
_INHERITS: Final = "; inherits: "


class GrammarUnavailable(ConfigurationError):
    """A grammar that belongs to the installation cannot be loaded."""


@functools.cache
def grammar(language: str) -> Language:
    """Load the grammar of a language.

    It is unpacked at first use into the folder `SEMBLE_GRAMMARS_CACHE_DIR`.
    """
    try:
        with _alone():
            loaded: Language = semble_grammars.get_language(language)
    except (
        semble_grammars.GrammarLoadError,
        semble_grammars.LanguageNotFoundError,
        semble_grammars.UnsupportedPlatformError,
    ) as exc:
        raise GrammarUnavailable(
            f"The grammar of {language} cannot be loaded ({exc}: {exc.__cause__}); reinstall "
            "semble-grammars, or point SEMBLE_GRAMMARS_CACHE_DIR to a folder that can be written"
        ) from exc
    return loaded


@contextmanager
def _alone() -> Iterator[None]:
    """Let one process at a time unpack, so that others find what it has unpacked.

    It takes 0.3 s of CPU for each language, and would otherwise be done in every worker at once.
    """
    folder = cache_dir()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / ".lock").open("w")
    except OSError:
        # What is unpacked already can be loaded from a folder that cannot be written.
        yield
        return
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@functools.cache
def parser(language: str) -> Parser:
    """Return the parser of a language."""
    return Parser(grammar(language))


@functools.cache
def query(language: str) -> Query:
    """Compile the query that finds definitions, calls, imports and bindings."""
    return Query(grammar(language), _source(language))


def _source(name: str) -> str:
    """Read a query, with those that it says it inherits."""
    source = (_QUERIES / f"{name}.scm").read_text(encoding="utf-8")
    marks = [line for line in source.splitlines() if line.startswith(_INHERITS)]
    return "\n".join([source, *(_source(mark.removeprefix(_INHERITS)) for mark in marks)])
