"""Documents become memories that know where they stand, each once."""

from pathlib import Path
from typing import Any

import anyio
import pytest

from tests.fakes import CountingEmbedder
from tests.folders import direct_client, keyspace_of
from tests.zapomni_core.documents.files import docx, paragraph, pdf
from zapomni_core import MemoryEngine, SearchFilters, Settings, ValidationError
from zapomni_core.intake import DocumentsAdded

pytestmark = pytest.mark.anyio

GUIDE = """# Kettles

A kettle boils water.

## Repair

Unscrew the base.

## Cleaning

Use vinegar, then rinse.
"""


async def added(engine: MemoryEngine, *paths: Path, **more: Any) -> DocumentsAdded:
    done = await engine.add_documents(paths, is_trusted=True, patience_s=None, **more)
    assert done.job.state == "done", done.job.error
    return done


async def stored(engine: MemoryEngine, source: str | Path | None = None) -> list[dict[str, Any]]:
    """Return text and metadata of the memories of a source, in their order."""
    filters = SearchFilters(source=None if source is None else str(source))
    page = await engine.list_memories(filters, order="first_added", limit=100)
    found = [{"text": each.text, **each.metadata} for each in page.memories]
    return sorted(found, key=lambda each: each.get("position", 0))


def forget_that_it_was_deleted(settings: Settings) -> None:
    """Leave the store as if what was deleted had never been written."""
    with direct_client(settings.data_dir) as client:
        assert client.delete(keyspace_of(settings).forgotten) == 1


def outcomes(done: DocumentsAdded) -> dict[str, str]:
    return {Path(each.path).name: each.outcome for each in done.files}


async def test_a_section_says_where_it_stands(quick: MemoryEngine, folder: Path) -> None:
    path = folder / "guide.md"
    path.write_text(GUIDE)

    await added(quick, path)

    _, repair, cleaning = await stored(quick, path)
    assert "Unscrew the base." in repair["text"]
    assert repair["heading"] == "Kettles > Repair"
    assert repair["title"] == "Kettles"
    assert cleaning["lines"].startswith("9-")


async def test_search_finds_a_sentence_of_a_pdf_with_its_page(
    engine: MemoryEngine, folder: Path
) -> None:
    path = folder / "report.pdf"
    pages = ["The harvest was poor this year.", "The lighthouse was moved in 1858."]
    path.write_bytes(pdf([[line] for line in pages]))

    await added(engine, path)
    found = await engine.search_memory("When did they move the lighthouse?")

    best = found.results[0]
    assert best.text == pages[1]
    assert best.source == str(path)
    assert best.metadata["page"] == 2
    assert best.timestamp.year == 2024


async def test_what_is_stored_already_is_left_alone(quick: MemoryEngine, folder: Path) -> None:
    (folder / "guide.md").write_text(GUIDE)
    first = await added(quick, folder)
    before = await quick.list_memories(limit=100)

    again = await added(quick, folder)

    assert (first.added, first.memories_added) == (1, 3)
    assert (again.added, again.unchanged, again.memories_added) == (0, 1, 0)
    assert (await quick.list_memories(limit=100)).memories == before.memories


async def test_a_changed_file_replaces_what_it_said(quick: MemoryEngine, folder: Path) -> None:
    path, other = folder / "guide.md", folder / "other.md"
    path.write_text(GUIDE)
    other.write_text(GUIDE)
    note = await quick.add_memory("The guide is out of date.", {"source": str(path)})
    await added(quick, folder)

    path.write_text(GUIDE.replace("vinegar", "lemon juice"))
    done = await added(quick, folder)

    assert outcomes(done) == {"guide.md": "updated", "other.md": "unchanged"}
    assert (done.memories_added, done.memories_removed) == (3, 3)
    texts = " ".join(each["text"] for each in await stored(quick, path))
    assert "lemon juice" in texts
    assert "vinegar" not in texts
    assert len(await stored(quick, other)) == 3
    assert (await quick.get_memory(note.memory_id)).source == str(path)


async def test_a_document_that_was_cut_off_is_completed(quick: MemoryEngine, folder: Path) -> None:
    path = folder / "guide.md"
    path.write_text(GUIDE)
    await added(quick, path)
    page = await quick.list_memories(limit=100)
    last = max(page.memories, key=lambda each: each.metadata["position"])
    await quick.delete_memory(last.memory_id, confirm=True)
    forget_that_it_was_deleted(quick.settings)

    done = await added(quick, path)

    assert (done.added, done.memories_added) == (1, 1)
    assert len(await stored(quick, path)) == 3


async def test_a_part_that_was_deleted_on_purpose_stays_away(
    quick: MemoryEngine, folder: Path
) -> None:
    path = folder / "guide.md"
    path.write_text(GUIDE)
    await added(quick, path)
    page = await quick.list_memories(limit=100)
    first = min(page.memories, key=lambda each: each.metadata["position"])
    await quick.delete_memory(first.memory_id, confirm=True)

    done = await added(quick, path)

    assert done.unchanged == 1
    assert len(await stored(quick, path)) == 2


async def test_every_file_is_accounted_for(quick: MemoryEngine, folder: Path) -> None:
    (folder / "guide.md").write_text(GUIDE)
    (folder / "letter.docx").write_bytes(docx(paragraph("Dear Ann, the boat has arrived.")))
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4\nnothing of the kind")
    (folder / "picture.bin").write_bytes(b"\0\1\2\3" * 100)
    (folder / "empty.txt").touch()
    (folder / ".env").write_text("PASSWORD=hunter2hunter2")
    (folder / "link.md").symlink_to(folder / "guide.md")

    done = await added(quick, folder)

    assert outcomes(done) == {
        "guide.md": "added",
        "letter.docx": "added",
        "broken.pdf": "failed",
        "picture.bin": "skipped",
        "empty.txt": "skipped",
        ".env": "skipped",
        "link.md": "skipped",
    }
    assert all(each.reason for each in done.files if each.outcome in ("failed", "skipped"))
    assert done.job.failed == 1
    assert "broken.pdf" in done.job.failures[0]
    assert (done.job.done, done.job.total) == (7, 7)


async def test_a_link_that_the_user_names_leads_to_its_file(
    quick: MemoryEngine, folder: Path
) -> None:
    (folder / "guide.md").write_text(GUIDE)
    link = folder / "link.md"
    link.symlink_to(folder / "guide.md")

    done = await added(quick, link, folder)

    assert outcomes(done) == {"guide.md": "added", "link.md": "skipped"}


async def test_secrets_are_hidden_and_counted(quick: MemoryEngine, folder: Path) -> None:
    path = folder / "notes.txt"
    path.write_text("The password is correct-horse-9 and the boat is blue.")

    done = await added(quick, path, metadata={"note": "token: ghp_" + "a1B2" * 9})

    (memory,) = await stored(quick, path)
    assert "correct-horse-9" not in str(memory)
    assert "ghp_" not in str(memory)
    assert "the boat is blue" in memory["text"]
    assert sum(done.secrets_hidden.values()) == 2


async def test_tags_and_metadata_belong_to_every_part(quick: MemoryEngine, folder: Path) -> None:
    path = folder / "guide.md"
    path.write_text(GUIDE)

    await added(quick, path, metadata={"tags": ["house"], "shelf": 3, "source": "elsewhere"})

    for memory in await stored(quick, path):
        assert (memory["tags"], memory["shelf"]) == (["house"], 3)


async def test_who_writes_a_letter_speaks_in_it_on_its_date(
    quick: MemoryEngine, folder: Path
) -> None:
    path = folder / "letter.eml"
    path.write_text(
        "From: Ann <ann@example.org>\nTo: Bob <bob@example.org>\nSubject: The boat\n"
        "Date: Tue, 05 Mar 2024 10:00:00 +0000\n\nThe boat has arrived in Skagen.\n"
    )

    await added(quick, path)

    (memory,) = await stored(quick, path)
    assert "Ann" in memory["speaker"]
    assert memory["timestamp"].startswith("2024-03-05")


async def test_a_text_is_read_under_its_name_and_replaced_under_it(quick: MemoryEngine) -> None:
    first = await quick.add_document_text(GUIDE, "guide.md")
    again = await quick.add_document_text(GUIDE, "guide.md")
    changed = await quick.add_document_text("# Kettles\n\nNo repair.", "guide.md")

    assert (first.added, again.unchanged, changed.updated) == (1, 1, 1)
    (memory,) = await stored(quick, "guide.md")
    assert "No repair." in memory["text"]


async def test_long_documents_come_whole_and_in_order(quick: MemoryEngine, folder: Path) -> None:
    path = folder / "long.md"
    sections = [f"## Part {n}\n\n" + f"Sentence {n} of the book. " * 60 for n in range(90)]
    path.write_text("\n\n".join(sections))

    done = await added(quick, path)

    memories = await stored(quick, path)
    assert [each["heading"] for each in memories] == [f"Part {n}" for n in range(90)]
    assert done.memories_added == 90


@pytest.mark.parametrize("name", ["", " ", "n" * 1001])
async def test_a_text_without_a_proper_name_is_refused(quick: MemoryEngine, name: str) -> None:
    with pytest.raises(ValidationError, match="name"):
        await quick.add_document_text("Something.", name)


async def test_bad_input_changes_nothing(quick: MemoryEngine, folder: Path) -> None:
    (folder / "guide.md").write_text(GUIDE)

    with pytest.raises(ValidationError, match="names no file"):
        await added(quick, folder, folder / "missing.md")
    with pytest.raises(ValidationError, match=r"metadata\.tags"):
        await added(quick, folder, metadata={"tags": "house"})
    with pytest.raises(ValidationError, match="must name"):
        await added(quick)

    assert (await quick.get_stats()).total_memories == 0


async def test_agents_read_only_what_lies_in_allowed_folders(
    quick: MemoryEngine, folder: Path
) -> None:
    inside = folder / "inside"
    inside.mkdir()
    (inside / "guide.md").write_text(GUIDE)
    (inside / "id_rsa").write_text("a key")
    outside = folder / "outside.md"
    outside.write_text(GUIDE)
    (inside / "way-out.md").symlink_to(outside)
    await quick.allow_code([inside], is_lasting=False)

    done = await quick.add_documents([str(inside / "guide.md")])
    assert done.added == 1
    for path in (outside, inside / "way-out.md", folder):
        with pytest.raises(ValidationError, match="ZAPOMNI_CODE_ROOTS"):
            await quick.add_documents([str(path)])
    with pytest.raises(ValidationError, match="secrets"):
        await quick.add_documents([str(inside / "id_rsa")])
    with pytest.raises(ValidationError, match="full path"):
        await quick.add_documents(["guide.md"])


async def test_work_that_was_given_up_is_taken_up_again(
    quick: MemoryEngine, embedder: CountingEmbedder, folder: Path
) -> None:
    for number in range(60):
        (folder / f"n{number}.md").write_text(GUIDE.replace("vinegar", f"vinegar {number}"))
    embedder.allowed = anyio.Event()
    begun = await quick.add_documents([folder], is_trusted=True, patience_s=0.1)
    await quick.cancel_job(begun.job.id)
    assert (await quick.get_stats()).total_memories == 0
    embedder.allowed.set()

    resumed = await quick.resume_job(begun.job.id, patience_s=None)

    assert resumed.state == "done"
    again = await added(quick, folder)
    assert again.unchanged == 60
    assert (await quick.get_stats()).total_memories == 180
