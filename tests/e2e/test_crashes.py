"""Crashes: whatever was acknowledged is there afterwards, and no process is left behind."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest

from tests.e2e.processes import ServerProcess, running, wait_until
from tests.folders import database_process, fresh_settings, processes_of
from zapomni_core import MemoryEngine

pytestmark = pytest.mark.anyio

ROUNDS = 10


class Writer(threading.Thread):
    """Adds memories through one server and notes what was acknowledged."""

    def __init__(self, server: ServerProcess, name: str) -> None:
        super().__init__(name=name)
        self.server = server
        self.acknowledged: list[str] = []

    def run(self) -> None:
        """Add some memories, or fewer if the server is killed meanwhile."""
        for number in range(6):
            text = f"memory {number} of {self.name}"
            try:
                self.server.remember(text)
            except (AssertionError, BrokenPipeError):
                return
            self.acknowledged.append(text)


def write_together_and_kill_two(servers: list[ServerProcess]) -> set[str]:
    writers = [Writer(server, f"writer {i}") for i, server in enumerate(servers)]
    for writer in writers:
        writer.start()
    for victim in writers[:2]:
        wait_until(lambda victim=victim: len(victim.acknowledged) >= 2)  # type: ignore[misc]
        victim.server.process.kill()
    for writer in writers:
        writer.join()
    for writer in writers[2:]:
        assert len(writer.acknowledged) == 6
    return {text for writer in writers for text in writer.acknowledged}


def write_and_kill_server_and_database(server: ServerProcess, folder: Path, text: str) -> None:
    server.remember(text)
    database = database_process(folder)
    database.kill()
    server.process.kill()
    psutil.wait_procs([database], timeout=10)


async def texts_in(folder: Path) -> set[str]:
    """Open the folder as the next process would, and find everything by one word."""
    async with MemoryEngine(fresh_settings(folder, graph_name="zapomni")) as engine:
        found = await engine.search_memory("memory", 100)
        assert found.count == (await engine.get_stats()).total_memories
    return {item.text for item in found.results}


async def test_what_was_acknowledged_survives_killed_servers_and_databases(folder: Path) -> None:
    """Eight servers write into one folder and two die; then server and database die in turns."""
    with ExitStack() as stack, ThreadPoolExecutor(12) as pool:
        starting = [pool.submit(stack.enter_context, running(folder)) for _ in range(12)]
        servers = [start.result() for start in starting]
        acknowledged = write_together_and_kill_two(servers[:8])
        for number, server in enumerate(servers[2:]):
            text = f"memory of round {number}"
            write_and_kill_server_and_database(server, folder, text)
            acknowledged.add(text)
    assert number + 1 == ROUNDS

    wait_until(lambda: not processes_of(folder))
    found = await texts_in(folder)
    assert acknowledged <= found
    assert len(acknowledged) >= 6 * 6 + 2 * 2 + ROUNDS


async def test_the_last_server_takes_the_database_along_even_when_killed(folder: Path) -> None:
    with running(folder) as server:
        server.remember("memory")
        server.process.kill()

    wait_until(lambda: not processes_of(folder))
    assert await texts_in(folder) == {"memory"}
