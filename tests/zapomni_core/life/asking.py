"""Short ways to ask an engine what it holds."""

from zapomni_core import MemoryEngine


async def texts_found(engine: MemoryEngine, query: str) -> list[str]:
    return [item.text for item in (await engine.search_memory(query)).results]


async def count(engine: MemoryEngine) -> int:
    return (await engine.get_stats()).total_memories


async def expire(engine: MemoryEngine, memory_id: str) -> None:
    """Let the time of a memory be over: as if an hour had passed."""
    assert engine._workspace is not None
    store = engine._workspace._store
    await store._memories._graph.write(
        "MATCH (m:Memory {id: $id}) SET m.expires = 1", id=memory_id.replace("-", "")
    )
