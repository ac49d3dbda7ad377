"""The engine: what goes in comes out, exactly, durably, and only what was acknowledged."""

import asyncio
import uuid
from datetime import UTC, date, datetime
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tests.fakes import FakeOllama
from tests.folders import database_process, direct_client, fresh_settings, keyspace_of
from zapomni_core import (
    ConfigurationError,
    DatabaseError,
    EmbedderUnavailable,
    MemoryEngine,
    SearchFilters,
    Settings,
    ValidationError,
    ZapomniCore,
)

pytestmark = pytest.mark.anyio


def test_the_engine_is_known_by_both_names() -> None:
    assert ZapomniCore is MemoryEngine


async def test_a_memory_is_found_by_what_it_means(engine: MemoryEngine) -> None:
    await engine.add_memory("Maria's daughter Lena is allergic to peanuts.")
    await engine.add_memory("We chose PostgreSQL because invoices need transactions.")
    await engine.add_memory("The boiler was serviced in March.")

    for question, expected in [
        ("What must I not cook for Lena?", "peanuts"),
        ("Which database does billing use, and why?", "PostgreSQL"),
        ("When was the heating checked?", "boiler"),
    ]:
        assert expected in (await engine.search_memory(question, 1)).results[0].text


async def test_a_memory_in_another_language_is_found_by_its_words(engine: MemoryEngine) -> None:
    await engine.add_memory("Ключ от дачи лежит под синим горшком.")
    await engine.add_memory("Маша родилась в мае.")

    found = await engine.search_memory("Где ключи от дачи?", 1)

    assert "горшком" in found.results[0].text


async def test_an_engine_opens_by_itself_and_can_be_closed_and_used_again(
    settings: Settings,
) -> None:
    engine = MemoryEngine(settings)
    await engine.add_memory("The first session")
    await engine.close()

    found = await engine.search_memory("session")
    await engine.close()
    await engine.close()

    assert [item.text for item in found.results] == ["The first session"]


async def test_calls_that_open_the_engine_together_share_one_opening(settings: Settings) -> None:
    engine = MemoryEngine(settings)

    stored = await asyncio.gather(*[engine.add_memory(f"Memory {i}") for i in range(8)])

    assert len({result.memory_id for result in stored}) == 8
    assert (await engine.get_stats()).total_memories == 8
    await engine.close()


async def test_another_graph_is_another_memory(memory_folder: Path, engine: MemoryEngine) -> None:
    await engine.add_memory("Known here only")

    async with MemoryEngine(fresh_settings(memory_folder)) as other:
        assert (await other.search_memory("known")).count == 0


async def test_a_long_text_is_found_by_any_of_its_parts(engine: MemoryEngine) -> None:
    filler = "The committee met and discussed the usual matters at length. " * 25
    text = f"{filler}\n\nThe password hint is a blue giraffe.\n\n{filler}"

    stored = await engine.add_memory(text)

    item = (await engine.search_memory("blue giraffe", 1)).results[0]
    assert stored.chunks_created > 1
    assert item.memory_id == stored.memory_id
    assert "blue giraffe" in item.text
    assert "blue giraffe" in item.highlight
    assert item.text == text.strip()[item.start_char : item.end_char]


async def test_progress_of_a_long_text_is_reported_up_to_the_end(engine: MemoryEngine) -> None:
    reports: list[tuple[int, int]] = []

    async def progress(done: int, total: int) -> None:
        await anyio.lowlevel.checkpoint()
        reports.append((done, total))

    stored = await engine.add_memory("x" * 40_000, progress=progress)

    assert stored.chunks_created > 64
    assert [done for done, _ in reports] == sorted({done for done, _ in reports})
    assert reports[-1] == (stored.chunks_created, stored.chunks_created)


@hypothesis_settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    text=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1),
    metadata=st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8),
        st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text("a'\"\\$}`é🎻"),
        max_size=4,
    ),
)
async def test_any_text_and_metadata_come_back_as_they_were(
    memory_folder: Path, text: str, metadata: dict[str, object]
) -> None:
    own = {f"own_{key}": value for key, value in metadata.items()}
    async with MemoryEngine(fresh_settings(memory_folder)) as engine:
        if not text.strip():
            with pytest.raises(ValidationError):
                await engine.add_memory(text, own)
            return

        await engine.add_memory(text, own)

        (item,) = (await engine.search_memory("anything at all")).results
        assert item.text == text.strip()
        assert item.metadata == own


async def test_statistics_tell_what_is_stored_and_how_the_parts_do(engine: MemoryEngine) -> None:
    empty = await engine.get_stats()
    await engine.add_memory("One and the same")
    await engine.add_memory("One and the same", {"source": "elsewhere"})
    await engine.search_memory("same")

    full = await engine.get_stats()

    assert (empty.total_memories, empty.total_chunks) == (0, 0)
    assert (empty.cache_hit_rate, empty.avg_query_latency_ms) == (None, None)
    assert (full.total_memories, full.total_chunks) == (2, 2)
    assert full.cache_hit_rate == pytest.approx(1 / 3)
    assert full.avg_query_latency_ms is not None
    assert (full.database, full.embedding_dimension, full.state) == ("embedded", 384, "ready")
    assert full.disk_size_mb > 0


async def test_an_add_that_is_cancelled_after_writing_leaves_nothing(
    engine: MemoryEngine,
) -> None:
    await engine.add_memory("Stored before")
    workspace = engine._workspace
    assert workspace is not None

    async with workspace._index._lock:  # the last step of an add waits for it
        adding = asyncio.create_task(engine.add_memory("Given up by the caller"))
        with anyio.fail_after(30):
            while (await engine.get_stats()).total_memories < 2:
                await anyio.lowlevel.checkpoint()
        adding.cancel()
    await asyncio.gather(adding, return_exceptions=True)

    assert adding.cancelled()
    assert (await engine.get_stats()).total_memories == 1
    found = await engine.search_memory("given up", 10)
    assert [item.text for item in found.results] == ["Stored before"]


async def test_wrong_input_is_refused_before_anything_is_opened(tmp_path: Path) -> None:
    engine = MemoryEngine(fresh_settings(tmp_path / "memory"))

    with pytest.raises(ValidationError):
        await engine.add_memory(" ")
    with pytest.raises(ValidationError):
        await engine.search_memory("q", 0)

    assert not (tmp_path / "memory").exists()


async def test_an_index_survives_a_killed_database(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    async with MemoryEngine(fresh_settings(folder)) as engine:
        await engine.add_memory("Written before the crash")
        database_process(folder).kill()

        found = await engine.search_memory("crash")

    assert [item.text for item in found.results] == ["Written before the crash"]


async def test_a_store_of_another_model_is_refused_with_the_way_out(
    settings: Settings, ollama: FakeOllama
) -> None:
    async with MemoryEngine(settings) as engine:
        await engine.add_memory("Embedded with the built-in model")

    given = {"ollama_host": ollama.host, "embedding_model": "nomic-embed-text"}
    with_ollama = fresh_settings(settings.data_dir, graph_name=settings.graph_name, **given)
    async with MemoryEngine(with_ollama) as engine:
        with pytest.raises(ConfigurationError) as refused:
            await engine.add_memory("Embedded with another model")
        with pytest.raises(ConfigurationError):
            await engine.search_memory("model")

    message = str(refused.value)
    assert "zapomni-small-2" in message
    assert "ollama-nomic-embed-text" in message
    assert "ZAPOMNI_DATA_DIR" in message
    async with MemoryEngine(settings) as engine:
        assert (await engine.get_stats()).total_memories == 1


async def test_a_store_of_a_newer_zapomni_is_refused_with_the_way_out(
    settings: Settings, memory_folder: Path
) -> None:
    async with MemoryEngine(settings) as engine:
        await engine.add_memory("Written by the present")
    with direct_client(memory_folder) as client:
        client.hset(keyspace_of(settings).about, "schema", 99)

    with pytest.raises(ConfigurationError, match=r"newer Zapomni \(schema 99.*Upgrade Zapomni"):
        await MemoryEngine(settings).initialize()


async def test_a_data_folder_that_cannot_be_made_is_a_configuration_error(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(ConfigurationError, match="data folder cannot be used"):
        await MemoryEngine(fresh_settings(tmp_path / "file" / "memory")).initialize()


async def test_an_embedding_service_that_is_down_is_named(memory_folder: Path) -> None:
    settings = fresh_settings(memory_folder, ollama_host="http://127.0.0.1:1")
    async with MemoryEngine(settings) as engine:
        with pytest.raises(EmbedderUnavailable, match="ollama serve"):
            await engine.add_memory("a text")
        assert (await engine.get_stats()).total_memories == 0


async def test_a_memory_can_live_on_ollama(memory_folder: Path, ollama: FakeOllama) -> None:
    settings = fresh_settings(memory_folder, ollama_host=ollama.host)
    async with MemoryEngine(settings) as engine:
        await engine.add_memory("apples and pears")
        await engine.add_memory("trains and trams")

        found = await engine.search_memory("pears", 1)
        stats = await engine.get_stats()

    assert found.results[0].text == "apples and pears"
    assert stats.embedding_model == "ollama-nomic-embed-text"
    assert {r["model"] for r in ollama.requests} == {"nomic-embed-text"}


async def test_dates_and_times_of_results_are_utc(engine: MemoryEngine) -> None:
    await engine.add_memory("At noon in Berlin", {"timestamp": "2024-07-01T12:00:00+02:00"})
    noon = date(2024, 7, 1)

    (item,) = (await engine.search_memory("noon", 1, SearchFilters((), None, noon, noon))).results

    assert item.timestamp == datetime(2024, 7, 1, 10, tzinfo=UTC)
    assert uuid.UUID(item.memory_id) != uuid.UUID(item.chunk_id)


async def test_a_remote_database_that_nobody_serves_is_unavailable(tmp_path: Path) -> None:
    engine = MemoryEngine(fresh_settings(tmp_path, falkordb_host="127.0.0.1", falkordb_port=1))

    with pytest.raises(DatabaseError, match="Please retry"):
        await engine.get_stats()
