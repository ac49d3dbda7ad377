"""Reading and importing, killed in the middle: run again, nothing is lost and nothing doubled."""

from collections.abc import Callable, Iterator
from pathlib import Path

import anyio
import pytest

from tests.fakes import FakeOllama
from tests.folders import direct_client, keyspace_of, running_database
from tests.zapomni_core.importing.exports import write_json
from tests.zapomni_core.keeping.samples import kill, settings_in, start
from tests.zapomni_db.servers import wait_until
from zapomni_core import MemoryEngine, Settings

pytestmark = pytest.mark.anyio

FILES, SECTIONS = 150, 6
ITEMS = 2500


@pytest.fixture
def served(tmp_path: Path, ollama: FakeOllama) -> Iterator[Settings]:
    with running_database(tmp_path / "memory") as place:
        more = {"ollama_host": ollama.host, "auto_graph": False}
        yield settings_in(place).model_copy(update=more)


def parts_of(number: int) -> list[str]:
    sentence = "The part {0} of book {1} tells of a ship."
    return [f"## Part {n}\n\n{sentence.format(n, number)}" for n in range(SECTIONS)]


def write_books(folder: Path) -> None:
    for number in range(FILES):
        (folder / f"{number}.md").write_text("\n\n".join(parts_of(number)))


async def until(condition: Callable[[], bool]) -> None:
    await anyio.to_thread.run_sync(lambda: wait_until(condition, within_s=60))


def texts_of(settings: Settings) -> list[str]:
    query = "MATCH (m:Memory)-[:HAS]->(c:Chunk) WHERE m.ready RETURN c.text"
    with direct_client(settings.data_dir) as client:
        graph = keyspace_of(settings).graph
        if not client.exists(graph):
            return []
        return [
            row[0].decode() for row in client.execute_command("GRAPH.RO_QUERY", graph, query)[1]
        ]


async def killed_in_the_middle(settings: Settings, *command: str | Path) -> int:
    """Start a command, kill it when something is stored, and count what is."""
    process = start(
        settings.data_dir, *command, OLLAMA_HOST=str(settings.ollama_host), ZAPOMNI_AUTO_GRAPH="0"
    )
    await until(lambda: bool(texts_of(settings)) or process.poll() is not None)
    kill(process)
    return len(texts_of(settings))


async def test_a_folder_that_was_read_half_is_read_to_its_end(
    served: Settings, folder: Path
) -> None:
    write_books(folder)
    left = await killed_in_the_middle(served, "add", folder)

    async with MemoryEngine(served) as engine:
        done = await engine.add_documents([folder], is_trusted=True, patience_s=None)
        again = await engine.add_documents([folder], is_trusted=True, patience_s=None)

    assert 0 < left < FILES * SECTIONS
    assert done.memories_added == FILES * SECTIONS - left
    assert done.added + done.unchanged == again.unchanged == FILES
    written = [part for number in range(FILES) for part in parts_of(number)]
    assert sorted(texts_of(served)) == sorted(written)


async def test_an_import_that_was_cut_off_goes_on_to_the_same_end(
    served: Settings, tmp_path: Path
) -> None:
    given = [{"id": f"m{n}", "memory": f"Ship {n} carries {n * 7} barrels."} for n in range(ITEMS)]
    path = write_json(tmp_path / "mem0.json", {"results": given})
    left = await killed_in_the_middle(served, "import", path)

    async with MemoryEngine(served) as engine:
        done = await engine.import_export(path)
        again = await engine.import_export(path)

    assert 0 < left < ITEMS
    assert (done.present, done.added) == (left, ITEMS - left)
    assert (again.present, again.added) == (ITEMS, 0)
    assert sorted(texts_of(served)) == sorted(str(each["memory"]) for each in given)


async def test_a_job_that_was_killed_can_be_resumed_by_its_id(
    served: Settings, folder: Path
) -> None:
    write_books(folder)
    await killed_in_the_middle(served, "add", folder)

    async with MemoryEngine(served) as engine:
        (job,) = [each for each in await engine.jobs() if each.kind == "add_document"]
        resumed = await engine.resume_job(job.id, patience_s=None)

    assert (job.state, resumed.state) == ("interrupted", "done")
    assert len(texts_of(served)) == FILES * SECTIONS
