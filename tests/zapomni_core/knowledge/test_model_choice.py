"""The language model that reads along is chosen while the engine runs."""

from pathlib import Path

import pytest

from tests.fakes import LANGUAGE_MODEL, FakeOllama
from tests.zapomni_core.knowledge.readers import (
    FACT,
    TEXT,
    jobs_of_anna,
    left_to_read,
    open_engine,
)
from zapomni_core import (
    ConfigurationError,
    LanguageModelUnavailable,
    MemoryEngine,
    ValidationError,
)

pytestmark = pytest.mark.anyio


async def test_another_model_reads_from_now_on_and_what_was_read_before_when_asked(
    reader: MemoryEngine, ollama: FakeOllama
) -> None:
    await reader.build_graph(TEXT)
    ollama.facts = [FACT]

    change = await reader.set_language_model("qwen3:4b")
    await reader.build_graph()

    assert (change.before, change.after) == (LANGUAGE_MODEL, "qwen3:4b")
    assert [question["model"] for question in ollama.questions] == [LANGUAGE_MODEL, "qwen3:4b"]
    assert len(await jobs_of_anna(reader)) == 1


async def test_a_model_is_turned_off_and_on_again_by_either_of_its_names(
    reader: MemoryEngine, ollama: FakeOllama
) -> None:
    off = await reader.set_language_model(None)
    await reader.build_graph(TEXT)
    assert ollama.questions == []
    on = await reader.set_language_model(f"{LANGUAGE_MODEL}:latest")

    assert (off.before, off.after) == (LANGUAGE_MODEL, None)
    assert (on.before, on.after) == (None, LANGUAGE_MODEL)


async def test_a_running_job_is_finished_by_the_model_that_began_it(
    reader: MemoryEngine, ollama: FakeOllama
) -> None:
    for number in range(3):
        await reader.add_memory(f"Report {number}: all is well.")

    async def progress(done: int, _total: int) -> None:
        if done:
            await reader.set_language_model(None)

    await reader.build_graph(progress=progress)
    await reader.set_language_model(LANGUAGE_MODEL)

    assert len(ollama.questions) == 3
    assert await left_to_read(reader) == 0


@pytest.mark.parametrize("name", ["", " ", "no such model", "x" * 500, "a\nb", "mistral"])
async def test_a_model_that_is_not_there_is_refused_and_the_old_one_stays(
    reader: MemoryEngine, name: str
) -> None:
    with pytest.raises(ValidationError, match="model"):
        await reader.set_language_model(name)

    assert (await reader.graph_status()).extractor.endswith(f"+{LANGUAGE_MODEL}")


async def test_without_ollama_a_model_cannot_be_chosen_but_can_be_turned_off(
    engine: MemoryEngine,
) -> None:
    with pytest.raises(ConfigurationError, match="set OLLAMA_HOST"):
        await engine.set_language_model(LANGUAGE_MODEL)

    change = await engine.set_language_model(None)
    assert (change.before, change.after) == (None, None)


@pytest.mark.parametrize("chat", ["broken", "garbage", "silent"])
async def test_a_service_that_cannot_say_which_models_it_has_changes_nothing(
    memory_folder: Path, ollama: FakeOllama, chat: str
) -> None:
    ollama.chat = chat  # type: ignore[assignment]
    async with open_engine(memory_folder, ollama, ollama_timeout_s=0.2) as engine:
        with pytest.raises(LanguageModelUnavailable):
            await engine.set_language_model("qwen3:4b")

        assert (await engine.graph_status()).extractor.endswith(f"+{LANGUAGE_MODEL}")
