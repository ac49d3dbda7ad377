"""add_document: what agents may have read, and what they are told about it."""

from collections.abc import AsyncIterator
from io import StringIO
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from tests.fakes import CountingEmbedder
from tests.folders import fresh_settings
from tests.zapomni_core.documents.files import pdf
from tests.zapomni_mcp.answers import entries, refusal, text_of
from tests.zapomni_mcp.graph_calls import ask, checked
from zapomni_core import MemoryEngine
from zapomni_core.intake import DocumentsAdded
from zapomni_mcp import MCPServer

pytestmark = pytest.mark.anyio

NOTE = "# Boats\n\nThe blue boat belongs to Lena.\n\n## Oars\n\nThe oars are in the shed."


class ImpatientEngine(MemoryEngine):
    """Answers at once and goes on."""

    async def add_documents(self, paths: Any, **given: Any) -> DocumentsAdded:
        """Wait no longer than a moment."""
        return await super().add_documents(paths, **given | {"patience_s": 0.01})

    async def add_document_text(self, text: Any, name: str, **given: Any) -> DocumentsAdded:
        """Wait no longer than a moment."""
        return await super().add_document_text(text, name, **given | {"patience_s": 0.01})


def client_of(engine: MemoryEngine) -> Client:
    server = MCPServer(engine)
    server.register_all_tools()
    return Client(server.sdk_server)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "note.md").write_text(NOTE)
    (folder / "plan.pdf").write_bytes(pdf([["First the keel."], ["Then the mast of oak."]]))
    return folder


@pytest.fixture
async def reading(memory_folder: Path, project: Path) -> AsyncIterator[Client]:
    """A client that may have a project read."""
    async with (
        MemoryEngine(fresh_settings(memory_folder, code_roots=str(project))) as engine,
        client_of(engine) as client,
    ):
        yield client


async def test_a_folder_is_read_and_its_pages_are_found(reading: Client, project: Path) -> None:
    done = await ask(reading, "add_document", path=str(project), tags=["boats"])
    answer = await reading.call_tool("search_memory", {"query": "What wood is the mast made of?"})
    found = await checked(reading, "search_memory", answer)

    assert (done["added"], done["failed"], done["memories_added"]) == (2, 0, 4)
    assert done["job"]["state"] == "done"
    best = found["results"][0]
    assert best["text"] == "Then the mast of oak."
    assert best["source"] == str(project / "plan.pdf")
    assert best["metadata"]["page"] == 2
    assert best["tags"] == ["boats"]
    assert f"Then the mast of oak.\n[From {project / 'plan.pdf'}, page 2]" in text_of(answer)


async def test_reading_again_takes_in_changes_only(reading: Client, project: Path) -> None:
    await ask(reading, "add_document", path=str(project))
    (project / "note.md").write_text(NOTE.replace("blue", "red"))

    done = await ask(reading, "add_document", path=str(project))

    assert (done["added"], done["updated"], done["unchanged"]) == (0, 1, 1)
    assert (done["memories_added"], done["memories_removed"]) == (2, 2)


async def test_a_text_is_read_under_its_name(reading: Client) -> None:
    given = {"text": NOTE, "name": "boats.md", "metadata": {"shelf": 3, "tags": ["a"]}}

    done = await ask(reading, "add_document", tags=["b"], **given)
    found = await ask(reading, "search_memory", query="Where are the oars?")

    assert done["files"] == [{"path": "boats.md", "outcome": "added", "reason": "", "memories": 2}]
    best = found["results"][0]
    assert (best["source"], best["tags"]) == ("boats.md", ["a", "b"])
    assert best["metadata"]["heading"] == "Boats > Oars"


async def test_what_cannot_be_read_is_named(reading: Client, project: Path) -> None:
    (project / "broken.pdf").write_bytes(b"%PDF-1.4 broken")

    answer = await reading.call_tool("add_document", {"path": str(project)})

    done = await checked(reading, "add_document", answer)
    assert done["failed"] == 1
    assert done["files"][0]["path"].endswith("broken.pdf")
    assert "broken.pdf" in text_of(answer)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({}, "path"),
        ({"path": "/srv/a", "text": "x", "name": "y"}, "path"),
        ({"text": "x"}, "name"),
        ({"path": "/srv/a", "name": "y"}, "name"),
        ({"path": "note.md"}, "path"),
        ({"path": "/srv/a", "tags": [""]}, "tags"),
        ({"text": "x", "name": "y", "metadata": {"ttl": "soon"}}, "metadata.ttl"),
    ],
)
async def test_wrong_arguments_are_refused_by_field(
    reading: Client, arguments: dict[str, Any], field: str
) -> None:
    answer = refusal(await reading.call_tool("add_document", arguments))

    assert field in answer
    assert (await ask(reading, "get_stats"))["statistics"]["total_memories"] == 0


async def test_only_allowed_folders_are_read(client: Client, project: Path) -> None:
    answer = refusal(await client.call_tool("add_document", {"path": str(project / "note.md")}))

    assert "ZAPOMNI_CODE_ROOTS" in answer


async def test_long_reading_goes_on_as_a_job(memory_folder: Path, project: Path) -> None:
    for number in range(40):
        (project / f"{number}.md").write_text(f"# Boat {number}\n\nIt has {number} oars.")
    settings = fresh_settings(memory_folder, code_roots=str(project))
    async with ImpatientEngine(settings) as engine, client_of(engine) as client:
        begun = await ask(client, "add_document", path=str(project))
        job_id = begun["job"]["id"]
        jobs = (await ask(client, "list_jobs"))["jobs"]

        assert begun["job"]["state"] == "running"
        assert job_id in [each["id"] for each in jobs]


async def test_texts_and_names_stay_out_of_the_log(
    reading: Client, project: Path, log: StringIO
) -> None:
    await ask(reading, "add_document", path=str(project))

    assert any(entry["event"] == "documents_added" for entry in entries(log))
    for word in ("Lena", "keel", "note.md", str(project)):
        assert word not in log.getvalue()


async def test_files_that_are_gone_are_named_with_the_way_to_forget_them(
    reading: Client, project: Path
) -> None:
    await ask(reading, "add_document", path=str(project))
    (project / "note.md").unlink()

    answer = await reading.call_tool("add_document", {"path": str(project)})
    done = await checked(reading, "add_document", answer)
    forget = {"kinds": ["gone_files"], "path": str(project)}
    dry = await ask(reading, "prune_memory", **forget)
    kept = (await ask(reading, "get_stats"))["statistics"]["total_memories"]
    wet = await ask(reading, "prune_memory", dry_run=False, **forget)

    gone = {"path": str(project / "note.md"), "outcome": "gone", "reason": "", "memories": 2}
    assert (done["gone"], done["files"][0]) == (1, gone)
    assert f"Gone: {project / 'note.md'}" in text_of(answer)
    assert f"prune_memory with kinds gone_files and path {project}" in text_of(answer)
    found = {"kind": "gone_files", "count": 2, "examples": [str(project / "note.md")]}
    assert (dry["is_dry_run"], dry["kinds"], kept) == (True, [found], 4)
    assert (wet["is_dry_run"], wet["kinds"]) == (False, [found])
    assert (await ask(reading, "get_stats"))["statistics"]["total_memories"] == 2


async def test_gone_files_are_not_pruned_without_their_folder(client: Client) -> None:
    arguments = {"kinds": ["gone_files"], "dry_run": False}

    answer = refusal(await client.call_tool("prune_memory", arguments))

    assert "path must name the folder" in answer


async def test_new_tags_of_unchanged_files_are_told(reading: Client, project: Path) -> None:
    await ask(reading, "add_document", path=str(project), tags=["boats"])

    given = {"path": str(project), "tags": ["boats", "summer"]}
    answer = await reading.call_tool("add_document", given)

    done = await checked(reading, "add_document", answer)
    assert (done["unchanged"], done["memories_added"], done["memories_changed"]) == (2, 0, 4)
    assert "4 got tags and metadata" in text_of(answer)
    found = await ask(reading, "list_memories", filters={"tags": ["summer"]})
    assert found["total"] == 4


async def test_parts_that_were_deleted_stay_away_and_this_is_told(
    reading: Client, project: Path
) -> None:
    await ask(reading, "add_document", path=str(project / "note.md"))
    listed = (await ask(reading, "list_memories"))["memories"]
    last = next(each for each in listed if "oars" in each["text"])
    await ask(reading, "delete_memory", memory_id=last["memory_id"], confirm=True)

    answer = await reading.call_tool("add_document", {"path": str(project / "note.md")})

    done = await checked(reading, "add_document", answer)
    assert (done["unchanged"], done["memories_added"]) == (1, 0)
    assert "1 of its parts were deleted before and stay away" in text_of(answer)


async def test_a_job_that_reads_a_text_is_not_taken_up_without_it(memory_folder: Path) -> None:
    embedder = CountingEmbedder()
    embedder.allowed = anyio.Event()
    settings = fresh_settings(memory_folder)
    async with (
        ImpatientEngine(settings, embedder=embedder) as engine,
        client_of(engine) as client,
    ):
        begun = await ask(client, "add_document", text=NOTE, name="boats.md")
        job_id = begun["job"]["id"]
        await ask(client, "control_job", job_id=job_id, action="cancel")

        call = {"job_id": job_id, "action": "resume"}
        answer = refusal(await client.call_tool("control_job", call))

        assert "names a job whose text was not kept" in answer
        assert "hand the text of 'boats.md' in again" in answer
