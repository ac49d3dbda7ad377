"""Keep filled stores between runs, as long as nothing that decides their content has changed."""

from __future__ import annotations

import ast
import fcntl
import hashlib
import json
import shutil
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import zapomni_core.workspace  # noqa: F401  (loaded now, to be what is fingerprinted below)
from benchmarks.recall.access import Access
from benchmarks.recall.sets import Memory

__all__ = ["Store", "decisive_files", "kept_store"]

_SOURCES = Path(__file__).parents[2] / "src"
_ROOTS = ("zapomni_core.preparation", "zapomni_core.setting", "zapomni_core.validation")
# They name results and messages, and neither is stored.
_HARMLESS = frozenset({"zapomni_core.errors", "zapomni_core.models"})


@dataclass(frozen=True, slots=True)
class Store:
    """A filled data folder and the document of each of its memories."""

    folder: Path
    document_of: Mapping[str, str]


@asynccontextmanager
async def kept_store(
    stores: Path,
    name: str,
    memories: Sequence[Memory],
    model_id: str,
    access: Callable[[Path], AbstractAsyncContextManager[Access]],
    *,
    has_graph: bool = False,
) -> AsyncIterator[Store]:
    """Fill a store unless it is there; others may read it at the same time."""
    folder = stores / f"{name}-{_fingerprint(memories, model_id)}"
    folder.mkdir(parents=True, exist_ok=True)
    documents = folder / "documents.json"
    with (folder / "lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
        if not documents.exists():
            fcntl.flock(lock, fcntl.LOCK_EX)
        if not documents.exists():
            shutil.rmtree(folder / "memory", ignore_errors=True)
            async with access(folder / "memory") as memory:
                document_of = await _fill(memory, name, memories)
                if has_graph:
                    await memory.build_graph()
            documents.write_text(json.dumps(document_of), encoding="utf-8")
        fcntl.flock(lock, fcntl.LOCK_SH)
        _remove_stale(stores, name, folder)
        # The saved word index is not part of the fingerprint, and is quickly built again.
        shutil.rmtree(folder / "memory" / "cache", ignore_errors=True)
        yield Store(folder / "memory", json.loads(documents.read_text(encoding="utf-8")))


async def _fill(memory: Access, name: str, memories: Sequence[Memory]) -> dict[str, str]:
    started = time.perf_counter()
    document_of = {await memory.add(m.text, m.metadata): m.document_id for m in memories}
    seconds = time.perf_counter() - started
    print(f"{name}: {len(memories)} memories stored in {seconds:.1f} s", file=sys.stderr)
    return document_of


def _remove_stale(stores: Path, name: str, current: Path) -> None:
    for folder in set(stores.glob(f"{name}-*")) - {current}:
        with (folder / "lock").open("w", encoding="utf-8") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue  # another run still reads it
            shutil.rmtree(folder, ignore_errors=True)


def _fingerprint(memories: Sequence[Memory], model_id: str) -> str:
    content = hashlib.sha256(model_id.encode() + _SOURCE_DIGEST)
    content.update(json.dumps([asdict(memory) for memory in memories]).encode())
    return content.hexdigest()[:12]


def _source_digest() -> bytes:
    digest = hashlib.sha256()
    for path in decisive_files():
        digest.update(path.read_bytes())
    return digest.digest()


def decisive_files() -> list[Path]:
    """Return the source files that decide what is stored: what preparing imports, and the store.

    A package counts as its `__init__` and what that imports; a module named in it counts alone.
    """
    found: set[Path] = set((_SOURCES / "zapomni_db").glob("*.py"))
    waiting = [_file(name) for name in _ROOTS]
    while waiting:
        path = waiting.pop()
        if path is not None and path not in found:
            found.add(path)
            waiting += [_file(name) for name in _imported(path) if name not in _HARMLESS]
    return sorted(found)


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if _file(inner) else node.module


def _file(name: str) -> Path | None:
    place = _SOURCES / name.replace(".", "/")
    candidates = (place.with_suffix(".py"), place / "__init__.py")
    return next((path for path in candidates if path.exists()), None)


# While a long run stores, somebody may edit the sources; what was loaded counts.
_SOURCE_DIGEST = _source_digest()
