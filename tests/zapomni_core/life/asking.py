"""Short ways to ask an engine what it holds."""

from zapomni_core import MemoryEngine


async def texts_found(engine: MemoryEngine, query: str) -> list[str]:
    return [item.text for item in (await engine.search_memory(query)).results]


async def count(engine: MemoryEngine) -> int:
    return (await engine.get_stats()).total_memories
