"""Workspaces that are backed up, restored, moved, embedded anew: all, and each as it was."""

import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.fakes import DIMENSION, EMBEDDING_MODEL, CountingEmbedder, FakeOllama
from tests.folders import direct_client, fresh_settings, running_database
from tests.zapomni_db.servers import WITH_GRAPHS, running_server
from zapomni_core import (
    ConfigurationError,
    MemoryEngine,
    ProcessingError,
    Settings,
    ValidationError,
)
from zapomni_core.embedding.protocol import Role, Vectors
from zapomni_core.keeping.reembedding import reembed
from zapomni_core.keeping_engine import KeepingEngine
from zapomni_db import Connection, EmbeddedAddress, WorkspaceRegistry

pytestmark = pytest.mark.anyio

NAMES = ("default", "work", "Work")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Settings]:
    with running_database(tmp_path / "memory") as folder:
        yield fresh_settings(folder)


def in_workspace(settings: Settings, name: str) -> Settings:
    return settings.model_copy(update={"workspace": name})


async def fill(settings: Settings) -> None:
    async with MemoryEngine(settings) as engine:
        for name in NAMES:
            if name != "default":
                await engine.create_workspace(name, f"about {name}")
            await engine.within(name).add_memory(f"{name} is where this was said.")
            await engine.within(name).add_memory("Everybody knows this.")


async def exports(settings: Settings) -> dict[str, bytes]:
    written = {}
    for name in NAMES:
        file = io.BytesIO()
        keeping = KeepingEngine(in_workspace(settings, name))
        await keeping.export_memories(file, with_vectors=True)
        written[name] = file.getvalue()
    return written


async def descriptions(settings: Settings) -> dict[str, str]:
    async with MemoryEngine(settings) as engine:
        return {each.name: each.description for each in await engine.list_workspaces()}


async def test_a_backup_holds_every_workspace_and_brings_them_back(tmp_path: Path) -> None:
    settings = fresh_settings(tmp_path / "memory")
    await fill(settings)
    before = await exports(settings)
    backup = await KeepingEngine(in_workspace(settings, "work")).back_up(tmp_path / "b.tar")
    async with MemoryEngine(settings) as engine:
        await engine.delete_workspace("work", "work")
        await engine.within("Work").clear_all("DELETE ALL MEMORIES")

    restored = await KeepingEngine(settings).restore(tmp_path / "b.tar")

    assert (backup.memories, restored.memories) == (6, 6)
    assert await exports(settings) == before
    assert await descriptions(settings) == {
        "default": "",
        "work": "about work",
        "Work": "about Work",
    }


async def test_a_restore_by_a_view_of_an_open_engine_closes_that_engine_first(
    tmp_path: Path,
) -> None:
    settings = fresh_settings(tmp_path / "memory")
    await fill(settings)
    await KeepingEngine(settings).back_up(tmp_path / "b.tar")

    async with MemoryEngine(settings) as engine:
        await engine.within("work").add_memory("Said after the backup.")
        await engine.within("work").restore(tmp_path / "b.tar")
        assert (await engine.within("work").get_stats()).total_memories == 2


async def test_a_move_takes_every_workspace_along(served: Settings, tmp_path: Path) -> None:
    await fill(served)
    there = fresh_settings(tmp_path / "there", graph_name=served.graph_name)

    moved = await KeepingEngine(in_workspace(served, "work")).move_to(there)
    again = await KeepingEngine(served).move_to(there)

    assert (moved.memories, moved.added, moved.workspaces) == (6, 6, 3)
    assert (again.added, again.sha256) == (0, moved.sha256)
    assert await exports(there) == await exports(served)
    assert await descriptions(there) == await descriptions(served)


async def test_a_server_is_backed_up_into_a_file_for_each_workspace(tmp_path: Path) -> None:
    (tmp_path / "server").mkdir()
    with running_server(tmp_path / "server", *WITH_GRAPHS) as server:
        settings = fresh_settings(
            tmp_path / "data", falkordb_host="127.0.0.1", falkordb_port=server.port
        )
        await fill(settings)
        before = await exports(settings)

        backup = await KeepingEngine(settings).back_up(tmp_path / "b.jsonl")

    files = [Path(backup.path), *map(Path, backup.others)]
    assert backup.memories == 6
    assert [file.read_bytes() for file in files] == [before[name] for name in NAMES]
    assert all(file.with_name(f"{file.name}.sha256").exists() for file in files)


async def test_exports_and_imports_refuse_a_workspace_that_does_not_exist(
    served: Settings, tmp_path: Path
) -> None:
    await fill(served)
    lost = KeepingEngine(in_workspace(served, "wrok"))

    with pytest.raises(ValidationError, match="did you mean work or Work"):
        await lost.export_memories(io.BytesIO())
    with pytest.raises(ValidationError, match="does not exist"):
        await lost.export_markdown(tmp_path / "new")
    assert sorted(await descriptions(served)) == sorted(NAMES)


async def test_another_model_is_that_of_every_workspace(
    served: Settings, ollama: FakeOllama
) -> None:
    await fill(served)
    settings = served.model_copy(update={"ollama_host": ollama.host})

    done = await KeepingEngine(in_workspace(settings, "work")).reembed(EMBEDDING_MODEL)
    again = await KeepingEngine(settings).reembed(EMBEDDING_MODEL)

    assert (done.chunks, done.embedded, done.workspaces) == (6, 6, 3)
    assert again.embedded == 0
    assert len(models(served)) == 1
    async with MemoryEngine(settings) as engine:
        for name in NAMES:
            assert (await engine.within(name).search_memory("Everybody")).count == 2
    async with MemoryEngine(served) as engine:
        with pytest.raises(ConfigurationError, match="cannot be mixed"):
            await engine.within("work").search_memory("Everybody")


class Exhausted(CountingEmbedder):
    """Embeds two workspaces, and no more."""

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """Embed, or fail."""
        if len(self.batches) == 2:
            raise ProcessingError("exhausted")
        return await super().embed(texts, role)


async def test_no_workspace_changes_its_model_before_all_are_ready(served: Settings) -> None:
    await fill(served)
    before = await exports(served)
    connection = Connection(EmbeddedAddress(served.data_dir))
    await connection.open()
    registry = WorkspaceRegistry(connection, served.graph_name)
    keyspaces = [registry.keyspace(each.id) for each in await registry.all()]

    with pytest.raises(ProcessingError, match="exhausted"):
        await reembed(connection, keyspaces, Exhausted())
    unchanged = await exports(served)
    done = await reembed(connection, keyspaces, CountingEmbedder())
    await connection.close()

    assert unchanged == before
    assert (done.chunks, done.embedded) == (6, 2)
    assert models(served) == {b"counting/%d" % DIMENSION}


def models(settings: Settings) -> set[bytes]:
    with direct_client(settings.data_dir) as client:
        keys = client.scan_iter(f"{{{settings.graph_name}:*:about")
        return {client.hget(key, "model") for key in keys}
