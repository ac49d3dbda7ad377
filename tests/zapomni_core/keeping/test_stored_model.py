"""Without EMBEDDING_MODEL, the model whose vectors a memory holds is the one that serves."""

from pathlib import Path

import pytest

from tests.fakes import DIMENSION, FakeOllama
from tests.folders import direct_client, fresh_settings, keyspace_of
from tests.zapomni_core.keeping.samples import many_lines
from zapomni_core import ConfigurationError, MemoryEngine, Settings
from zapomni_core.keeping_engine import KeepingEngine

pytestmark = pytest.mark.anyio

MINILM = "all-MiniLM-L6-v2"
BUILT_IN = "zapomni-small-2"


def with_settings(settings: Settings, **given: object) -> Settings:
    return settings.model_copy(update=given)


def stamp(settings: Settings, model: str | None = None) -> str:
    """Read, or first change, which model a store says it belongs to."""
    with direct_client(settings.data_dir) as client:
        about = keyspace_of(settings).about
        if model is not None:
            client.hset(about, "model", f"{model}/{DIMENSION}")
        return str(client.hget(about, "model").decode().rpartition("/")[0])


async def test_a_model_that_was_changed_to_serves_without_being_named(
    settings: Settings, ollama: FakeOllama
) -> None:
    chosen = with_settings(settings, ollama_host=ollama.host, embedding_model="other-model")
    async with MemoryEngine(settings) as engine:
        await engine.add_memory("The ferry leaves at seven.")
    await KeepingEngine(chosen).reembed("other-model")

    async with MemoryEngine(with_settings(settings, ollama_host=ollama.host)) as engine:
        await engine.add_memory("The train leaves at nine.")
        found = await engine.search_memory("ferry", 1)
        model = (await engine.get_stats()).embedding_model

    assert found.results[0].text == "The ferry leaves at seven."
    assert model == stamp(settings) == "ollama-other-model"


async def test_a_local_model_serves_even_if_there_is_an_ollama(
    settings: Settings, ollama: FakeOllama
) -> None:
    async with MemoryEngine(settings) as engine:
        await engine.add_memory("The ferry leaves at seven.")

    async with MemoryEngine(with_settings(settings, ollama_host=ollama.host)) as engine:
        found = await engine.search_memory("When does the boat go?", 1)
        model = (await engine.get_stats()).embedding_model

    assert (found.count, model) == (1, BUILT_IN)
    assert ollama.requests == []


async def test_a_new_memory_is_of_the_usual_model(settings: Settings) -> None:
    async with MemoryEngine(settings) as engine:
        await engine.add_memory("The first one.")

    assert stamp(settings) == BUILT_IN


async def test_a_new_workspace_has_the_model_of_the_others(
    settings: Settings, ollama: FakeOllama
) -> None:
    chosen = with_settings(settings, ollama_host=ollama.host, embedding_model="other-model")
    async with MemoryEngine(chosen) as engine:
        await engine.add_memory("The ferry leaves at seven.")
        await engine.create_workspace("work")

    unset = with_settings(settings, ollama_host=ollama.host, workspace="work")
    async with MemoryEngine(unset) as engine:
        await engine.add_memory("The report is due on Monday.")
        assert (await engine.get_stats()).embedding_model == "ollama-other-model"
        assert (await engine.within("default").search_memory("ferry")).count == 1


@pytest.mark.parametrize(
    ("model", "way_out"),
    [("ollama-other-model", "set OLLAMA_HOST"), ("e5-small-8bit", "Use a Zapomni that has it")],
)
async def test_a_model_that_cannot_be_had_is_named_with_the_ways_out(
    settings: Settings, model: str, way_out: str
) -> None:
    async with MemoryEngine(settings) as engine:
        added = await engine.add_memory("The ferry leaves at seven.")
    stamp(settings, model)

    async with MemoryEngine(settings) as engine:
        with pytest.raises(ConfigurationError) as refused:
            await engine.search_memory("ferry")
        with pytest.raises(ConfigurationError):
            await engine.add_memory("The train leaves at nine.")
        read = await engine.get_memory(added.memory_id)

    assert read.text == "The ferry leaves at seven."
    for part in (model, way_out, f"zapomni reembed --model {BUILT_IN}", "ZAPOMNI_DATA_DIR"):
        assert part in str(refused.value)
    assert stamp(settings) == model


async def test_a_model_that_is_named_is_not_replaced(
    settings: Settings, ollama: FakeOllama
) -> None:
    async with MemoryEngine(settings) as engine:
        await engine.add_memory("The ferry leaves at seven.")
    other = with_settings(settings, ollama_host=ollama.host, embedding_model="other-model")

    async with MemoryEngine(other) as engine:
        with pytest.raises(ConfigurationError, match=f"of the model {BUILT_IN}, not of ollama-"):
            await engine.search_memory("ferry")


async def test_an_import_is_embedded_with_the_model_of_the_memory(
    memory_folder: Path, ollama: FakeOllama, tmp_path: Path
) -> None:
    unset = fresh_settings(memory_folder, ollama_host=ollama.host)
    async with MemoryEngine(with_settings(unset, embedding_model="other-model")) as engine:
        await engine.add_memory("The ferry leaves at seven.")
    file = tmp_path / "many.jsonl"
    file.write_bytes(many_lines(3))

    imported = await KeepingEngine(unset).import_memories(file)

    assert imported.added == 3
    assert stamp(unset) == "ollama-other-model"


async def test_a_second_local_model_serves_without_being_named(
    memory_folder: Path,
) -> None:
    pytest.importorskip("zapomni_model_minilm")
    unset = fresh_settings(memory_folder)
    async with MemoryEngine(with_settings(unset, embedding_model=MINILM)) as engine:
        await engine.add_memory("The ferry leaves at seven.")

    async with MemoryEngine(unset) as engine:
        found = await engine.search_memory("When does the boat go?", 1)
        model = (await engine.get_stats()).embedding_model

    assert (found.count, model) == (1, MINILM)
