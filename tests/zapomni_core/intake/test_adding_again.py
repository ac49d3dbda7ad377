"""Documents that are read once more: what is new of them, what is gone, what stays away."""

from pathlib import Path

import anyio
import pytest

from tests.fakes import CountingEmbedder
from tests.zapomni_core.intake.test_documents import GUIDE, added, outcomes, stored
from tests.zapomni_core.life.asking import expire
from zapomni_core import MemoryEngine, SearchFilters, ValidationError

pytestmark = pytest.mark.anyio


@pytest.fixture
def guide(folder: Path) -> Path:
    path = folder / "guide.md"
    path.write_text(GUIDE)
    return path


def write(path: Path, text: str) -> None:
    path.write_text(text)


def remove(*paths: Path) -> None:
    for path in paths:
        path.rmdir() if path.is_dir() else path.unlink()


async def part_ids(engine: MemoryEngine) -> list[str]:
    """Return the ids of all memories, in the order of a document."""
    found = (await engine.list_memories(limit=100)).memories
    return [each.memory_id for each in sorted(found, key=lambda each: each.metadata["position"])]


async def test_new_tags_of_an_unchanged_file_are_added_to_its_memories(
    quick: MemoryEngine, embedder: CountingEmbedder, guide: Path
) -> None:
    await added(quick, guide, metadata={"tags": ["house"], "shelf": 3})
    embedder.batches.clear()

    done = await added(quick, guide, metadata={"tags": ["kitchen", "house"], "shelf": 4})
    again = await added(quick, guide, metadata={"tags": ["kitchen"]})

    assert (done.unchanged, done.memories_added, done.memories_changed) == (1, 0, 3)
    assert again.memories_changed == 0
    for memory in await stored(quick, guide):
        assert (memory["tags"], memory["shelf"]) == (["house", "kitchen"], 4)
    tagged = await quick.list_memories(SearchFilters(tags=("kitchen",)))
    assert tagged.total == 3
    assert embedder.batches == []


async def test_new_tags_leave_alone_what_has_expired(quick: MemoryEngine, guide: Path) -> None:
    await added(quick, guide)
    first, *_ = await part_ids(quick)
    await expire(quick, first)

    done = await added(quick, guide, metadata={"tags": ["kitchen"]})

    assert (done.unchanged, done.failed, done.memories_changed) == (1, 0, 2)


async def test_what_a_part_says_of_itself_is_not_overwritten(
    quick: MemoryEngine, guide: Path
) -> None:
    await added(quick, guide)
    before = await stored(quick, guide)

    done = await added(quick, guide, metadata={"source": "elsewhere", "position": 9, "lines": "1"})

    assert done.memories_changed == 0
    assert await stored(quick, guide) == before


async def test_secrets_in_metadata_are_no_news(quick: MemoryEngine, guide: Path) -> None:
    given = {"note": "token: ghp_" + "a1B2" * 9}
    await added(quick, guide, metadata=given)

    again = await added(quick, guide, metadata=given)

    assert again.memories_changed == 0


@pytest.mark.parametrize("deleted", [[2], [0, 2], [0, 1, 2]])
async def test_parts_that_were_deleted_do_not_come_back(
    quick: MemoryEngine, guide: Path, deleted: list[int]
) -> None:
    await added(quick, guide)
    ids = await part_ids(quick)
    for number in deleted:
        await quick.delete_memory(ids[number], confirm=True)

    done = await added(quick, guide)

    assert (done.unchanged, done.memories_added) == (1, 0)
    assert done.files[0].memories == 3 - len(deleted)
    assert f"{len(deleted)} of its parts were deleted" in done.files[0].reason
    assert await part_ids(quick) == [each for each in ids if ids.index(each) not in deleted]


async def test_another_version_of_the_file_is_read_whole(quick: MemoryEngine, guide: Path) -> None:
    await added(quick, guide)
    await quick.delete_memory((await part_ids(quick))[-1], confirm=True)

    write(guide, GUIDE.replace("vinegar", "lemon juice"))
    done = await added(quick, guide)

    assert (done.updated, done.memories_added) == (1, 3)


async def test_after_everything_was_cleared_a_file_is_new(
    quick: MemoryEngine, guide: Path
) -> None:
    await added(quick, guide)
    await quick.delete_memory((await part_ids(quick))[-1], confirm=True)
    await quick.clear_all("DELETE ALL MEMORIES")

    done = await added(quick, guide)

    assert (done.added, done.memories_added) == (1, 3)


async def test_files_that_are_gone_are_named_and_their_memories_stay(
    quick: MemoryEngine, folder: Path, guide: Path
) -> None:
    inner = folder / "inner"
    inner.mkdir()
    lost = inner / "lost.md"
    lost.write_text(GUIDE)
    await added(quick, folder)

    lost.unlink()
    inner.rmdir()
    done = await added(quick, folder)
    elsewhere = await added(quick, guide)

    assert outcomes(done) == {"guide.md": "unchanged", "lost.md": "gone"}
    assert (done.gone, done.failed) == (1, 0)
    assert next(each for each in done.files if each.outcome == "gone").memories == 3
    assert (done.job.done, done.job.total) == (1, 1)
    assert elsewhere.gone == 0
    assert len(await stored(quick, lost)) == 3


async def test_memories_of_files_that_are_gone_are_pruned_on_request(
    quick: MemoryEngine, folder: Path, guide: Path
) -> None:
    lost, neighbour = folder / "lost.md", folder.parent / "documents-2"
    neighbour.mkdir()
    other = neighbour / "other.md"
    for path in (lost, other):
        path.write_text(GUIDE)
    await added(quick, folder, neighbour)
    await quick.add_document_text(GUIDE, str(folder / "handed-in.md"))
    note = await quick.add_memory("The lost guide was good.", {"source": str(lost)})
    pinned = await quick.list_memories(SearchFilters(source=str(lost)), order="first_added")
    await quick.update_memory(pinned.memories[0].memory_id, None, {"pinned": True})
    lost.unlink()
    other.unlink()

    dry = await quick.prune_memory(["gone_files"], path=str(folder))
    everywhere = await quick.prune_memory(["gone_files"])
    wet = await quick.prune_memory(["gone_files"], path=str(folder), dry_run=False)

    assert [(each.count, each.examples) for each in dry.kinds] == [(2, (str(lost),))]
    assert everywhere.kinds[0].count == 5
    assert wet.kinds == dry.kinds
    left = {each["text"] for each in await stored(quick, lost)}
    assert len(left) == 2
    assert (await quick.get_memory(note.memory_id)).text in left
    assert len(await stored(quick, guide)) == 3
    assert len(await stored(quick, other)) == 3
    assert len(await stored(quick, str(folder / "handed-in.md"))) == 3
    assert (await quick.prune_memory(["gone_files"], path=str(folder))).kinds[0].count == 0


async def test_a_file_that_comes_back_is_read_again(
    quick: MemoryEngine, folder: Path, guide: Path
) -> None:
    await added(quick, folder)
    remove(guide)
    await quick.prune_memory(["gone_files"], path=str(folder), dry_run=False)

    write(guide, GUIDE)
    done = await added(quick, folder)

    assert (done.added, done.memories_added) == (1, 3)


async def test_gone_files_go_only_from_a_folder_that_is_named_and_there(
    quick: MemoryEngine, folder: Path, guide: Path
) -> None:
    await added(quick, guide)
    remove(guide, folder)

    with pytest.raises(ValidationError, match="path must name the folder"):
        await quick.prune_memory(["gone_files"], dry_run=False)
    with pytest.raises(ValidationError, match="path must be a full path"):
        await quick.prune_memory(["gone_files"], path="documents")
    with pytest.raises(ValidationError, match="path is for gone_files"):
        await quick.prune_memory(["history"], path=str(folder))
    for dry_run in (True, False):
        with pytest.raises(ValidationError, match="name the one above it"):
            await quick.prune_memory(["gone_files"], path=str(folder), dry_run=dry_run)
    assert (await quick.get_stats()).total_memories == 3

    above = await quick.prune_memory(["gone_files"], path=str(folder.parent), dry_run=False)

    assert above.kinds[0].count == 3


async def test_a_text_whose_job_was_cut_off_must_be_handed_in_again(
    quick: MemoryEngine, embedder: CountingEmbedder
) -> None:
    embedder.allowed = anyio.Event()
    begun = await quick.add_document_text(GUIDE, "guide.md", patience_s=0.1)
    await quick.cancel_job(begun.job.id)
    embedder.allowed.set()

    with pytest.raises(ValidationError, match=r"text was not kept; hand the text of 'guide\.md'"):
        await quick.resume_job(begun.job.id)
    done = await quick.add_document_text(GUIDE, "guide.md")

    assert (done.added, done.memories_added) == (1, 3)
