"""Look at the database, the model, and whether they belong together."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from zapomni_cli.doctor.findings import Finding, ok, problem, warning
from zapomni_core import ConfigurationError, Settings, ZapomniError
from zapomni_core.embedding import open_embedder
from zapomni_core.embedding.stored import open_stored_embedder
from zapomni_core.keeping.inspection import Inspection, inspect, is_embedded
from zapomni_core.settings import BUILTIN_MODEL

__all__ = ["check_index", "check_model", "inspect_store"]


def inspect_store(settings: Settings, *, is_folder_ok: bool) -> tuple[Inspection | None, Finding]:
    """Have the database answer; an embedded one that was never used is not started."""
    if is_embedded(settings):
        if not is_folder_ok:
            message = "The embedded database was not started because of its folder."
            return None, warning("database", message, "mend the folder first")
        if not (settings.data_dir / "server.conf").exists():
            return None, ok("database", "Nothing is stored yet; the first memory starts it.")
    try:
        seen = asyncio.run(inspect(settings))
    except ZapomniError as exc:
        return None, problem("database", str(exc), _mend(settings))
    if seen.schema > seen.known_schema:
        message = f"It was written by a newer Zapomni (schema {seen.schema})."
        return seen, problem("database", message, "upgrade Zapomni")
    about = f"{seen.version} answers ({seen.mode}, {seen.memories:,} memories)."
    return seen, ok("database", about)


def check_model(settings: Settings, seen: Inspection | None) -> Finding:
    """Load the model and see that it is the one of the stored vectors."""
    stored = None if seen is None else seen.model_id
    try:
        model_id = asyncio.run(_load(settings, stored))
    except ConfigurationError as exc:
        return problem("model", str(exc), f"zapomni reembed --model {BUILTIN_MODEL}")
    except (ZapomniError, OSError) as exc:
        return problem("model", str(exc), _model_mend(settings))
    if stored is not None and stored != model_id:
        message = f"Memories were stored with the model {stored}, but {model_id} is set."
        mend = f"set EMBEDDING_MODEL={stored}, or run `zapomni reembed --model {model_id}`"
        return problem("model", message, mend)
    return ok("model", f"{model_id} loads.")


def check_index(seen: Inspection) -> Iterator[Finding]:
    """Compare what is stored with what it is found by."""
    if seen.vectors is not None and seen.vectors != seen.chunks:
        message = f"{seen.chunks:,} pieces are stored, but {seen.vectors:,} vectors."
        yield warning("index", message, "zapomni search anything")
    elif seen.vectors is None and seen.chunks:
        message = "The server has no vector sets, so search compares every piece."
        yield warning("index", message, "use FalkorDB on Redis 8, or the embedded database")
    else:
        yield ok("index", f"Each of {seen.chunks:,} pieces has its vector.")
    if seen.words == "damaged":
        message = "The copy of the word index on disk is damaged; it is made anew when needed."
        yield warning("words", message, "zapomni search anything")
    elif seen.words == "missing" and seen.chunks:
        yield ok("words", "There is no copy of the word index yet; the next search makes it.")
    else:
        yield ok("words", "The word index is whole.")


async def _load(settings: Settings, stored: str | None) -> str:
    with ThreadPoolExecutor(1) as executor:
        if stored is None or settings.embedding_model is not None:
            embedder = open_embedder(settings, executor)
        else:
            embedder = open_stored_embedder(settings, executor, stored)
        try:
            await embedder.dimension()
            return embedder.model_id
        finally:
            await embedder.close()


def _mend(settings: Settings) -> str:
    if is_embedded(settings):
        log = Path(settings.data_dir) / "server.log"
        return f"read {log}; `zapomni restore` brings a backup back"
    return "start the server, or check FALKORDB_URL or FALKORDB_HOST"


def _model_mend(settings: Settings) -> str:
    if settings.ollama_host is None:
        return "install Zapomni again"
    return "start Ollama, or unset OLLAMA_HOST for the built-in model"
