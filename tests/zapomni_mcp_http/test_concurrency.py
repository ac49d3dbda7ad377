"""Many clients at once: nobody waits for somebody else's heavy call."""

import anyio
import pytest
from mcp import Client

from tests.zapomni_mcp.answers import structured
from tests.zapomni_mcp_http.running import HttpServer
from tests.zapomni_mcp_http.sessions import open_session

pytestmark = pytest.mark.anyio

PARAGRAPH = "On day {} the harbour master of Vlissingen wrote down {} ships and the wind. "
HEAVY = "\n\n".join(PARAGRAPH.format(day, day * 7) * 8 for day in range(12))


async def test_a_heavy_call_does_not_hold_up_the_quick_ones_of_another_client(
    server: HttpServer,
) -> None:
    """US-2, FR-008 and AC-2: quick calls end before the heavy one, and that one ends as well."""
    ended: list[str] = []
    async with open_session(server.url) as heavy, open_session(server.url) as quick:

        async def ask() -> None:
            for _ in range(3):
                assert (await quick.call("get_stats"))["isError"] is False
                ended.append("quick")

        number = await heavy.start_call("add_memory", text=HEAVY)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask)
            answer = await heavy.message()
            ended.append("heavy")

    assert ended == ["quick", "quick", "quick", "heavy"]
    assert (answer["id"], answer["result"]["isError"]) == (number, False)


async def test_fifty_clients_are_answered_each_with_their_own(server: HttpServer) -> None:
    """US-1, NFR-001 and NFR-005: all connected at once, all calling at once, nothing mixed up."""
    opened, together = anyio.Semaphore(0), anyio.Event()
    answers: dict[str, str] = {}

    async def work() -> None:
        async with open_session(server.url) as session:
            opened.release()
            await together.wait()
            call = {"jsonrpc": "2.0", "id": session.session_id, "method": "tools/call"}
            await session.post(call | {"params": {"name": "get_stats", "arguments": {}}})
            answers[session.session_id] = (await session.message())["id"]

    server.wait_for_sessions(0)
    async with anyio.create_task_group() as tasks:
        for _ in range(50):
            tasks.start_soon(work)
        for _ in range(50):
            await opened.acquire()
        assert server.active_sessions() == 50
        together.set()

    assert len(answers) == 50
    assert all(asked == answered for asked, answered in answers.items())


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_both_transports_show_the_same_memory(server: HttpServer, mode: str) -> None:
    """US-1 and US-3: what goes in through /mcp comes out through /sse, on either wire."""
    text = f"The {mode} barometer hangs in the hall"
    async with Client(f"{server.url}/mcp", mode=mode) as client, open_session(server.url) as sse:
        stored = structured(await client.call_tool("add_memory", {"text": text}))
        found = await sse.call("search_memory", query=text, limit=1)

    assert stored["status"] == "success"
    assert found["structuredContent"]["results"][0]["text"] == text


async def test_a_call_that_its_client_cancels_does_not_disturb_the_session(
    server: HttpServer,
) -> None:
    """AC-5: a cancelled call is never answered, the next one is."""
    async with open_session(server.url) as session:
        number = await session.start_call("add_memory", text=f"{HEAVY}\n\nTo be given up.")
        cancelled = {"requestId": number, "reason": "changed my mind"}
        await session.post(
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled}
        )

        assert (await session.call("get_stats"))["isError"] is False
