"""Copy an embedded database while it serves, and put a copy in its place.

The database is its log: a base and what was appended since, named by a manifest. Whatever has
been acknowledged is in those files, and any beginning of the log is a consistent state. So a
backup reads them, without a lock and without a fork; and a restore adds other files, and then
replaces the manifest, in one step.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from zapomni_db.errors import DataFolderUnusable, StoreError, StoreUnavailable

__all__ = [
    "LOG_FOLDER",
    "LogFile",
    "alone",
    "check_log_names",
    "install_log",
    "log_files",
    "opened_log",
    "settle_log",
]

LOG_FOLDER = "appendonlydir"
_MANIFEST = "appendonly.aof.manifest"
_LINE = re.compile(r"file (\S+) seq (\d+) type ([bhi])(?: startoffset \d+)?(?: endoffset \d+)?")
_NAME = re.compile(r"appendonly\.aof\.(\d+)\.(base\.rdb|base\.aof|incr\.aof)")
_SOCKET = re.compile(rb'^unixsocket "(.*)"$', re.MULTILINE)
_ATTEMPTS = 100


@dataclass(frozen=True, slots=True)
class LogFile:
    """An open file of the log, and how much of it belongs to the copy."""

    name: str
    file: BinaryIO
    size: int


@contextmanager
def opened_log(folder: Path) -> Iterator[list[LogFile]]:
    """Open the files of the log as of now; they can be read even when the server drops them."""
    with ExitStack() as stack:
        for _ in range(_ATTEMPTS):
            with contextlib.suppress(FileNotFoundError):
                names = log_files(folder)
                files = [(folder / LOG_FOLDER / name).open("rb") for name in names]
                if log_files(folder) == names:
                    break
            stack.close()  # a rewrite of the log has just ended
        else:
            raise StoreUnavailable("The files of the database do not come to rest.")
        for file in files:
            stack.enter_context(file)
        pairs = zip(names, files, strict=True)
        yield [LogFile(name, file, os.fstat(file.fileno()).st_size) for name, file in pairs]


def log_files(folder: Path) -> list[str]:
    """List the files that the manifest names, in their order."""
    content = (folder / LOG_FOLDER / _MANIFEST).read_text(encoding="ascii")
    found = []
    for line in content.splitlines():
        match = _LINE.fullmatch(line)
        if match is None:
            raise StoreError("The manifest of the database's log cannot be read.")
        if match[3] != "h":
            found.append(match[1])
    return found


def check_log_names(names: Sequence[str]) -> None:
    """Refuse files that are no log: one base, or none, and then what was appended to it."""
    kinds = [match[2] if (match := _NAME.fullmatch(name)) else "" for name in names]
    is_log = names and all(kind == "incr.aof" for kind in kinds[1:]) and kinds[0]
    if not is_log or len(set(names)) < len(names):
        raise StoreError("The files are not those of a database.")


def settle_log(folder: Path, names: Sequence[str]) -> None:
    """Write the manifest of files that lie in a folder of their own."""
    check_log_names(names)
    lines = [_manifest_line(name) for name in names]
    _write_durably(folder / LOG_FOLDER / _MANIFEST, "".join(lines))


def install_log(source: Path, folder: Path, aside: Path) -> None:
    """Put the log of one data folder in the place of another's, which is kept aside.

    The caller is alone on both. Whenever this is cut off, the folder has the old log or the new
    one: replacing the manifest is the one step between them.
    """
    target = folder / LOG_FOLDER
    target.mkdir(mode=0o700, exist_ok=True)
    old = log_files(folder) if (target / _MANIFEST).exists() else []
    _keep_aside(target, old, aside)
    number = _last_number(target) + 1
    renamed = []
    for offset, name in enumerate(log_files(source)):
        kind = _NAME.fullmatch(name)
        assert kind is not None  # checked by `settle_log`
        new = f"appendonly.aof.{number + offset}.{kind[2]}"
        os.link(source / LOG_FOLDER / name, target / new)
        renamed.append(new)
    _sync_folder(target)
    _write_durably(target / _MANIFEST, "".join(map(_manifest_line, renamed)))
    for name in old:
        (target / name).unlink(missing_ok=True)


@contextmanager
def alone(folder: Path, patience_s: float = 5.0) -> Iterator[None]:
    """Hold a data folder for as long as the block runs; refuse if anybody uses it."""
    with ExitStack() as stack:
        for name in ("users.lock", "start.lock"):
            descriptor = os.open(folder / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            stack.callback(os.close, descriptor)
            _lock(descriptor, patience_s)
        if _is_served(folder):
            raise _in_use()
        yield


def _is_served(folder: Path) -> bool:
    """Tell whether a server answers although nobody uses it: its guardian was killed."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as connection:
        configuration = (folder / "server.conf").read_bytes()
        if found := _SOCKET.search(configuration):
            connection.connect(found[1].replace(b'\\"', b'"').replace(b"\\\\", b"\\"))
            return True
    return False


def _lock(descriptor: int, patience_s: float) -> None:
    deadline = time.monotonic() + patience_s
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise _in_use() from None
            time.sleep(0.05)
        else:
            return


def _in_use() -> DataFolderUnusable:
    return DataFolderUnusable(
        "The data folder is in use: stop every Zapomni server, editor and agent that has it "
        "open, and try again."
    )


def _keep_aside(target: Path, names: Sequence[str], aside: Path) -> None:
    kept = aside / LOG_FOLDER
    kept.mkdir(parents=True, mode=0o700)
    for name in names:
        os.link(target / name, kept / name)
    if names:
        _write_durably(kept / _MANIFEST, (target / _MANIFEST).read_text(encoding="ascii"))


def _last_number(target: Path) -> int:
    names = [_NAME.fullmatch(path.name) for path in target.iterdir()]
    return max((int(match[1]) for match in names if match), default=0)


def _manifest_line(name: str) -> str:
    match = _NAME.fullmatch(name)
    assert match is not None
    return f"file {name} seq {match[1]} type {match[2][0]}\n"


def _write_durably(path: Path, content: str) -> None:
    temporary = path.with_name(f"{path.name}.new")
    with temporary.open("w", encoding="ascii") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
