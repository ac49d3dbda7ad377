"""Look at what an engine has stored of a folder."""

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
