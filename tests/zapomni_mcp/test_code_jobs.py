"""Long reading of code: other calls meanwhile, giving it up, and going on from there."""

from collections.abc import AsyncIterator
from io import StringIO
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from tests.folders import fresh_settings
from tests.zapomni_core.code.held import Hold, interrupt_reading
from tests.zapomni_mcp.answers import logged, text_of
from tests.zapomni_mcp.code_calls import write_many
from tests.zapomni_mcp.graph_calls import ask, checked
from tests.zapomni_mcp.hosts import Host, serving
from zapomni_core import MemoryEngine
from zapomni_core.code.results import CodeIndexed
from zapomni_mcp import MCPServer

pytestmark = pytest.mark.anyio

FILES = 300
# The first 200 files are written together; what follows is lost with a job that is given up.
HELD_AFTER = 250


class ImpatientEngine(MemoryEngine):
    """Answers at once and goes on."""

    async def index_codebase(self, path: str, **given: Any) -> CodeIndexed:
        """Wait no longer than a moment."""
        return await super().index_codebase(path, **given | {"patience_s": 0.01})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_many(tmp_path / "steps", FILES)


@pytest.fixture
def hold(monkeypatch: pytest.MonkeyPatch) -> Hold:
    """What holds up everybody who reads files."""
    hold = Hold()
    interrupt_reading(monkeypatch, HELD_AFTER, hold)
    return hold


@pytest.fixture
async def impatient(memory_folder: Path, tmp_path: Path) -> AsyncIterator[MemoryEngine]:
    async with ImpatientEngine(fresh_settings(memory_folder, code_roots=str(tmp_path))) as engine:
        yield engine


@pytest.fixture
def impatient_server(impatient: MemoryEngine) -> MCPServer:
    server = MCPServer(impatient)
    server.register_all_tools()
    return server


@pytest.fixture
async def asking(impatient_server: MCPServer) -> AsyncIterator[Client]:
    async with Client(impatient_server.sdk_server) as client:
        yield client


@pytest.fixture
async def patient(memory_folder: Path, tmp_path: Path) -> AsyncIterator[MCPServer]:
    async with MemoryEngine(fresh_settings(memory_folder, code_roots=str(tmp_path))) as engine:
        server = MCPServer(engine)
        server.register_all_tools()
        yield server


async def job_of(client: Client, job_id: str) -> dict[str, Any]:
    (job,) = [each for each in (await ask(client, "code_status"))["jobs"] if each["id"] == job_id]
    return dict(job)


async def ended(client: Client, job_id: str) -> dict[str, Any]:
    with anyio.fail_after(60):
        while (job := await job_of(client, job_id))["state"] == "running":
            pass
    return job


async def written(client: Client, files: int) -> None:
    with anyio.fail_after(60):
        while not any(
            each["files"] >= files for each in (await ask(client, "code_status"))["repositories"]
        ):
            pass


async def notices_of(client: Client) -> list[str]:
    """Ask in every way, for what is there and for what is not."""
    answers = [
        await ask(client, "get_call_graph", symbol="step_0100"),
        await ask(client, "get_call_graph", symbol="xylograph"),
        await ask(client, "get_symbol", symbol="step_0100"),
        await ask(client, "get_symbol", symbol="xylograph"),
        await ask(client, "search_code", query="step"),
        await ask(client, "code_overview"),
    ]
    return [answer.get("notice") or "" for answer in answers]


async def test_long_reading_goes_on_after_the_answer_and_is_joined_by_the_next_call(
    asking: Client, folder: Path, hold: Hold
) -> None:
    result = await asking.call_tool("index_codebase", {"path": str(folder)})
    with anyio.fail_after(60):
        await hold.reached.wait()
    joined = await ask(asking, "index_codebase", path=str(folder))
    running = await job_of(asking, joined["job"]["id"])
    hold.allowed.set()
    job = await ended(asking, joined["job"]["id"])
    found = await ask(asking, "get_call_graph", symbol="step_0100")

    first = await checked(asking, "index_codebase", result)
    assert first["job"]["state"] == "running"
    assert text_of(result).startswith("Still at work: ")
    assert joined["job"]["id"] == first["job"]["id"]
    assert 0 < running["done"] < running["total"] == FILES
    assert (job["state"], job["done"]) == ("done", FILES)
    assert [each["symbol"]["name"] for each in found["sites"]] == ["step_0101"]


async def test_what_was_read_stays_when_a_job_is_given_up_and_the_next_one_goes_on(
    asking: Client, folder: Path, hold: Hold
) -> None:
    begun = await ask(asking, "index_codebase", path=str(folder))
    with anyio.fail_after(60):
        await hold.reached.wait()
    await written(asking, 200)

    given_up = await asking.call_tool("index_codebase", {"cancel_job": begun["job"]["id"]})
    again_given_up = await ask(asking, "index_codebase", cancel_job=begun["job"]["id"])
    (cut_off,) = (await ask(asking, "code_status"))["repositories"]
    notices = await notices_of(asking)
    hold.allowed.set()
    again = await ask(asking, "index_codebase", path=str(folder))
    await ended(asking, again["job"]["id"])
    done = await ask(asking, "index_codebase", cancel_job=again["job"]["id"])
    seen = await ask(asking, "code_overview")
    later_notices = await notices_of(asking)

    told = await checked(asking, "index_codebase", given_up)
    assert (told["job"]["state"], told["symbols"]) == ("cancelled", cut_off["symbols"])
    assert "given up" in text_of(given_up)
    assert "index_codebase reads the rest" in text_of(given_up)
    assert cut_off["symbols"] >= 200
    assert all("The index of steps is incomplete" in notice for notice in notices)
    assert not any("incomplete" in notice for notice in later_notices)
    assert again_given_up["job"]["state"] == "cancelled"
    assert cut_off["indexed_at"] is None
    assert (done["job"]["state"], done["unchanged"], done["indexed"]) == ("done", 200, FILES - 200)
    assert (seen["files"], seen["calls"]) == (FILES, FILES - 1)


async def test_cancelling_the_call_ends_the_job(
    patient: MCPServer, folder: Path, hold: Hold, host: Host, log: StringIO
) -> None:
    async with serving(patient, host):
        number = host.call("index_codebase", {"path": str(folder)})
        await hold.reached.wait()
        cancelled = {"requestId": number}
        host.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled})
        state = "running"
        while state == "running":
            asked = host.call("code_status", {})
            while (answer := await host.receive()).get("id") != asked:
                pass
            jobs = answer["result"]["structuredContent"]["jobs"]
            (state,) = [each["state"] for each in jobs if each["kind"] == "index_codebase"]
        host.hang_up()

    assert state == "cancelled"
    assert logged(log, "job_ended")["state"] == "cancelled"
