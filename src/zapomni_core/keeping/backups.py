"""Make backups of an embedded database while it serves, by hand or by the clock."""

from __future__ import annotations

import asyncio
import fcntl
import os
import re
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import structlog

from zapomni_core.errors import ValidationError
from zapomni_core.keeping.archives import Archive, checksum_path, write_archive
from zapomni_db import Address, EmbeddedAddress, StoreError
from zapomni_db.backup import opened_log
from zapomni_db.connection import Connection
from zapomni_db.holdings import Holding, holdings

__all__ = ["BackedUp", "back_up", "back_up_by_the_clock", "backup_name", "fresh_path"]

_SCHEDULED = re.compile(r"zapomni-auto-(\d{8}T\d{6}Z)\.tar")
_FORM = "%Y%m%dT%H%M%SZ"
_LOOK_EVERY_S = 60.0
_LOW_PRIORITY = 10

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class BackedUp:
    """A backup that was made; `others` are further files that belong to it."""

    path: str
    memories: int
    size_bytes: int
    sha256: str
    seconds: float
    chunks: int = 0
    others: tuple[str, ...] = ()


def backup_name(kind: str = "", ending: str = "tar") -> str:
    """Name a backup of now."""
    return f"zapomni-{kind}{datetime.now(UTC).strftime(_FORM)}.{ending}"


async def back_up(address: EmbeddedAddress, path: Path) -> BackedUp:
    """Copy the whole embedded database, as it is at one moment, into one new file."""
    started = time.perf_counter()
    connection = Connection(address)
    await connection.open()
    try:
        before = await asyncio.to_thread(_length, address.folder)
        held = await holdings(connection)
        with ThreadPoolExecutor(1, "zapomni-backup", _give_way) as executor:
            work = partial(_write, address.folder, path, held, before)
            size, sha256 = await asyncio.get_running_loop().run_in_executor(executor, work)
    finally:
        await connection.close()
    return BackedUp(
        path=str(path),
        memories=sum(graph.memories for graph in held),
        chunks=sum(graph.chunks for graph in held),
        size_bytes=size,
        sha256=sha256,
        seconds=round(time.perf_counter() - started, 3),
    )


async def back_up_by_the_clock(
    address: Address,
    folder: Path,
    every_h: float,
    keep: int,
    *,
    look_every_s: float = _LOOK_EVERY_S,
) -> None:
    """Make a backup whenever the newest one is too old, until cancelled; keep the newest ones.

    Any number of processes may do so for one folder: they take turns, and find the work done.
    """
    if not isinstance(address, EmbeddedAddress):
        return
    while True:
        try:
            await _back_up_if_due(address, folder, every_h, keep)
        except (StoreError, OSError) as exc:
            _log.warning("backup_failed", error=str(exc))
        await asyncio.sleep(look_every_s)


async def _back_up_if_due(
    address: EmbeddedAddress, folder: Path, every_h: float, keep: int
) -> None:
    await asyncio.to_thread(folder.mkdir, 0o700, parents=True, exist_ok=True)
    with _turn(folder) as is_ours:
        newest = max(_scheduled(folder), default=None)
        is_due = newest is None or time.time() - _age_mark(newest) >= every_h * 3600
        if not is_ours or not is_due:
            return
        done = await back_up(address, folder / backup_name("auto-"))
        _log.info("backup_made", seconds=done.seconds, bytes=done.size_bytes)
        for old in sorted(_scheduled(folder))[: -max(keep, 1)]:
            old.unlink(missing_ok=True)
            checksum_path(old).unlink(missing_ok=True)


def fresh_path(path: Path) -> Path:
    """Refuse a path that is taken, or leads nowhere."""
    if path.exists():
        raise ValidationError("The file", f"{path} is there already; give another name")
    if not path.parent.is_dir():
        raise ValidationError("The folder", f"{path.parent} does not exist")
    return path


def _write(folder: Path, path: Path, held: list[Holding], length_before: int) -> tuple[int, str]:
    unfinished = path.with_name(f"{path.name}.part")
    try:
        with opened_log(folder) as log, unfinished.open("wb") as file:
            unfinished.chmod(0o600)
            is_quiet = sum(each.size for each in log) == length_before
            created = datetime.now(UTC).isoformat(timespec="seconds")
            about = Archive(created, tuple(held), is_quiet)
            sha256 = write_archive(file, log, about)
            file.flush()
            os.fsync(file.fileno())
            size = file.tell()
        checksum = checksum_path(path)
        checksum.write_text(f"{sha256}  {path.name}\n", encoding="utf-8")
        checksum.chmod(0o600)
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    return size, sha256


def _give_way() -> None:
    """Let searches go first; only Linux has a priority for each thread."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LOW_PRIORITY)


def _length(folder: Path) -> int:
    with opened_log(folder) as log:
        return sum(each.size for each in log)


def _scheduled(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if _SCHEDULED.fullmatch(path.name)]


def _age_mark(path: Path) -> float:
    match = _SCHEDULED.fullmatch(path.name)
    assert match is not None
    with suppress(ValueError):
        return datetime.strptime(match[1], _FORM).replace(tzinfo=UTC).timestamp()
    return 0.0


@contextmanager
def _turn(folder: Path) -> Iterator[bool]:
    descriptor = os.open(folder / "backups.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        with suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield True
            return
        yield False
    finally:
        os.close(descriptor)
