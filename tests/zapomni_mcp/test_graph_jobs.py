"""Long work on the graph: progress, other calls meanwhile, and giving it up."""

from collections.abc import AsyncIterator, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from tests.folders import fresh_settings
from tests.zapomni_mcp.answers import logged, structured, text_of
from tests.zapomni_mcp.graph_calls import ask, remember
from tests.zapomni_mcp.hosts import Host, serving
from zapomni_core import MemoryEngine
from zapomni_core.knowledge.model import Mention
from zapomni_mcp import MCPServer

pytestmark = pytest.mark.anyio


class Gate:
    """An extractor that finds nothing, and waits until it may."""

    name = "gate"

    def __init__(self) -> None:
        self.started = anyio.Event()
        self.allowed = anyio.Event()

    async def extract_entities(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Wait, and find nothing."""
        self.started.set()
        await self.allowed.wait()
        return [[] for _ in texts]


@pytest.fixture
async def asleep(memory_folder: Path) -> AsyncIterator[MemoryEngine]:
    """An engine that reads memories only when it is asked to."""
    async with MemoryEngine(fresh_settings(memory_folder, auto_graph=False)) as engine:
        yield engine


@pytest.fixture
def sleeping_server(asleep: MemoryEngine) -> MCPServer:
    server = MCPServer(asleep)
    server.register_all_tools()
    return server


@pytest.fixture
async def sleeping(sleeping_server: MCPServer) -> AsyncIterator[Client]:
    async with Client(sleeping_server.sdk_server) as client:
        yield client


@pytest.fixture
async def gate(asleep: MemoryEngine) -> Gate:
    """Three memories, and what holds up everybody who reads them."""
    for number in range(3):
        await asleep.add_memory(f"Report {number}: Anna Petrova works at Siemens.")
    gate = Gate()
    assert asleep._workspace is not None
    asleep._workspace.graph._builder._extractor = gate
    return gate


async def test_building_reports_its_progress(sleeping: Client) -> None:
    for number in range(40):
        await remember(sleeping, f"Report {number}: Anna Petrova works at Siemens.", "2024-01-01")
    seen: list[tuple[float, float | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        assert message is None
        seen.append((progress, total))

    result = await sleeping.call_tool("build_graph", {}, progress_callback=note)

    assert structured(result)["memories"] == 40
    assert seen[-1] == (40, 40)
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})


async def test_other_calls_are_answered_while_the_graph_is_built(
    sleeping: Client, gate: Gate
) -> None:
    answers: list[dict[str, Any]] = []

    async def build() -> None:
        answers.append(await ask(sleeping, "build_graph"))

    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(build)
            await gate.started.wait()
            counted = await ask(sleeping, "get_stats")
            (job,) = (await ask(sleeping, "graph_status"))["jobs"]
            assert answers == []
            gate.allowed.set()

    assert counted["statistics"]["total_memories"] == 3
    assert job["state"] == "running"
    assert [(each["job"]["id"], each["job"]["state"]) for each in answers] == [(job["id"], "done")]


async def test_a_job_is_given_up_by_its_id_and_whoever_waits_for_it_is_told(
    sleeping: Client, gate: Gate
) -> None:
    answers: list[dict[str, Any]] = []

    async def build() -> None:
        answers.append(await ask(sleeping, "build_graph"))

    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(build)
            await gate.started.wait()
            (job,) = (await ask(sleeping, "graph_status"))["jobs"]
            answers.append(await ask(sleeping, "build_graph", cancel_job=job["id"]))

    assert [each["job"]["state"] for each in answers] == ["cancelled", "cancelled"]
    assert (await ask(sleeping, "graph_status"))["memories_built"] == 0


async def test_long_work_goes_on_after_the_answer(
    sleeping: Client, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zapomni_core.knowledge.graph._PATIENCE_S", 0.01)

    result = await sleeping.call_tool("build_graph", {})

    job = structured(result)["job"]
    assert job["state"] == "running"
    assert text_of(result).startswith("Still at work: ")
    gate.allowed.set()
    with anyio.fail_after(30):
        while (await ask(sleeping, "graph_status"))["jobs"][0]["state"] == "running":
            pass
    assert (await ask(sleeping, "graph_status"))["memories_built"] == 3


async def test_cancelling_the_call_ends_the_job(
    sleeping_server: MCPServer, gate: Gate, host: Host, log: StringIO
) -> None:
    async with serving(sleeping_server, host):
        number = host.call("build_graph", {})
        await gate.started.wait()
        cancelled = {"requestId": number}
        host.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled})
        job: dict[str, Any] = {"state": "running"}
        while job["state"] == "running":
            asked = host.call("graph_status", {})
            while (answer := await host.receive()).get("id") != asked:
                pass
            status = answer["result"]["structuredContent"]
            (job,) = status["jobs"]
        host.hang_up()

    assert (job["state"], status["memories_built"]) == ("cancelled", 0)
    assert logged(log, "job_ended")["state"] == "cancelled"
