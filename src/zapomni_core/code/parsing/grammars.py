"""The grammars and our queries, loaded once per process; nothing is ever downloaded."""

from __future__ import annotations

import fcntl
import functools
import os
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import IO, Final

import semble_grammars  # type: ignore[import-untyped]
from semble_grammars.cache import cache_dir  # type: ignore[import-untyped]
from semble_grammars.loader import _platform_manifest  # type: ignore[import-untyped]
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
            with suppress(OSError, EOFError, tarfile.TarError, zlib.error):
                _unpack(language)
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

    It would otherwise be done in every worker at once.
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


def _unpack(language: str) -> None:
    """Unpack a grammar that is not there yet, and read the archive no further than to it.

    The package itself reads all 77 MB of it for every grammar: 0.1 s on a fast machine. It takes
    what it finds in place, and has the last word on what is missing or broken.
    """
    manifest = _platform_manifest()
    entry = manifest["languages"].get(language)
    place = cache_dir() / manifest["platform"]
    if entry is None or (place / entry["file"]).exists():
        return
    bundled = resources.files(semble_grammars) / "grammars" / manifest["platform"]
    with (bundled / manifest["archive"]).open("rb") as archive:
        library = _member(archive, entry["file"])
    if sha256(library).hexdigest() == entry["sha256"]:
        place.mkdir(parents=True, exist_ok=True)
        _write(place / entry["file"], library)


def _write(file: Path, content: bytes) -> None:
    """Write a file beside its place first, so that nobody ever finds half of it."""
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        beside.write_bytes(content)
        beside.chmod(0o755)
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)


def _member(archive: IO[bytes], name: str) -> bytes:
    with tarfile.open(fileobj=archive, mode="r|gz") as members:
        for member in members:
            if member.name == name and (content := members.extractfile(member)) is not None:
                return content.read()
    return b""


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
