"""The data folder may have any name, keeps secrets, and says clearly why it cannot be used."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from tests.zapomni_db.processes import joined, pair_of
from tests.zapomni_db.samples import opened, sample
from tests.zapomni_db.servers import wait_until
from zapomni_db import DataFolderUnusable, EmbeddedAddress, Keyspace, Store, StoreError
from zapomni_db.embedded import EmbeddedServer

pytestmark = pytest.mark.anyio


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    if shutil.which("mount") is None or os.getuid() != 0:
        pytest.skip("mounting a small disk takes root")
    mount = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(tmp_path)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("this system does not let us mount a small disk")
    yield tmp_path
    subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


async def _fill(store: Store, acknowledged: list[str]) -> None:
    for _ in range(100):
        memory, chunks = sample("x" * 50_000)
        await store.add(memory, chunks)
        acknowledged.append(chunks[0].id)


@pytest.mark.parametrize(
    "name",
    [
        "with spaces  in it",
        'it\'s "quoted"',
        "back\\slash and #hash",
        "память 記憶 🧠",
        "a\nnew line",
        os.fsdecode(b"latin-1 caf\xe9"),
        "long/" + "x" * 200,
    ],
)
async def test_a_folder_may_have_any_name(tmp_path: Path, name: str, keyspace: Keyspace) -> None:
    folder = tmp_path / name
    memory, chunks = sample()
    async with opened(EmbeddedAddress(folder), keyspace) as store:
        await store.add(memory, chunks)

    async with opened(EmbeddedAddress(folder), keyspace) as store:
        assert len(await store.hits([chunks[0].id])) == 1
    assert (folder / "appendonlydir").is_dir()


def test_long_paths_do_not_share_a_database(tmp_path: Path) -> None:
    with joined(tmp_path / ("x" * 150)) as first, joined(tmp_path / ("y" * 150)) as second:
        assert pair_of(first) != pair_of(second)


async def test_nobody_else_can_read_the_data(tmp_path: Path, keyspace: Keyspace) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    previous = os.umask(0)
    try:
        async with opened(EmbeddedAddress(folder), keyspace) as store:
            await store.add(*sample())
            modes = {path: path.lstat().st_mode & 0o777 for path in (folder, *folder.rglob("*"))}
    finally:
        os.umask(previous)

    assert modes[folder] == 0o700
    assert len(modes) > 8
    assert {str(path): oct(mode) for path, mode in modes.items() if mode & 0o077} == {}


@pytest.mark.parametrize("place", ["file", "file/below", "file/far/below"])
async def test_a_file_in_the_way_is_named_as_the_reason(
    tmp_path: Path, place: str, keyspace: Keyspace
) -> None:
    (tmp_path / "file").write_text("precious")
    store = Store(EmbeddedAddress(tmp_path / place), keyspace)

    with pytest.raises(DataFolderUnusable, match="ZAPOMNI_DATA_DIR"):
        await store.open()

    assert (tmp_path / "file").read_text() == "precious"


async def test_a_full_disk_is_reported_and_loses_nothing(
    tiny_disk: Path, keyspace: Keyspace
) -> None:
    address = EmbeddedAddress(tiny_disk / "data")
    acknowledged: list[str] = []
    async with opened(address, keyspace) as store:
        with pytest.raises(DataFolderUnusable, match="full"):
            await _fill(store, acknowledged)
        assert len(await store.hits(acknowledged)) == len(acknowledged) > 0

    await anyio.run_process(["mount", "-o", "remount,size=64m", str(tiny_disk)])
    async with opened(address, keyspace) as store:
        assert len(await store.hits(acknowledged)) == len(acknowledged)
        assert (await store.check()).did_nothing
        await store.add(*sample("there is room again"))


async def test_a_full_disk_is_reported_with_delayed_writes_as_well(
    tiny_disk: Path, keyspace: Keyspace
) -> None:
    async with opened(EmbeddedAddress(tiny_disk / "data", "everysec"), keyspace) as store:
        with pytest.raises(StoreError, match="full"):
            await _fill(store, [])


def test_a_folder_that_cannot_be_prepared_on_a_full_disk_says_so(tiny_disk: Path) -> None:
    with pytest.raises(OSError, match="space"):
        (tiny_disk / "filler").write_bytes(bytes(4_000_000))

    with pytest.raises(DataFolderUnusable, match="full"):
        EmbeddedServer(tiny_disk / "data").start()


@pytest.mark.parametrize("lost_bytes", [1, 7, 100])
async def test_a_log_that_was_cut_off_opens_with_all_but_the_last_write(
    tmp_path: Path, lost_bytes: int, keyspace: Keyspace
) -> None:
    samples = [sample(f"memory {number}") for number in range(5)]
    with joined(tmp_path) as server:
        pair = pair_of(server)
        async with opened(EmbeddedAddress(tmp_path), keyspace) as store:
            for memory, chunks in samples:
                await store.add(memory, chunks)
    wait_until(lambda: pair.is_gone)
    (log,) = (tmp_path / "appendonlydir").glob("*.incr.aof")
    os.truncate(log, log.stat().st_size - lost_bytes)

    async with opened(EmbeddedAddress(tmp_path), keyspace) as store:
        hits = await store.hits([chunks[0].id for _, chunks in samples])
        assert (await store.check()).did_nothing

    assert {hit.memory_id for hit in hits} == {memory.id for memory, _ in samples[:-1]}
