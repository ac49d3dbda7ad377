"""The integration tests of add_memory: tool, engine, model and database together."""

from pathlib import Path

import numpy as np
import pytest

from tests.folders import database_process, direct_client, fresh_settings, keyspace_of
from tests.zapomni_mcp.engines import without_database
from zapomni_core import MemoryEngine, Settings
from zapomni_mcp import AddMemoryTool
from zapomni_mcp.tools import ToolResult

pytestmark = pytest.mark.anyio


def answer(result: ToolResult) -> str:
    text: str = result["content"][0]["text"]
    return text


async def test_add_memory_end_to_end(
    engine: MemoryEngine, settings: Settings, memory_folder: Path
) -> None:
    tool = AddMemoryTool(core_engine=engine)

    result = await tool.execute({"text": "Integration test memory", "metadata": {"test": True}})

    with direct_client(memory_folder) as client:
        found = client.execute_command(
            "GRAPH.RO_QUERY",
            keyspace_of(settings).graph,
            "MATCH (m:Memory)-[:HAS]->(c:Chunk) RETURN m.id, m.meta, c.text",
        )
    ((memory_id, metadata, text),) = found[1]
    assert result["structuredContent"]["memory_id"].replace("-", "") == memory_id.decode()
    assert (metadata, text) == (b'{"test":true}', b"Integration test memory")


async def test_add_memory_with_real_embeddings(
    engine: MemoryEngine, settings: Settings, memory_folder: Path
) -> None:
    await AddMemoryTool(core_engine=engine).execute({"text": "Cats sleep most of the day."})

    with direct_client(memory_folder) as client:
        key = keyspace_of(settings).vectors("zapomni-small-2")
        (member,) = client.execute_command("VRANDMEMBER", key, 1)
        vector = np.array(client.execute_command("VEMB", key, member), np.float64)
    assert vector.shape == (384,)
    assert np.linalg.norm(vector) == pytest.approx(1.0, abs=0.01)


async def test_error_propagation_from_core(memory_folder: Path) -> None:
    result = await AddMemoryTool(without_database(memory_folder)).execute({"text": "a text"})

    assert result["isError"]
    assert answer(result).startswith("Error: Database temporarily unavailable.")


async def test_a_killed_database_is_started_again(tmp_path: Path) -> None:
    async with MemoryEngine(fresh_settings(tmp_path / "memory")) as engine:
        tool = AddMemoryTool(engine)
        await tool.execute({"text": "Before the crash"})
        database_process(tmp_path / "memory").kill()

        result = await tool.execute({"text": "After the crash"})

        assert not result["isError"]
        assert (await engine.get_stats()).total_memories == 2


async def test_a_data_folder_that_became_a_file_is_named_as_the_cause(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    engine = MemoryEngine(fresh_settings(folder))
    tool = AddMemoryTool(engine)
    assert not (await tool.execute({"text": "Before"}))["isError"]
    database = database_process(folder)
    folder.rename(tmp_path / "elsewhere")
    folder.write_text("in the way")
    database.kill()
    database.wait(10)

    result = await tool.execute({"text": "After"})

    assert answer(result) == (
        "Error: The data folder cannot be used: a file is in its place; "
        "set ZAPOMNI_DATA_DIR to a folder."
    )
    folder.unlink()
    await engine.close()
