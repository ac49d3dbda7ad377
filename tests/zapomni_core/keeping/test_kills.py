"""Imports and changes of the model, killed in the middle: old or new, never something between."""

from collections.abc import Callable, Iterator
from pathlib import Path

import anyio
import pytest

from tests.fakes import EMBEDDING_MODEL, CountingEmbedder, FakeOllama
from tests.folders import direct_client, keyspace_of, running_database
from tests.zapomni_core.keeping.samples import exported, kill, many_lines, settings_in, start
from tests.zapomni_db.servers import wait_until
from zapomni_core import Settings
from zapomni_core.keeping_engine import KeepingEngine

pytestmark = pytest.mark.anyio

COUNT = 2500


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Settings]:
    with running_database(tmp_path / "memory") as folder:
        yield settings_in(folder)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "many.jsonl"
    path.write_bytes(many_lines(COUNT))
    return path


async def until(condition: Callable[[], bool]) -> None:
    await anyio.to_thread.run_sync(lambda: wait_until(condition, within_s=60))


async def test_an_import_that_was_killed_goes_on_to_the_same_end(
    served: Settings, file: Path, ollama: FakeOllama
) -> None:
    process = start(served.data_dir, "import", file, OLLAMA_HOST=ollama.host)
    await until(lambda: count_memories(served) > 0 or process.poll() is not None)
    kill(process)
    left = count_memories(served)
    settings = served.model_copy(update={"ollama_host": ollama.host})

    imported = await KeepingEngine(settings).import_memories(file)

    assert imported.present == left > 0
    assert imported.added == COUNT - left
    whole = settings_in(served.data_dir, "whole").model_copy(update={"ollama_host": ollama.host})
    await KeepingEngine(whole).import_memories(file)
    assert await exported(settings, with_vectors=True) == await exported(whole, with_vectors=True)


async def test_a_change_of_the_model_that_was_killed_has_changed_nothing_or_everything(
    served: Settings, file: Path, ollama: FakeOllama
) -> None:
    await KeepingEngine(served, embedder=CountingEmbedder()).import_memories(file)
    before = await exported(served, with_vectors=True)
    old = stamp(served)
    process = start(
        served.data_dir, "reembed", "--model", EMBEDDING_MODEL, OLLAMA_HOST=ollama.host
    )

    await until(lambda: waiting(served) > 0 or process.poll() is not None)
    kill(process)

    is_old = stamp(served) == old
    assert (await exported(served, with_vectors=True) == before) is is_old
    settings = served.model_copy(update={"ollama_host": ollama.host})
    done = await KeepingEngine(settings).reembed(EMBEDDING_MODEL)
    assert done.embedded < COUNT
    assert waiting(served) == 0
    assert stamp(served) != old


def ask(settings: Settings, query: str) -> int:
    with direct_client(settings.data_dir) as client:
        graph = keyspace_of(settings).graph
        if not client.exists(graph):
            return 0
        return int(client.execute_command("GRAPH.RO_QUERY", graph, query)[1][0][0])


def count_memories(settings: Settings) -> int:
    return ask(settings, "MATCH (m:Memory) WHERE m.ready RETURN count(m)")


def waiting(settings: Settings) -> int:
    return ask(settings, "MATCH (c:Chunk) WHERE c.next IS NOT NULL RETURN count(c)")


def stamp(settings: Settings) -> bytes | None:
    with direct_client(settings.data_dir) as client:
        found: bytes | None = client.hget(keyspace_of(settings).about, "model")
        return found
