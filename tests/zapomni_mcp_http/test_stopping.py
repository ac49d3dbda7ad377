"""The end of a server: what is in flight is answered, what was acknowledged is kept."""

import signal
from pathlib import Path

import anyio
import httpx2
import pytest
from mcp import Client

from tests.e2e.processes import wait_until
from tests.fakes import FakeOllama
from tests.folders import fresh_settings, processes_of
from tests.zapomni_mcp_http.running import HttpServer, http_server
from tests.zapomni_mcp_http.sessions import Event, Session, open_session, raw_session
from zapomni_core import MemoryEngine

pytestmark = pytest.mark.anyio

PATIENCE_S = 5


def left_behind(server: HttpServer) -> list[str]:
    return [process.name() for process in processes_of(server.folder)]


async def ended(server: HttpServer) -> int:
    """Wait for the process as long as it may take, and return its status."""
    return await anyio.to_thread.run_sync(lambda: server.process.wait(timeout=PATIENCE_S))


async def rest(session: Session) -> list[Event]:
    """Return the events until the stream ends, well or not."""
    events = []
    try:
        while True:
            events.append(await session.next_event())
    except (EOFError, httpx2.RemoteProtocolError):
        return events


async def remembered(folder: Path, ollama: FakeOllama) -> set[str]:
    """Open the memory that a server has left, and return what is in it."""
    settings = fresh_settings(folder, ollama_host=ollama.host, graph_name="zapomni")
    async with MemoryEngine(settings) as engine:
        found = await engine.search_memory("acknowledged", limit=10)
    return {result.text for result in found.results}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_lets_calls_finish_closes_streams_and_loses_nothing(
    tmp_path: Path, ollama: FakeOllama, number: signal.Signals
) -> None:
    """AC-5: answers first, then the end of the streams, status 0 within 5 seconds, no process."""
    folder = tmp_path / "memory"
    with http_server(folder, OLLAMA_HOST=ollama.host) as server:
        async with (
            open_session(server.url) as busy,
            raw_session(server.url) as quiet,
            Client(f"{server.url}/mcp", mode="legacy") as streaming,
        ):
            stored = await busy.call("add_memory", text="acknowledged long before")
            ollama.behaviour = "silent"
            waiting = len(ollama.requests)
            call = await busy.start_call("add_memory", text="acknowledged at the last moment")
            wait_until(lambda: len(ollama.requests) > waiting)

            server.process.send_signal(number)
            with anyio.fail_after(PATIENCE_S):
                assert [event.name for event in await rest(quiet)] == ["reconnect"]
            ollama.ended.set()
            with anyio.fail_after(PATIENCE_S):
                answer, events = await busy.message(), await rest(busy)
                status = await ended(server)
            assert streaming.server_info is not None

        assert stored["isError"] is False
        assert (answer["id"], answer["result"]["isError"]) == (call, False)
        assert [event.name for event in events] == ["reconnect"]
        assert status == 0
        assert [entry for entry in server.entries() if entry["level"] != "info"] == []
        wait_until(lambda: not left_behind(server))

    texts = await remembered(folder, ollama)
    assert texts == {"acknowledged long before", "acknowledged at the last moment"}


async def test_a_call_that_does_not_end_does_not_keep_the_server(
    tmp_path: Path, ollama: FakeOllama
) -> None:
    """AC-5: after a few seconds the server goes, and what was not acknowledged is not there."""
    with http_server(tmp_path / "memory", OLLAMA_HOST=ollama.host) as server:
        async with open_session(server.url) as session:
            await session.call("add_memory", text="acknowledged")
            ollama.behaviour = "silent"
            waiting = len(ollama.requests)
            await session.start_call("add_memory", text="never acknowledged")
            wait_until(lambda: len(ollama.requests) > waiting)

            server.process.terminate()
            assert await ended(server) == 0
            assert not [event for event in await rest(session) if '"result"' in event.data]
        wait_until(lambda: not left_behind(server))

    ollama.ended.set()
    assert await remembered(tmp_path / "memory", ollama) == {"acknowledged"}


async def test_a_signal_during_the_start_ends_the_server_as_well(tmp_path: Path) -> None:
    """AC-5: also before the database and the model are there."""
    with http_server(tmp_path / "memory") as server:
        server.process.terminate()

        assert await ended(server) == 0
        wait_until(lambda: not left_behind(server))
