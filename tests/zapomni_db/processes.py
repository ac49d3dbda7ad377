"""The processes of an embedded database, and other programs that use it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import redis

from tests.zapomni_db.servers import wait_until
from zapomni_db import Keyspace
from zapomni_db.embedded import EmbeddedServer

_WRITER = Path(__file__).with_name("writer.py")


@dataclass(frozen=True, slots=True)
class Pair:
    """The process ids of a running embedded database."""

    database: int
    guardian: int

    @property
    def is_gone(self) -> bool:
        return not (is_alive(self.database) or is_alive(self.guardian))


def pair_of(server: EmbeddedServer) -> Pair:
    """Find the processes that serve a data folder."""
    with redis.Redis(unix_socket_path=server.socket_path) as client:
        database = client.info("server")["process_id"]
    return Pair(database, psutil.Process(database).ppid())


@contextmanager
def joined(folder: Path) -> Iterator[EmbeddedServer]:
    """Use the database of a data folder for the length of a block."""
    server = EmbeddedServer(folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def is_alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def kill(pid: int) -> None:
    """End a process without a chance to clean up."""
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not is_alive(pid))


@contextmanager
def running_writer(
    folder: Path, keyspace: Keyspace, memories: int, chunks: int = 1
) -> Iterator[subprocess.Popen[str]]:
    """Run a program that writes memories and prints the id of a chunk of each it got stored."""
    command = [sys.executable, str(_WRITER), str(folder), keyspace.graph_name]
    writer = subprocess.Popen(
        [*command, str(memories), str(chunks)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    with writer:
        try:
            yield writer
        finally:
            writer.kill()
