"""Exports and imports: what comes back is what went out, and a flawed file changes nothing."""

import io
import uuid
from pathlib import Path

import orjson
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tests.fakes import CountingEmbedder
from tests.folders import direct_client, fresh_settings, keyspace_of
from tests.zapomni_core.keeping.samples import TEXTS, exported, many_lines, remember_all
from zapomni_core import MemoryEngine, Settings, ValidationError
from zapomni_core.keeping.markdown import file_name
from zapomni_core.keeping_engine import KeepingEngine
from zapomni_db import MemoryRecord

pytestmark = pytest.mark.anyio


@pytest.fixture
def other(memory_folder: Path) -> Settings:
    return fresh_settings(memory_folder)


async def count(settings: Settings) -> int:
    return (await exported(settings)).count(b"\n") - 2


@pytest.mark.parametrize("with_vectors", [False, True])
async def test_an_export_comes_back_byte_for_byte(
    settings: Settings, other: Settings, tmp_path: Path, with_vectors: bool
) -> None:
    await remember_all(settings)
    before = await exported(settings, with_vectors=True)
    file = tmp_path / "all.jsonl"
    file.write_bytes(await exported(settings, with_vectors=with_vectors))

    imported = await KeepingEngine(other).import_memories(file)

    assert imported.added == len(TEXTS) + 1
    assert (imported.embedded == 0) is with_vectors
    after = await exported(other, with_vectors=with_vectors)
    assert after == await exported(settings, with_vectors=with_vectors)
    assert before == await exported(settings, with_vectors=True)


async def test_what_comes_back_is_found_and_known_as_before(
    settings: Settings, other: Settings, tmp_path: Path
) -> None:
    await remember_all(settings)
    file = tmp_path / "all.jsonl"
    file.write_bytes(await exported(settings))
    await KeepingEngine(other).import_memories(file)
    questions = ["peanuts", "Где ключи от дачи?", "Where does Lena live?", "ferryman ledger"]

    async with MemoryEngine(settings) as here, MemoryEngine(other) as there:
        for question in questions:
            expected = await here.search_memory(question, 5)
            found = await there.search_memory(question, 5)
            assert [(hit.memory_id, hit.text, hit.tags) for hit in found.results] == [
                (hit.memory_id, hit.text, hit.tags) for hit in expected.results
            ]
        assert (await here.get_related("Lena")).relations == (
            await there.get_related("Lena")
        ).relations


async def test_kept_facts_and_unknown_properties_come_back(
    settings: Settings, other: Settings, tmp_path: Path
) -> None:
    (memory_id,) = (await remember_all(settings))[:1]
    keys = keyspace_of(settings)
    with direct_client(settings.data_dir) as client:
        client.sadd(keys.kept_facts, "ab" * 16)
        node = f"MATCH (m:Memory {{id: '{uuid.UUID(memory_id).hex}'}})"
        client.execute_command(
            "GRAPH.QUERY", keys.graph, f"{node} SET m.later = 7, m.words = ['a', 'b']"
        )
        client.execute_command(
            "GRAPH.QUERY",
            keys.graph,
            f"CREATE (:Version {{memory: '{uuid.UUID(memory_id).hex}', text: 'once', since: 5}})",
        )
    before = await exported(settings)
    file = tmp_path / "all.jsonl"
    file.write_bytes(before)

    await KeepingEngine(other).import_memories(file)

    assert b'"later":7' in before
    assert b'"history":[{"memory":' in before
    assert await exported(other) == before


async def test_importing_again_changes_nothing(
    settings: Settings, other: Settings, tmp_path: Path
) -> None:
    await remember_all(settings)
    file = tmp_path / "all.jsonl"
    file.write_bytes(await exported(settings))
    await KeepingEngine(other).import_memories(file)
    before = await exported(other, with_vectors=True)

    again = await KeepingEngine(other).import_memories(file)

    assert (again.added, again.present, again.embedded) == (0, len(TEXTS) + 1, 0)
    assert await exported(other, with_vectors=True) == before


async def test_a_dry_run_adds_nothing(settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    file.write_bytes(many_lines(5))

    rehearsed = await KeepingEngine(settings).import_memories(file, is_dry_run=True)

    assert (rehearsed.added, rehearsed.present) == (5, 0)
    assert await count(settings) == 0


async def test_vectors_of_another_model_are_never_taken_over(
    settings: Settings, other: Settings, tmp_path: Path
) -> None:
    await remember_all(settings)
    file = tmp_path / "all.jsonl"
    file.write_bytes(await exported(settings, with_vectors=True))
    embedder = CountingEmbedder()

    imported = await KeepingEngine(other, embedder=embedder).import_memories(file)

    assert imported.embedded == sum(len(texts) for texts, _ in embedder.batches) > 0


async def test_a_file_written_by_hand_is_divided_and_embedded(
    settings: Settings, tmp_path: Path
) -> None:
    file = tmp_path / "many.jsonl"
    file.write_bytes(many_lines(20))

    await KeepingEngine(settings).import_memories(file)

    async with MemoryEngine(settings) as engine:
        found = await engine.search_memory("What is the answer to 13?", 1)
    assert found.results[0].text == "The answer to 13 is 91."


def changed(content: bytes, old: bytes, new: bytes) -> bytes:
    assert old in content
    return content.replace(old, new, 1)


WHOLE = many_lines(4)
FLAWED = {
    "empty": b"",
    "cut in a line": WHOLE[:-300],
    "cut between lines": b"".join(WHOLE.splitlines(keepends=True)[:-1]),
    "last newline missing": WHOLE[:-1],
    "a changed letter": changed(WHOLE, b"answer to 2", b"answer to 3"),
    "a line less": b"".join(WHOLE.splitlines(keepends=True)[:2] + WHOLE.splitlines(True)[3:]),
    "another version": changed(WHOLE, b'"version":1', b'"version":2'),
    "another format": changed(WHOLE, b"zapomni-export", b"some-export"),
    "foreign JSON": b'{"type":"entity","name":"Ada"}\n' * 3,
    "a list": b"[1, 2]\n",
    "a number": b"7\n",
    "no JSON": b"once upon a time\n",
    "binary": bytes(range(256)) + b"\n",
    "two headers": WHOLE.splitlines(keepends=True)[0] + WHOLE,
    "something behind the end": WHOLE + b"{}\n",
    "an id that is a path": changed(WHOLE, b"0" * 31 + b"1", b"../../../etc/passwd"),
    "an id that is Cypher": changed(WHOLE, b"0" * 31 + b"1", b"x'}) DETACH DELETE m //"),
}


@pytest.mark.parametrize("content", FLAWED.values(), ids=FLAWED.keys())
async def test_a_flawed_file_is_refused_before_anything_changes(
    settings: Settings, tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "flawed.jsonl"
    file.write_bytes(content)

    with pytest.raises(ValidationError):
        await KeepingEngine(settings, embedder=CountingEmbedder()).import_memories(file)

    assert await count(settings) == 0


@given(place=st.integers(0, len(WHOLE) - 1), bit=st.integers(0, 7))
@hypothesis_settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_changed_bit_goes_unnoticed(tmp_path: Path, place: int, bit: int) -> None:
    from zapomni_core.keeping.reading import verify_export

    content = bytearray(WHOLE)
    content[place] ^= 1 << bit
    file = tmp_path / "flipped.jsonl"
    file.write_bytes(content)

    with pytest.raises(ValidationError):
        verify_export(file)


@given(
    text=st.text(min_size=1, alphabet=st.characters(exclude_categories=["Cs"])).filter(
        lambda text: text.strip() and "\0" not in text
    )
)
def test_a_markdown_file_has_a_safe_name_that_tells_the_memory(text: str) -> None:
    name = file_name(MemoryRecord("ab" * 16, text, 0, 0, "", (), "{}"))

    assert name.startswith("1970-01-01_")
    assert name.endswith(f"{'ab' * 16}.md")
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_.")
    assert ".." not in name
    assert len(name) < 120


async def test_markdown_holds_every_text_as_it_is(settings: Settings, tmp_path: Path) -> None:
    await remember_all(settings)

    written = await KeepingEngine(settings).export_markdown(tmp_path / "notes")

    files = sorted((tmp_path / "notes").iterdir())
    assert len(files) == written == len(TEXTS) + 1
    bodies = {path.read_text(encoding="utf-8").partition("\n---\n\n")[2] for path in files}
    assert bodies == {f"{text}\n" for text in (*TEXTS, "I moved to Lisbon in May.")}
    heads = [path.read_text(encoding="utf-8").partition("\n---\n")[0] for path in files]
    tags = [line[6:] for head in heads for line in head.splitlines() if line.startswith("tags: ")]
    assert sorted(map(orjson.loads, tags)) == [["first", f"n{n}"] for n in range(len(TEXTS))]


async def test_a_folder_with_something_in_it_is_left_alone(
    settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "mine.md").write_text("mine")

    with pytest.raises(ValidationError):
        await KeepingEngine(settings).export_markdown(tmp_path)

    assert names_in(tmp_path) == ["mine.md"]


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def test_an_empty_memory_has_an_export_too(
    settings: Settings, other: Settings, tmp_path: Path
) -> None:
    file = tmp_path / "empty.jsonl"
    file.write_bytes(await exported(settings))

    imported = await KeepingEngine(other, embedder=CountingEmbedder()).import_memories(file)

    assert imported.memories == 0
    sink = io.BytesIO()
    assert (await KeepingEngine(settings).export_memories(sink)).memories == 0
