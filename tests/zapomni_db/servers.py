"""Real databases on loopback, started from the bundled binaries and stopped by their own pid."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import batched
from pathlib import Path
from typing import Any

import redis

from zapomni_db.connection import ServerAddress
from zapomni_db.embedded import binaries

LOOPBACK = "127.0.0.1"
WITH_GRAPHS = ("--loadmodule", str(binaries() / "falkordb.so"))
_SLOTS = ((0, 5460), (5461, 10922), (10923, 16383))


@dataclass(slots=True)
class Server:
    """A redis-server that this test run owns."""

    port: int
    command: tuple[str, ...]
    log: Path
    password: str | None = None
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> ServerAddress:
        return ServerAddress(LOOPBACK, self.port, password=self.password)

    def ask(self, *command: str | bytes | float) -> Any:
        with redis.Redis(
            port=self.port, password=self.password, decode_responses=True, protocol=2
        ) as client:
            return client.execute_command(*command)

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log)
        wait_until(self._answers)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        assert self.process is not None
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.kill()

    def _answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.log.read_text()
        try:
            return bool(self.ask("PING"))
        except redis.ConnectionError:
            return False


@contextmanager
def running_server(
    folder: Path, *options: str, port: int | None = None, password: str | None = None
) -> Iterator[Server]:
    """Run a server that keeps its files in a folder, until the block ends."""
    port = port or free_ports(1)[0]
    command = [str(binaries() / "redis-server"), "--port", str(port), "--bind", LOOPBACK]
    command += ["--dir", str(folder), "--save", "", *options]
    if password is not None:
        command += ["--requirepass", password]
    server = Server(port, tuple(command), folder / "output.log", password)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def running_cluster(folder: Path) -> Iterator[list[Server]]:
    """Run three primaries followed by their three replicas, until the block ends."""
    with ExitStack() as stack:
        nodes = []
        for number, (port, bus_port) in enumerate(batched(free_ports(12), 2)):
            home = folder / str(number)
            home.mkdir()
            options = ["--cluster-enabled", "yes", "--cluster-port", str(bus_port)]
            options += ["--cluster-node-timeout", "2000", "--cluster-announce-ip", LOOPBACK]
            options += ["--repl-diskless-sync-delay", "0", "--appendonly", "yes", *WITH_GRAPHS]
            nodes.append(stack.enter_context(running_server(home, *options, port=port)))
        _join(nodes)
        yield nodes


def _join(nodes: Sequence[Server]) -> None:
    primaries, replicas = nodes[:3], nodes[3:]
    for epoch, (node, slots) in enumerate(zip(primaries, _SLOTS, strict=True), start=1):
        node.ask("CLUSTER", "SET-CONFIG-EPOCH", epoch)
        node.ask("CLUSTER", "ADDSLOTSRANGE", *slots)
    for node in nodes[1:]:
        bus_port = node.ask("CONFIG", "GET", "cluster-port")[1]
        nodes[0].ask("CLUSTER", "MEET", LOOPBACK, node.port, bus_port)
    wait_until(lambda: all(_cluster_info(n)["cluster_known_nodes"] == "6" for n in nodes))
    for primary, replica in zip(primaries, replicas, strict=True):
        replica.ask("CLUSTER", "REPLICATE", primary.ask("CLUSTER", "MYID"))
    wait_until(lambda: cluster_is_whole(nodes))


def cluster_is_whole(nodes: Sequence[Server]) -> bool:
    """Tell whether every node serves, three of them as replicas that are up to date."""
    if any(_cluster_info(node)["cluster_state"] != "ok" for node in nodes):
        return False
    roles = [node.ask("ROLE") for node in nodes]
    following = [role for role in roles if role[0] == "slave" and role[3] == "connected"]
    leading = [role for role in roles if role[0] == "master" and len(role[2]) == 1]
    return len(following) == len(leading) == 3


def _cluster_info(node: Server) -> dict[str, str]:
    lines = str(node.ask("CLUSTER", "INFO")).splitlines()
    return dict(line.split(":", 1) for line in lines)


def free_ports(count: int) -> list[int]:
    """Find ports that nobody listens on."""
    with ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind((LOOPBACK, 0))
        return [probe.getsockname()[1] for probe in probes]


def wait_until(condition: Callable[[], bool], within_s: float = 30.0) -> None:
    """Wait for something that another process does."""
    deadline = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < deadline, "what was waited for did not happen"
        time.sleep(0.01)
