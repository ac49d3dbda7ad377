"""A large folder of mixed real documents: every file is accounted for, whatever is in it."""

import shutil
import sysconfig
from collections import Counter
from itertools import islice
from pathlib import Path

import anyio
import pytest

from tests.zapomni_core.documents.files import docx, epub, paragraph, pdf, zipped
from zapomni_core import MemoryEngine

pytestmark = pytest.mark.anyio

ENDINGS = ("METADATA", ".md", ".rst", ".txt", ".html", ".py", ".csv", ".json", ".ipynb", ".xml")
EACH = 600
LARGEST = 6_000
PAGE = "<html><body><h1>{0}</h1><p>The chapter {0} of the book.</p></body></html>"


@pytest.fixture
def documents(folder: Path) -> Path:
    """Copies of what the installed packages say of themselves, and some that were made up."""
    packages = Path(sysconfig.get_path("purelib"))
    number = 0
    for ending in ENDINGS:
        small = (path for path in sorted(packages.rglob(f"*{ending}")) if is_small(path))
        for path in islice(small, EACH):
            target = folder / ending.strip(".").lower() / f"{number}-{path.name}"
            target.parent.mkdir(exist_ok=True)
            shutil.copyfile(path, target)
            number += 1
    made = folder / "made"
    made.mkdir()
    for n in range(60):
        text = f"The report number {n} is about the weather."
        (made / f"{n}.pdf").write_bytes(pdf([[text], [f"Its second page, {n}."]]))
        (made / f"{n}.docx").write_bytes(
            docx(paragraph(f"Chapter {n}", "Heading1") + paragraph(text))
        )
        (made / f"{n}.epub").write_bytes(epub({"a.xhtml": PAGE.format(n)}))
        (made / f"{n}.eml").write_text(f"From: Ann\nSubject: Number {n}\n\n{text}\n")
        (made / f"{n}.bin").write_bytes(bytes([n, 0, 1, 2]) * 50)
    return folder


def files_in(place: Path) -> set[str]:
    return {str(path) for path in place.rglob("*") if path.is_file()}


def is_small(path: Path) -> bool:
    return path.is_file() and 0 < path.stat().st_size < LARGEST


async def test_a_thousand_files_are_all_accounted_for(
    quick: MemoryEngine, documents: Path
) -> None:
    files = await anyio.to_thread.run_sync(files_in, documents)

    done = await quick.add_documents([documents], is_trusted=True, patience_s=None)

    assert done.job.state == "done", done.job.error
    assert len(files) >= 1000
    assert Counter(each.path for each in done.files) == Counter(files)
    counts = Counter(each.outcome for each in done.files)
    assert counts.keys() <= {"added", "skipped", "failed"}
    assert counts["added"] > 0.8 * len(files)
    assert all(each.reason for each in done.files if each.outcome != "added")
    held = sum(each.memories for each in done.files)
    assert (await quick.get_stats()).total_memories == done.memories_added == held

    again = await quick.add_documents([documents], is_trusted=True, patience_s=None)

    assert again.unchanged == done.added
    assert again.memories_added == again.memories_removed == 0


async def test_hostile_files_fail_by_name_and_hold_up_nothing(
    quick: MemoryEngine, folder: Path
) -> None:
    (folder / "bomb.docx").write_bytes(zipped({"word/document.xml": "A" * 200_000_000}))
    (folder / "nested.html").write_text("<div>" * 200_000)
    (folder / "cut.pdf").write_bytes(pdf([["One page."]])[:200])
    (folder / "liar.md").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0\xff" * 5000)
    (folder / "entities.epub").write_bytes(zipped({"META-INF/container.xml": "<!DOCTYPE a>"}))
    (folder / "good.md").write_text("# Fine\n\nNothing is wrong here.")

    done = await quick.add_documents([folder], is_trusted=True, patience_s=None)

    became = {Path(each.path).name: each.outcome for each in done.files}
    assert became.pop("good.md") == "added"
    assert set(became.values()) <= {"failed", "skipped"}
    assert len(became) == 5
