"""Short ways to ask what a workspace holds, and what is said in them."""

import io
import json
from typing import Any

from tests.folders import direct_client
from zapomni_core import MemoryEngine, Settings

TEXT = "Anna Petrova works at Siemens in Munich since March 2021."
CODE = "def encode_session(session):\n    return repr(session)\n"


def keys_of(settings: Settings) -> set[bytes]:
    with direct_client(settings.data_dir) as client:
        return set(client.scan_iter(f"*{settings.graph_name}*"))


async def found(engine: MemoryEngine, query: str) -> list[str]:
    return [item.memory_id for item in (await engine.search_memory(query)).results]


async def exported(engine: MemoryEngine) -> list[dict[str, Any]]:
    file = io.BytesIO()
    await engine.export_memories(file)
    return [json.loads(line) for line in file.getvalue().splitlines()]


async def memories_of(engine: MemoryEngine) -> dict[str, int]:
    return {each.name: each.memories for each in await engine.list_workspaces()}
