"""Sessions grow old: they are kept alive by heartbeats, and end between calls."""

from io import StringIO
from pathlib import Path

import anyio
import pytest

from tests.zapomni_mcp.toys import EchoTool, SlowTool
from tests.zapomni_mcp_http.inside import serving_inside
from tests.zapomni_mcp_http.sessions import Session, open_session, raw_session
from zapomni_mcp import sse

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("log")]


async def rest(session: Session) -> list[str]:
    """Return the names of the events until the stream ends."""
    names = []
    try:
        while True:
            names.append((await session.next_event()).name)
    except EOFError:
        return names


async def test_a_quiet_stream_carries_heartbeats(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FR-003.6: a comment, which no client takes for a message, every 30 seconds."""
    assert sse.HEARTBEAT_S == 30
    monkeypatch.setattr(sse, "HEARTBEAT_S", 0.05)

    async with serving_inside(folder) as url, raw_session(url) as session:
        with anyio.fail_after(30):
            heartbeats = [await session.next_block() for _ in range(2)]

    assert [heartbeat.name for heartbeat in heartbeats] == [":", ":"]


async def test_an_old_session_is_asked_to_reconnect_and_ends(folder: Path, log: StringIO) -> None:
    """FR-003.7 and NFR-002: at its age limit a session says goodbye and is forgotten."""
    async with serving_inside(folder, EchoTool(), session_lifetime_s=1) as url:
        async with open_session(url) as session:
            with anyio.fail_after(30):
                assert await rest(session) == ["reconnect"]
            late = await session.post({"jsonrpc": "2.0", "id": 9, "method": "ping"})
        async with open_session(url) as again:
            assert (await again.call("echo"))["isError"] is False

    assert late.status_code == 404
    assert "session_expired" in log.getvalue()


async def test_an_old_session_does_not_end_in_the_middle_of_a_call(folder: Path) -> None:
    """FR-003.7: the answer to what is in flight comes first, then the goodbye."""
    slow = SlowTool()
    async with (
        serving_inside(folder, slow, session_lifetime_s=1) as url,
        open_session(url) as busy,
    ):
        number = await busy.start_call("slow")
        await slow.started.wait()
        async with raw_session(url) as younger:
            with anyio.fail_after(30):
                assert await rest(younger) == ["reconnect"]
        slow.allowed.set()
        with anyio.fail_after(30):
            answer, events = await busy.message(), await rest(busy)

    assert answer["id"] == number
    assert answer["result"]["content"] == [{"type": "text", "text": "at last"}]
    assert events == ["reconnect"]


async def test_whatever_an_ending_session_accepts_it_answers(folder: Path) -> None:
    """FR-002.5 and FR-003.7: a 202 is a promise, up to the last moment of a session."""
    accepted: dict[str, set[int]] = {}
    answered: dict[str, set[int]] = {}

    async def keep_calling(session: Session) -> None:
        params = {"name": "echo", "arguments": {}}
        for number in range(100, 100_000):
            call = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
            if (await session.post(call)).status_code != 202:
                return
            accepted[session.session_id].add(number)

    async def live(url: str) -> None:
        async with open_session(url) as session, anyio.create_task_group() as tasks:
            accepted[session.session_id], answered[session.session_id] = set(), set()
            tasks.start_soon(keep_calling, session)
            event = await session.next_event()
            while event.name == "message":
                answered[session.session_id].add(int(event.data.split('"id":')[1].split(",")[0]))
                event = await session.next_event()
            assert event.name == "reconnect"

    async with serving_inside(folder, EchoTool(), session_lifetime_s=1) as url:
        with anyio.fail_after(30):
            async with anyio.create_task_group() as tasks:
                for _ in range(8):
                    tasks.start_soon(live, url)

    assert all(accepted.values())
    assert accepted == answered
