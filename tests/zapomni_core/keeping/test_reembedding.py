"""Another model: the old one serves until the new one is complete, and they never mix."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.fakes import FakeOllama
from tests.folders import direct_client, fresh_settings, keyspace_of
from tests.zapomni_core.keeping.samples import exported, many_lines
from zapomni_core import ConfigurationError, MemoryEngine, Settings, ValidationError
from zapomni_core.embedding.ollama import OllamaEmbedder
from zapomni_core.embedding.protocol import Role, Vectors
from zapomni_core.keeping.reembedding import reembed
from zapomni_core.keeping_engine import KeepingEngine
from zapomni_db import EmbeddedAddress
from zapomni_db.connection import Connection

pytestmark = pytest.mark.anyio

MODEL = "nomic-embed-text"
COUNT = 40


class Interrupted(Exception):
    """Stands for the end of the process."""


class Failing(OllamaEmbedder):
    """Embeds so many pages, and no more."""

    pages = 0

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """Embed a page, or fail."""
        if role == "passage" and len(texts) > 1:
            if self.pages == 0:
                raise Interrupted
            self.pages -= 1
        return await super().embed(texts, role)


@pytest.fixture(autouse=True)
def _small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zapomni_db.reembedding._PAGE", 10)


@pytest.fixture
async def filled(settings: Settings, tmp_path: Path) -> Settings:
    file = tmp_path / "many.jsonl"
    file.write_bytes(many_lines(COUNT))
    await KeepingEngine(settings).import_memories(file)
    return settings


def with_ollama(settings: Settings, ollama: FakeOllama) -> Settings:
    return settings.model_copy(update={"ollama_host": ollama.host})


def keys_of(settings: Settings) -> dict[str, int]:
    """Count the vectors of each model."""
    root = keyspace_of(settings).vectors("")
    with direct_client(settings.data_dir) as client:
        names = [name.decode() for name in client.keys("*:vectors:*")]
        mine = [name for name in names if name.startswith(root)]
        return {name.removeprefix(root): client.execute_command("VCARD", name) for name in mine}


def dimensions(settings: Settings) -> set[int]:
    """Tell the lengths of the vectors on the chunks."""
    with direct_client(settings.data_dir) as client:
        query = "MATCH (c:Chunk) RETURN c.emb, c.next"
        rows = client.execute_command("GRAPH.RO_QUERY", keyspace_of(settings).graph, query)[1]
    assert all(waiting is None for _, waiting in rows)
    return {len(vector.decode().split(",")) for vector, _ in rows}


async def test_after_the_change_the_new_model_finds_what_the_old_one_found(
    filled: Settings, ollama: FakeOllama
) -> None:
    changed = with_ollama(filled, ollama)

    done = await KeepingEngine(changed).reembed(MODEL)

    assert (done.chunks, done.embedded) == (COUNT, COUNT)
    assert keys_of(filled) == {done.model: COUNT}
    assert dimensions(filled) == {48}
    async with MemoryEngine(changed) as engine:
        found = await engine.search_memory("The answer to 13 is 91.", 1)
    assert found.results[0].text == "The answer to 13 is 91."


async def test_the_old_model_is_refused_after_the_change(
    filled: Settings, ollama: FakeOllama
) -> None:
    await KeepingEngine(with_ollama(filled, ollama)).reembed(MODEL)

    async with MemoryEngine(filled) as engine:
        with pytest.raises(ConfigurationError):
            await engine.search_memory("answer", 1)


async def test_there_and_back_again_changes_nothing(filled: Settings, ollama: FakeOllama) -> None:
    before = await exported(filled, with_vectors=True)
    engine = KeepingEngine(with_ollama(filled, ollama))

    await engine.reembed(MODEL)
    between = await exported(filled, with_vectors=True)
    await engine.reembed("zapomni-small-2")

    assert between != before
    assert await exported(filled, with_vectors=True) == before


async def test_doing_it_again_does_nothing(filled: Settings, ollama: FakeOllama) -> None:
    engine = KeepingEngine(with_ollama(filled, ollama))
    await engine.reembed(MODEL)

    again = await engine.reembed(MODEL)

    assert (again.chunks, again.embedded) == (COUNT, 0)


async def test_until_the_change_the_old_model_answers_as_before(
    filled: Settings, ollama: FakeOllama
) -> None:
    before = await exported(filled, with_vectors=True)
    async with MemoryEngine(filled) as serving:
        expected = await serving.search_memory("the answer to 13", 5)
        await interrupted(filled, ollama)

        found = await serving.search_memory("the answer to 13", 5)

    assert [hit.similarity_score for hit in found.results] == [
        hit.similarity_score for hit in expected.results
    ]
    assert await exported(filled, with_vectors=True) == before


async def test_it_goes_on_where_it_was_cut_off(filled: Settings, ollama: FakeOllama) -> None:
    await interrupted(filled, ollama)

    done = await KeepingEngine(with_ollama(filled, ollama)).reembed(MODEL)

    assert 0 < done.embedded < COUNT
    assert done.chunks == COUNT


async def test_what_was_begun_for_one_model_is_not_used_for_another(
    filled: Settings, ollama: FakeOllama
) -> None:
    ollama.models.append("other-model:latest")
    await interrupted(filled, ollama, "other-model")

    done = await KeepingEngine(with_ollama(filled, ollama)).reembed(MODEL)

    assert done.embedded == done.chunks == COUNT
    assert keys_of(filled)[done.model] == COUNT


async def test_memories_added_meanwhile_are_changed_too(
    filled: Settings, ollama: FakeOllama
) -> None:
    async with MemoryEngine(filled) as serving:
        await interrupted(filled, ollama)
        await serving.add_memory("A late memory about lighthouses.")

    done = await KeepingEngine(with_ollama(filled, ollama)).reembed(MODEL)

    assert done.chunks == COUNT + 1
    assert dimensions(filled) == {48}


async def test_a_server_that_dies_before_the_note_is_written_still_has_one_model(
    filled: Settings, ollama: FakeOllama
) -> None:
    before = keyspace_of(filled).about
    engine = KeepingEngine(with_ollama(filled, ollama))
    with direct_client(filled.data_dir) as client:
        old = client.hget(before, "model")
        await engine.reembed(MODEL)
        client.hset(before, "model", old)

    done = await engine.reembed(MODEL)

    assert done.embedded == 0
    with direct_client(filled.data_dir) as client:
        assert client.hget(before, "model") != old


async def test_an_unknown_model_is_refused(settings: Settings) -> None:
    with pytest.raises(ValidationError):
        await KeepingEngine(settings).reembed("no-such-model")


async def test_an_empty_memory_changes_its_model(memory_folder: Path, ollama: FakeOllama) -> None:
    empty = fresh_settings(memory_folder, ollama_host=ollama.host)

    done = await KeepingEngine(empty).reembed(MODEL)

    assert done.chunks == 0
    async with MemoryEngine(empty) as engine:
        await engine.add_memory("The first one.")


async def interrupted(settings: Settings, ollama: FakeOllama, model: str = MODEL) -> None:
    """Embed two pages for another model, and end."""
    connection = Connection(EmbeddedAddress(settings.data_dir))
    await connection.open()
    embedder = Failing(ollama.host, model, 10.0)
    embedder.pages = 2
    try:
        with pytest.raises(Interrupted):
            await reembed(connection, [keyspace_of(settings)], embedder)
    finally:
        await embedder.close()
        await connection.close()
