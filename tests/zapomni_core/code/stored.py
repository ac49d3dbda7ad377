"""Look at what an engine has stored of a folder."""

from dataclasses import replace
from pathlib import Path

from zapomni_core import MemoryEngine
from zapomni_core.code.repositories import repository_id
from zapomni_db.code import CodeIndex


def index_of(engine: MemoryEngine, root: Path) -> CodeIndex:
    """Give the index of a folder."""
    assert engine._workspace is not None
    return engine._workspace._store.code.index(repository_id(root))


async def callers(engine: MemoryEngine, symbol: str) -> list[str]:
    """Name who calls a symbol."""
    graph = await engine.get_call_graph(symbol)
    return [site.symbol.qualified_name for site in graph.sites]


async def as_of_earlier_version(engine: MemoryEngine, root: Path) -> None:
    """Make an index look like that of a version whose facts nobody can read any more."""
    assert engine._workspace is not None
    store, index = engine._workspace._store.code, index_of(engine, root)
    record = await store.repository(repository_id(root))
    assert record is not None
    await store.update(replace(record, extractor_version="0.0"))
    for path in await index.files():
        await index._connection.execute("HSET", index._keys.facts, path, b"unreadable")
