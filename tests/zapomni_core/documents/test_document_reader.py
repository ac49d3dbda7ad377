"""Documents are read in processes that may hang or crash without harm."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest

from tests.zapomni_core.documents.files import pdf
from zapomni_core.documents import (
    DocumentLimits,
    DocumentReader,
    DocumentRefused,
    read_document,
)
from zapomni_core.errors import ProcessingError

pytestmark = pytest.mark.anyio


@pytest.fixture
async def reader() -> AsyncIterator[DocumentReader]:
    reader = DocumentReader(1)
    yield reader
    await reader.close()


def workers() -> list[psutil.Process]:
    return [
        child
        for child in psutil.Process().children()
        if child.status() != psutil.STATUS_ZOMBIE
        and "documents.worker" in " ".join(child.cmdline())
    ]


@pytest.mark.parametrize(
    ("name", "raw"), [("a.pdf", pdf([["Hello"]])), ("a.md", b"# T\n\ntext"), ("a.html", b"<p>x")]
)
async def test_a_worker_reads_what_is_read_here(
    reader: DocumentReader, tmp_path: Path, name: str, raw: bytes
) -> None:
    (tmp_path / name).write_bytes(raw)

    assert await reader.read(raw, name) == read_document(raw, name)
    assert await reader.read(tmp_path / name) == read_document(raw, name)
    assert len(workers()) == 1


async def test_refusals_reach_the_caller(reader: DocumentReader, tmp_path: Path) -> None:
    with pytest.raises(DocumentRefused, match="is empty") as refusal:
        await reader.read(b"", "a.txt")
    assert refusal.value.name == "a.txt"
    with pytest.raises(DocumentRefused, match="cannot be opened"):
        await reader.read(tmp_path / "missing.txt")
    with pytest.raises(DocumentRefused, match="not a regular file"):
        await reader.read(tmp_path)
    with pytest.raises(DocumentRefused, match="bigger"):
        await reader.read(b"text", "a.txt", DocumentLimits(input_bytes=3))


async def test_a_pipe_is_refused_and_not_waited_for(
    reader: DocumentReader, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "a.txt")

    with pytest.raises(DocumentRefused, match="not a regular file"):
        await reader.read(tmp_path / "a.txt")


async def test_a_worker_that_takes_too_long_is_ended_and_replaced() -> None:
    reader = DocumentReader(1, limit_s=0.05)
    slow = b"".join(b"a%d | b\n" % number for number in range(3_000_000))

    with pytest.raises(DocumentRefused, match="longer"):
        await reader.read(slow, "a.md")

    assert workers() == []
    await reader.close()


async def test_a_worker_that_crashes_is_replaced(reader: DocumentReader) -> None:
    await reader.read(b"text", "a.txt")
    (first,) = workers()
    first.send_signal(signal.SIGKILL)
    first.wait(5)

    assert (await reader.read(b"text", "b.txt")).name == "b.txt"
    assert workers() != [first]


async def test_many_documents_are_read_at_once() -> None:
    reader = DocumentReader(2)

    found = await asyncio.gather(*(reader.read(b"text", f"{n}.txt") for n in range(20)))
    await reader.close()

    assert [document.name for document in found] == [f"{n}.txt" for n in range(20)]
    assert workers() == []


async def test_who_stops_waiting_gets_no_answer_of_another(reader: DocumentReader) -> None:
    await reader.read(b"text", "a.txt")
    task = asyncio.create_task(reader.read(b"word " * 1_000_000, "slow.md"))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert (await reader.read(b"text", "next.txt")).name == "next.txt"


async def test_a_worker_that_cannot_start_is_an_error_that_says_how_to_look() -> None:
    with pytest.raises(ProcessingError, match=r"zapomni_core\.documents\.worker"):
        await DocumentReader(python="/nonexistent/python").read(b"text", "a.txt")
