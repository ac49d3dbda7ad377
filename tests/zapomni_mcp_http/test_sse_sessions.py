"""The HTTP+SSE transport: sessions, messages and their answers, many clients at once."""

import re
from uuid import UUID, uuid4

import pytest
from mcp import ClientSession
from mcp.client.sse import sse_client

from tests.zapomni_mcp.answers import structured
from tests.zapomni_mcp_http.running import HttpServer
from tests.zapomni_mcp_http.sessions import open_session, raw_session

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.mark.anyio
async def test_the_first_event_names_the_address_to_post_to(server: HttpServer) -> None:
    """FR-001.1 to FR-001.3: GET /sse answers at once with `/messages/` and a random UUID."""
    async with raw_session(server.url) as session:
        form = re.fullmatch(r"/messages/([0-9a-f-]{36})", session.endpoint)

        assert form is not None
        assert UUID(form[1]).version == 4
        assert str(UUID(form[1])) == form[1]


def test_the_stream_is_an_event_stream_that_nobody_stores(server: HttpServer) -> None:
    """FR-001.4: the response says what it is, and no cache keeps memories."""
    with server.http.stream("GET", "/sse") as response:
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        assert "no-store" in response.headers["cache-control"]


@pytest.mark.anyio
async def test_a_message_is_accepted_and_answered_on_the_stream(server: HttpServer) -> None:
    """FR-002.1 to FR-002.5 and AC-1: 202 for the post, the JSON-RPC answer as an event."""
    async with open_session(server.url) as session:
        posted = await session.post(PING | {"id": "seven"})
        answer = await session.message()

    assert (posted.status_code, posted.text) == (202, "Accepted")
    assert answer == {"jsonrpc": "2.0", "id": "seven", "result": {}}


@pytest.mark.anyio
async def test_the_session_id_is_accepted_in_any_spelling_of_a_uuid(server: HttpServer) -> None:
    """FR-002.2: the same id without hyphens, or in capitals, is the same session."""
    async with open_session(server.url) as session:
        path, _, session_id = session.endpoint.rpartition("/")
        for spelling in (session_id.upper(), session_id.replace("-", "")):
            session.endpoint = f"{path}/{spelling}"
            await session.request("ping", {})
            assert (await session.message())["result"] == {}


@pytest.mark.parametrize(
    "session_id", ["7e1c5e0a-5f0d-4c62-9d1b-2b8f6a1f0c11", "nobody", "%2e%2e", "%00", "a" * 5000]
)
def test_an_unknown_session_is_not_found(server: HttpServer, session_id: str) -> None:
    """FR-002.6 and AC-5: 404 for an id that was never given, UUID or not."""
    answer = server.http.post(f"/messages/{session_id}", json=PING)

    assert answer.status_code == 404


@pytest.mark.anyio
async def test_a_session_that_has_ended_is_not_found(server: HttpServer) -> None:
    """FR-003.3 and FR-003.4: the id dies with the stream."""
    async with raw_session(server.url) as session:
        endpoint = session.endpoint
    server.wait_for_sessions(0)

    assert server.http.post(endpoint, json=PING).status_code == 404


@pytest.mark.anyio
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"hello",
        b'{"jsonrpc": "2.0", "id": 1, "method": ',
        b'{"jsonrpc": "2.0", "id": 1, "method": "\xff\xfe"}',
        b'{"hello": "world"}',
        b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": 7}',
        b'"ping"',
        b"[" * 50_000,
        b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]',
    ],
    ids=lambda body: body[:50].decode("latin-1"),
)
async def test_a_malformed_message_is_refused_and_the_session_lives_on(
    server: HttpServer, body: bytes
) -> None:
    """FR-002.7 and AC-5: 400 for what is not one JSON-RPC 2.0 message; batches are not."""
    async with open_session(server.url) as session:
        refused = await session.post(body)
        await session.request("ping", {})
        answer = await session.message()

    assert (refused.status_code, refused.text) == (400, "Could not parse message")
    assert answer["result"] == {}


@pytest.mark.anyio
async def test_only_json_can_be_posted(server: HttpServer) -> None:
    """FR-002.3: a form that a web page can send without asking first is refused."""
    async with open_session(server.url) as session:
        answer = await session.post(PING, **{"Content-Type": "text/plain"})

    assert answer.status_code == 400


@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/sse"), ("GET", "/messages/x"), ("PUT", "/health")]
)
def test_other_methods_are_not_allowed(server: HttpServer, method: str, path: str) -> None:
    """FR-001.1 and FR-002.1: streams are got, messages are posted."""
    assert server.http.request(method, path).status_code == 405


@pytest.mark.anyio
async def test_two_clients_work_at_once_and_one_leaving_does_not_touch_the_other(
    server: HttpServer,
) -> None:
    """US-1 and AC-2: ids of their own, tools listed and called by both, one disconnects."""
    async with open_session(server.url) as stays:
        async with open_session(server.url) as leaves:
            assert stays.session_id != leaves.session_id
            first = await stays.start_call("get_stats")
            await leaves.request("tools/list", {})
            listed, called = await leaves.message(), await stays.message()
            await leaves.start_call("search_memory", query="whatever is on its way")

        server.wait_for_sessions(1)
        again = await stays.call("get_stats")

    names = {tool["name"] for tool in listed["result"]["tools"]}
    assert names >= {"add_memory", "search_memory", "get_stats"}
    assert (called["id"], called["result"]["isError"]) == (first, False)
    assert again["isError"] is False


@pytest.mark.anyio
async def test_answers_reach_only_the_session_that_asked(server: HttpServer) -> None:
    """FR-002.4: the same request id in two sessions, and each gets its own answer."""
    async with open_session(server.url) as one, open_session(server.url) as other:
        for session, tool in ((one, "get_stats"), (other, "no_such_tool")):
            params = {"name": tool, "arguments": {}}
            await session.post(PING | {"id": 99, "method": "tools/call", "params": params})
        ours, theirs = await one.message(), await other.message()

    assert (ours["id"], ours["result"]["isError"]) == (99, False)
    assert (theirs["id"], theirs["result"]["isError"]) == (99, True)


@pytest.mark.anyio
async def test_sessions_are_counted_while_they_last_and_written_to_the_log(
    server: HttpServer,
) -> None:
    """FR-001.5, FR-003.1 to FR-003.5 and US-4: opened, counted, closed, each of it logged."""
    server.wait_for_sessions(0)
    async with raw_session(server.url) as one, raw_session(server.url) as other:
        server.wait_for_sessions(2)
        ids = {one.session_id, other.session_id}
    server.wait_for_sessions(0)

    for event in ("session_opened", "session_closed"):
        assert ids <= {entry["session"] for entry in server.logged(event)}


@pytest.mark.anyio
async def test_what_an_sse_client_of_the_sdk_stores_it_finds_again(server: HttpServer) -> None:
    """AC-1, with the client that others use."""
    text = f"The spare key {uuid4().hex} is with Agnes"
    async with (
        sse_client(f"{server.url}/sse") as (read, write),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        stored = await session.call_tool("add_memory", {"text": text})
        found = await session.call_tool("search_memory", {"query": text})

    assert structured(stored)["chunks_created"] == 1
    assert structured(found)["results"][0]["text"] == text


@pytest.mark.anyio
async def test_a_call_that_fails_inside_does_not_end_the_session(server: HttpServer) -> None:
    """AC-5: a tool's failure is an answer, and the next call works."""
    async with open_session(server.url) as session:
        refused = await session.call("add_memory", text="   ")
        accepted = await session.call("get_stats")

    assert refused["isError"] is True
    assert accepted["isError"] is False
