"""Keep one embedded database alive exactly as long as somebody uses it.

Runs as a process of its own (standard library only). Every user of the data folder holds a
shared lock on `users.lock`; the kernel drops it even on kill -9. The guardian waits for the
exclusive lock: getting it means that nobody is left.
"""

from __future__ import annotations

import fcntl
import os
import sys
import time

# Somebody waits for the server, and `subprocess`, `typing` and `socket` take longer to import
# than Python takes to start: what the server does not need comes after it has been started.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from socket import socket

# Each vector in the log's tail costs about half a millisecond to insert again at the next
# start, while a rewritten log holds the finished vector graph. To rewrite a large log takes
# long, as it does to read it, so its tail may be longer.
_TAIL_WORTH_REWRITING = 200_000
_SHARE_WORTH_REWRITING = 0.02
_REWRITE_LIMIT_S = 20.0
_SHUTDOWN_LIMIT_S = 10.0
_STOP_LIMIT_S = 30.0
_PR_SET_PDEATHSIG = 1


class _Ended(Exception):
    pass


def main(server: str, config: str, users_lock: str, socket_path: str) -> None:
    """Run the server until it ends by itself or its last user has gone."""
    os.umask(0o077)
    lock = os.open(users_lock, os.O_RDWR | os.O_CLOEXEC)
    process = _started(server, config)
    import signal  # noqa: PLC0415

    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        _wait_for_the_end(process, lock)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _close(socket_path)
    except _Ended:
        return
    finally:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _stop(process)


def _started(server: str, config: str) -> int:
    if process := os.fork():
        return process
    try:
        _die_with_parent()
        os.chdir("/")
        os.execv(server, [server, config])  # noqa: S606  (no shell is wanted)
    except OSError as exc:
        sys.stderr.write(f"{exc}\n")
    finally:
        os._exit(127)


def _die_with_parent() -> None:
    """Have the server end when even the guardian is killed; only Linux knows how."""
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415
        from signal import SIGTERM  # noqa: PLC0415

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, SIGTERM)


def _wait_for_the_end(process: int, lock: int) -> None:
    import signal  # noqa: PLC0415

    def end(_signal: int, _frame: object) -> None:
        raise _Ended

    def on_change(_signal: int, _frame: object) -> None:
        if _has_ended(process):  # a child that is only suspended changes state, too
            raise _Ended

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGCHLD, on_change)
    if not _has_ended(process):
        fcntl.flock(lock, fcntl.LOCK_EX)


def _has_ended(process: int) -> bool:
    try:
        return os.waitpid(process, os.WNOHANG) != (0, 0)
    except ChildProcessError:  # as was seen before
        return True


def _stop(process: int) -> None:
    from signal import SIGKILL, SIGTERM  # noqa: PLC0415

    deadline = time.monotonic() + _STOP_LIMIT_S
    if not _has_ended(process):
        os.kill(process, SIGTERM)
    while not _has_ended(process):
        if time.monotonic() > deadline:
            os.kill(process, SIGKILL)  # it hangs, and nobody can open the folder before it is gone
        time.sleep(0.005)


def _close(socket_path: str) -> None:
    from socket import AF_UNIX, socket  # noqa: PLC0415

    try:
        with socket(AF_UNIX) as connection:
            connection.settimeout(_REWRITE_LIMIT_S)
            connection.connect(socket_path)
            _compact(connection)
            connection.settimeout(_SHUTDOWN_LIMIT_S)
            # It looks for signals ten times a second only.
            _ask(connection, "SHUTDOWN")
    except (OSError, KeyError):
        return  # compaction is an optimisation; the log is complete without it


def _compact(connection: socket) -> None:
    sizes = _persistence(connection)
    base = sizes["aof_base_size"]
    tail = sizes["aof_current_size"] - base
    if tail < max(_TAIL_WORTH_REWRITING, _SHARE_WORTH_REWRITING * base):
        return
    _ask(connection, "BGREWRITEAOF")
    deadline = time.monotonic() + _REWRITE_LIMIT_S
    while _persistence(connection)["aof_rewrite_in_progress"]:
        if time.monotonic() > deadline:
            return
        time.sleep(0.01)


def _persistence(connection: socket) -> dict[str, int]:
    lines = _ask(connection, "INFO persistence").splitlines()
    pairs = (line.split(":", 1) for line in lines if line.startswith("aof_") and ":" in line)
    return {name: int(value) for name, value in pairs if value.isdigit()}


def _ask(connection: socket, command: str) -> str:
    connection.sendall(command.encode() + b"\r\n")
    reply = connection.recv(65536)
    if reply.startswith(b"$"):
        head, _, body = reply.partition(b"\r\n")
        while len(body) < int(head[1:]) + 2:
            body += connection.recv(65536)
        return body.decode()
    return reply.decode()


if __name__ == "__main__":
    main(*sys.argv[1:5])
