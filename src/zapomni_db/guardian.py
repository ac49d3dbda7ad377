"""Keep one embedded database alive exactly as long as somebody uses it.

Runs as a process of its own (standard library only). Every user of the data folder holds a
shared lock on `users.lock`; the kernel drops it even on kill -9. The guardian waits for the
exclusive lock: getting it means that nobody is left.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import signal
import socket
import subprocess
import sys
import time
from types import FrameType

# Each vector in the log's tail costs about half a millisecond to insert again at the next
# start, while a rewritten log holds the finished vector graph.
_TAIL_WORTH_REWRITING = 2_000_000
_REWRITE_LIMIT_S = 20.0
_STOP_LIMIT_S = 30.0
_PR_SET_PDEATHSIG = 1


class _Ended(Exception):
    pass


def _end(_signal: int, _frame: FrameType | None) -> None:
    raise _Ended


def main(server: str, config: str, users_lock: str, socket_path: str) -> None:
    """Run the server until it ends by itself or its last user has gone."""
    os.umask(0o077)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    lock = os.open(users_lock, os.O_RDWR | os.O_CLOEXEC)
    process = subprocess.Popen(
        [server, config],
        stdin=subprocess.DEVNULL,
        cwd="/",
        preexec_fn=_die_with_parent,  # noqa: PLW1509  (the guardian has one thread)
    )
    try:
        _wait_for_the_end(process, lock)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _compact(socket_path)
    except _Ended:
        return
    finally:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _stop(process)


def _die_with_parent() -> None:
    """Have the server end when even the guardian is killed; only Linux knows how."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _wait_for_the_end(process: subprocess.Popen[bytes], lock: int) -> None:
    def on_change(_signal: int, _frame: FrameType | None) -> None:
        if process.poll() is not None:  # a child that is only suspended changes state, too
            raise _Ended

    signal.signal(signal.SIGTERM, _end)
    signal.signal(signal.SIGCHLD, on_change)
    if process.poll() is None:
        fcntl.flock(lock, fcntl.LOCK_EX)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_STOP_LIMIT_S)
    except subprocess.TimeoutExpired:
        process.kill()  # it hangs, and nobody can open the folder before it is gone
        process.wait()


def _compact(socket_path: str) -> None:
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(_REWRITE_LIMIT_S)
            connection.connect(socket_path)
            sizes = _persistence(connection)
            if sizes["aof_current_size"] - sizes["aof_base_size"] < _TAIL_WORTH_REWRITING:
                return
            _ask(connection, "BGREWRITEAOF")
            deadline = time.monotonic() + _REWRITE_LIMIT_S
            while _persistence(connection)["aof_rewrite_in_progress"]:
                if time.monotonic() > deadline:
                    return
                time.sleep(0.05)
    except (OSError, KeyError):
        return  # compaction is an optimisation; the log is complete without it


def _persistence(connection: socket.socket) -> dict[str, int]:
    lines = _ask(connection, "INFO persistence").splitlines()
    pairs = (line.split(":", 1) for line in lines if line.startswith("aof_") and ":" in line)
    return {name: int(value) for name, value in pairs if value.isdigit()}


def _ask(connection: socket.socket, command: str) -> str:
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
