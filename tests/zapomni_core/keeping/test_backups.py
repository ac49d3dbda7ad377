"""Backups and restores: all or nothing, whatever is cut off, damaged or in use."""

import asyncio
import hashlib
import itertools
import os
import random
import shutil
import tarfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import anyio
import pytest

from tests.fakes import CountingEmbedder
from tests.folders import running_database
from tests.zapomni_core.keeping.samples import exported, kill, many_lines, settings_in, start
from tests.zapomni_db.servers import wait_until
from zapomni_core import ConfigurationError, MemoryEngine, ValidationError
from zapomni_core.keeping.archives import Archive, checksum_path, read_archive, write_archive
from zapomni_core.keeping.backups import back_up_by_the_clock
from zapomni_core.keeping_engine import KeepingEngine
from zapomni_db import DataFolderUnusable, EmbeddedAddress
from zapomni_db.backup import LogFile, alone, install_log, log_files, settle_log

pytestmark = pytest.mark.anyio


async def fill(folder: Path, count: int = 60) -> None:
    file = folder.parent / f"{folder.name}.jsonl"
    file.write_bytes(many_lines(count))
    await KeepingEngine(settings_in(folder), embedder=CountingEmbedder()).import_memories(file)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Make a data folder with memories, and a backup of fewer."""
    folder = tmp_path_factory.mktemp("backups") / "memory"
    backup = folder.parent / "backup.tar"

    async def make() -> None:
        await fill(folder, 30)
        await KeepingEngine(settings_in(folder)).back_up(backup)
        await fill(folder, 60)

    # Not async itself: tests that are not may come first.
    asyncio.run(make())
    with alone(folder, 30):
        return folder, backup


@pytest.fixture
def folder(template: tuple[Path, Path], tmp_path: Path) -> Path:
    """Copy the data folder that has 60 memories."""
    copy = tmp_path / "memory"
    shutil.copytree(template[0], copy, ignore=shutil.ignore_patterns("*.sock"))
    return copy


@pytest.fixture
def backup(template: tuple[Path, Path], tmp_path: Path) -> Path:
    """Copy the backup that has 30 memories."""
    copy = tmp_path / "backup.tar"
    shutil.copy(template[1], copy)
    shutil.copy(checksum_path(template[1]), checksum_path(copy))
    return copy


async def memories_in(folder: Path) -> int:
    return (await exported(settings_in(folder))).count(b"\n") - 2


async def test_a_backup_brings_back_what_was_there(folder: Path, backup: Path) -> None:
    engine = KeepingEngine(settings_in(folder))
    before = await exported(engine.settings, with_vectors=True)
    wait_until(lambda: can_be_alone(folder))

    restored = await engine.restore(backup)

    assert restored.memories == await memories_in(folder) == 30
    aside = Path(restored.aside)
    assert await exported(settings_in(aside), with_vectors=True) == before


async def test_a_restored_memory_answers_as_before(tmp_path: Path) -> None:
    settings = settings_in(tmp_path / "memory")
    await fill(settings.data_dir, 120)
    numbers = random.Random(1).choices(range(120), k=200)

    async def answers(engine: MemoryEngine) -> list[list[tuple[str, float]]]:
        found = [await engine.search_memory(f"the answer to {n}", 5) for n in numbers]
        return [[(hit.memory_id, hit.similarity_score) for hit in one.results] for one in found]

    async with MemoryEngine(settings, embedder=CountingEmbedder()) as engine:
        before = await answers(engine)
        done = await KeepingEngine(settings).back_up()
        await engine.add_memory("The answer to 7 is something else.")
    await wait_for_the_end(settings.data_dir)
    await KeepingEngine(settings).restore(Path(done.path))

    async with MemoryEngine(settings, embedder=CountingEmbedder()) as engine:
        assert await answers(engine) == before


async def test_a_backup_while_others_write_holds_all_that_was_acknowledged(
    tmp_path: Path,
) -> None:
    settings = settings_in(tmp_path / "memory")
    file = tmp_path / "more.jsonl"
    file.write_bytes(many_lines(1500))
    acknowledged = 0

    async def noting(done: int, _total: int) -> None:
        nonlocal acknowledged
        acknowledged = done

    with running_database(settings.data_dir):
        engine = KeepingEngine(settings, embedder=CountingEmbedder())
        async with anyio.create_task_group() as group:
            group.start_soon(lambda: engine.import_memories(file, progress=noting))
            for number in range(4):
                known = acknowledged
                path = tmp_path / f"{number}.tar"
                await KeepingEngine(settings).back_up(path)
                copy = settings_in(tmp_path / f"copy{number}")
                restored = await KeepingEngine(copy).restore(path)
                assert known <= restored.memories <= 1500


def test_a_backup_says_in_a_file_beside_it_which_checksum_it_has(backup: Path) -> None:
    told, name = checksum_path(backup).read_text().split()

    assert told == hashlib.sha256(backup.read_bytes()).hexdigest()
    assert name == "backup.tar"
    with tarfile.open(backup) as tar:
        assert {member.mode for member in tar} == {0o600}


async def test_a_backup_never_replaces_a_file(folder: Path, tmp_path: Path) -> None:
    taken = tmp_path / "taken.tar"
    taken.write_text("mine")

    with pytest.raises(ValidationError):
        await KeepingEngine(settings_in(folder)).back_up(taken)

    assert taken.stat().st_size == len("mine")


async def test_nothing_is_restored_while_somebody_uses_the_folder(
    folder: Path, backup: Path
) -> None:
    with (
        running_database(folder),
        pytest.raises(ConfigurationError, match="in use"),
    ):
        await KeepingEngine(settings_in(folder)).restore(backup)

    assert await memories_in(folder) == 60


def hostile(backup: Path) -> Iterator[tuple[str, bytes]]:
    whole, chance = backup.read_bytes(), random.Random(3)
    for size in (0, 1, 511, 512, 700, len(whole) // 2, len(whole) - 1025, len(whole) - 1):
        yield f"cut to {size}", whole[:size]
    for _ in range(40):
        place = chance.randrange(len(whole))
        yield (
            f"bit of byte {place}",
            whole[:place]
            + bytes([whole[place] ^ (1 << chance.randrange(8))])
            + whole[place + 1 :],
        )
    yield "something behind the end", whole + b"more"
    yield "zeros", bytes(2048)
    yield "foreign", b'{"memories": []}'
    for name in ("../../evil", "/tmp/evil", "appendonlydir/../evil", "appendonlydir/x.so"):
        yield f"a member {name}", tar_of({name: b"evil"})
    yield "a proper name but no proof", tar_of({"appendonlydir/appendonly.aof.1.base.rdb": b"R"})


def tar_of(members: dict[str, bytes]) -> bytes:
    file = BytesIO()
    with tarfile.open(fileobj=file, mode="w") as tar:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), 0o600
            tar.addfile(member, BytesIO(content))
    return file.getvalue()


async def test_a_hostile_file_is_refused_and_changes_nothing(
    folder: Path, backup: Path, tmp_path: Path
) -> None:
    engine = KeepingEngine(settings_in(folder))
    before = snapshot(folder)
    file = tmp_path / "hostile.tar"

    for what, content in hostile(backup):
        file.write_bytes(content)
        assert await is_refused(engine, file), what

    assert snapshot(folder) == before
    assert not is_there(tmp_path.parent / "evil")


async def is_refused(engine: KeepingEngine, file: Path) -> bool:
    try:
        await engine.restore(file)
    except ValidationError:
        return True
    return False


def is_there(path: Path) -> bool:
    return path.exists()


def snapshot(folder: Path) -> dict[str, bytes]:
    log = folder / "appendonlydir"
    return {path.name: path.read_bytes() for path in sorted(log.iterdir())}


async def test_a_proven_file_that_is_no_database_is_refused(folder: Path, tmp_path: Path) -> None:
    before = snapshot(folder)
    file = tmp_path / "no-database.tar"
    content = BytesIO(b"REDIS0011 and then nothing that makes sense" * 10)
    log = LogFile("appendonly.aof.1.base.rdb", content, len(content.getvalue()))
    with file.open("wb") as output:
        write_archive(output, [log], Archive("2026-01-01", (), is_quiet=True))
    read_archive(file)

    with pytest.raises(ValidationError):
        await KeepingEngine(settings_in(folder)).restore(file)

    assert snapshot(folder) == before


MOMENTS: dict[str, Callable[[Path], bool]] = {
    "it has begun": lambda folder: (folder / "restore.partial").exists(),
    "the copy is opened": lambda folder: (folder / "restore.partial" / "server.conf").exists(),
    "the old is kept aside": lambda folder: any(folder.glob("replaced-*")),
    "it is done": lambda folder: (
        any(folder.glob("replaced-*")) and not (folder / "restore.partial").exists()
    ),
}


@pytest.mark.parametrize("moment", MOMENTS)
async def test_a_restore_killed_at_any_point_leaves_the_old_or_the_new(
    folder: Path, backup: Path, moment: str
) -> None:
    await wait_for_the_end(folder)
    process = start(folder, "restore", "--yes", backup)

    await until(lambda: MOMENTS[moment](folder) or process.poll() is not None)
    kill(process)

    await wait_for_the_end(folder)
    assert await memories_in(folder) in {30, 60}
    restored = await KeepingEngine(settings_in(folder)).restore(backup)
    assert restored.memories == await memories_in(folder) == 30


async def test_a_backup_that_is_killed_leaves_none_or_a_whole_one(
    folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "killed.tar"
    process = start(folder, "backup", path)

    await until(lambda: any(tmp_path.glob("killed.tar*")) or process.poll() is not None)
    kill(process)

    assert not path.exists() or read_archive(path).graphs[0].memories == 60
    assert await memories_in(folder) == 60


def test_an_installation_cut_off_between_any_two_steps_leaves_the_old_or_the_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = [installed_until(step, tmp_path / str(step), monkeypatch) for step in range(40)]

    assert set(seen) == {"abc", "xy"}
    assert sorted(seen) == seen


def installed_until(step: int, scratch: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Install a log, cut off behind some steps; return what the folder then holds."""
    old, new = scratch / "old", scratch / "new"
    kinds = ("base.rdb", "incr.aof", "incr.aof")
    for folder, contents in ((old, "abc"), (new, "xy")):
        (folder / "appendonlydir").mkdir(parents=True)
        names = [f"appendonly.aof.{n}.{kinds[n - 1]}" for n in range(1, len(contents) + 1)]
        for name, content in zip(names, contents, strict=True):
            (folder / "appendonlydir" / name).write_text(content)
        settle_log(folder, names)
    left = itertools.count(step, -1)

    def counted(work: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **named: Any) -> Any:
            if next(left) <= 0:
                raise KeyboardInterrupt
            return work(*arguments, **named)

        return run

    with monkeypatch.context() as patch, suppress(KeyboardInterrupt):
        for name in ("link", "fsync"):
            patch.setattr(os, name, counted(getattr(os, name)))
        for name in ("replace", "unlink", "mkdir"):
            patch.setattr(Path, name, counted(getattr(Path, name)))
        install_log(new, old, scratch / "aside")
    return "".join((old / "appendonlydir" / name).read_text() for name in log_files(old))


async def test_scheduled_backups_are_made_when_due_and_only_the_newest_are_kept(
    folder: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "backups"
    kept.mkdir()
    for day in range(1, 5):
        (kept / f"zapomni-auto-2024010{day}T000000Z.tar").write_text("old")
    (kept / "zapomni-20240101T000000Z.tar").write_text("made by hand")

    with anyio.move_on_after(30):
        async with anyio.create_task_group() as group:
            group.start_soon(
                lambda: back_up_by_the_clock(
                    EmbeddedAddress(folder), kept, every_h=1.0, keep=2, look_every_s=0.01
                )
            )
            await until(lambda: len(list(kept.glob("zapomni-auto-*.tar"))) == 2)
            group.cancel_scope.cancel()

    names = sorted(path.name for path in kept.glob("*.tar"))
    assert names[0] == "zapomni-20240101T000000Z.tar"
    assert names[1] == "zapomni-auto-20240104T000000Z.tar"
    assert len(names) == 3
    assert read_archive(kept / names[2]).graphs[0].memories == 60


def can_be_alone(folder: Path) -> bool:
    try:
        with alone(folder, 0):
            return True
    except DataFolderUnusable:
        return False


async def wait_for_the_end(folder: Path) -> None:
    await until(lambda: can_be_alone(folder))


async def until(condition: Callable[[], bool]) -> None:
    await anyio.to_thread.run_sync(lambda: wait_until(condition))
