"""Requests that are too long, or take too long."""

import orjson
import pytest
from mcp import Client

from tests.zapomni_mcp.answers import structured
from tests.zapomni_mcp_http.conftest import TOKEN
from tests.zapomni_mcp_http.running import HttpServer
from tests.zapomni_mcp_http.sessions import open_session
from tests.zapomni_mcp_http.wire import (
    HEALTH,
    HOST,
    JSON,
    LAST_HEALTH,
    NOBODY,
    answer,
    connection,
    connections,
    exchange,
    until_closed,
)

LIMIT = 200_000
LONGEST_TEXT = 10_000_000
CREDENTIAL = {"Authorization": f"Bearer {TOKEN}"}
KNOWN = HOST + JSON + f"Authorization: Bearer {TOKEN}\r\n".encode()
TO_NOBODY = f"POST /messages/{NOBODY} HTTP/1.1\r\n".encode() + KNOWN
TO_MCP = b"POST /mcp HTTP/1.1\r\n" + KNOWN


def longest_text(ending: str) -> str:
    """Return a text of the greatest length that takes no time to embed."""
    return ending.rjust(LONGEST_TEXT)


@pytest.mark.anyio
async def test_the_longest_text_goes_through_a_session(server: HttpServer) -> None:
    """FR-002.5: 10,000,000 characters are posted, stored and acknowledged."""
    async with open_session(server.url) as session:
        stored = await session.call("add_memory", text=longest_text("a needle at the very end"))
        refused = await session.call("add_memory", text=longest_text("one too many") + "!")

    assert stored["isError"] is False
    assert refused["isError"] is True
    assert "10,000,000" in refused["content"][0]["text"]


@pytest.mark.anyio
async def test_the_longest_text_goes_through_streamable_http(server: HttpServer) -> None:
    """US-1: the same through the other transport, with the client of the SDK."""
    async with Client(f"{server.url}/mcp") as client:
        stored = await client.call_tool("add_memory", {"text": longest_text("another needle")})

    assert structured(stored)["chunks_created"] >= 1


@pytest.mark.anyio
async def test_a_body_up_to_the_limit_is_read(guarded: HttpServer) -> None:
    """NFR-002: the limit itself is allowed, one byte more is not."""
    ping = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})
    async with open_session(guarded.url, **CREDENTIAL) as session:
        fits = await session.post(ping.ljust(LIMIT))
        too_large = await session.post(ping.ljust(LIMIT + 1))

    assert (fits.status_code, too_large.status_code) == (202, 413)


@pytest.mark.parametrize("request_head", [TO_MCP, TO_NOBODY], ids=["mcp", "messages"])
def test_a_body_that_announces_too_much_is_refused_before_it_is_sent(
    guarded: HttpServer, request_head: bytes
) -> None:
    """NFR-002: 413 on the strength of Content-Length alone."""
    with connection(guarded.port) as sock:
        sock.sendall(request_head + b"Content-Length: 999999999999\r\n\r\n")

        assert answer(sock).startswith(b"HTTP/1.1 413 ")


@pytest.mark.anyio
@pytest.mark.parametrize("path", ["/mcp", None], ids=["mcp", "messages"])
async def test_a_body_that_grows_too_long_is_refused_on_the_way(
    guarded: HttpServer, path: str | None
) -> None:
    """NFR-002: chunks do not say how many of them will come, so they are counted."""
    async with open_session(guarded.url, **CREDENTIAL) as session:
        to = (path or session.endpoint).encode()
        with connection(guarded.port) as sock:
            sock.sendall(b"POST " + to + b" HTTP/1.1\r\n" + KNOWN)
            sock.sendall(b"Transfer-Encoding: chunked\r\n\r\n")
            for _ in range(LIMIT // 10_000 + 1):
                sock.sendall(b"2710\r\n" + b" " * 10_000 + b"\r\n")

            assert answer(sock).startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize(
    "endless",
    [
        HEALTH + HOST + b"X-Long: ",
        b"GET /",
        b"GET /health?",
        TO_NOBODY + b"Transfer-Encoding: chunked\r\n\r\n1;",
        TO_NOBODY + b"Transfer-Encoding: chunked\r\n\r\n0\r\nX-Trailer: ",
    ],
    ids=["header", "path", "query", "chunk extension", "trailer"],
)
def test_a_head_without_end_is_cut_off(guarded: HttpServer, endless: bytes) -> None:
    """NFR-002: before anybody has shown a token, and without the server growing."""
    before_mb = guarded.settled_mb()
    with connection(guarded.port) as sock:
        sock.sendall(endless)
        with pytest.raises(ConnectionError):
            sock.sendall(b"a" * 50_000_000)

    assert guarded.resident_mb() - before_mb < 10


def test_a_client_that_does_not_get_on_is_dropped(guarded: HttpServer) -> None:
    """NFR-002: no head, half a head, no body, half a body; nobody is kept waiting for it."""
    beginnings = [
        b"",
        b"\r\n",
        b"GET /hea",
        HEALTH + HOST,
        HEALTH + HOST + b"X-Slow: ye",
        TO_MCP + b"Content-Length: 100\r\n\r\n",
        TO_MCP + b'Content-Length: 100\r\n\r\n{"jsonrpc": ',
        TO_MCP + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{",
    ]
    with connections(guarded.port, len(beginnings)) as sockets:
        for sock, beginning in zip(sockets, beginnings, strict=True):
            sock.sendall(beginning)

        assert [until_closed(sock) for sock in sockets] == [b""] * len(beginnings)


def test_a_second_request_must_get_on_as_the_first(guarded: HttpServer) -> None:
    """NFR-002: one good request does not buy the right to hold a connection for ever."""
    beginnings = [b"\r\n", b"GET /hea", HEALTH + HOST]
    with connections(guarded.port, len(beginnings)) as sockets:
        for sock, beginning in zip(sockets, beginnings, strict=True):
            sock.sendall(HEALTH + HOST + b"\r\n")
            assert answer(sock).startswith(b"HTTP/1.1 200 ")
            sock.sendall(beginning)

        assert [until_closed(sock) for sock in sockets] == [b""] * len(beginnings)


def test_who_is_answered_early_cannot_hold_on_with_the_body(guarded: HttpServer) -> None:
    """NFR-002: drop by drop the rest of a refused request would last for ever."""
    heads = {
        b"401": b"POST /mcp HTTP/1.1\r\n" + HOST,
        b"421": b"POST /mcp HTTP/1.1\r\nHost: evil.example\r\n",
        b"404": TO_NOBODY,
        b"200": HEALTH + HOST,
    }
    with connections(guarded.port, len(heads)) as sockets:
        for sock, (status, head) in zip(sockets, heads.items(), strict=True):
            sock.sendall(head + b"Content-Length: 100000\r\n\r\n")
            assert answer(sock).startswith(b"HTTP/1.1 " + status)
            sock.sendall(b"drip")

        assert [until_closed(sock) for sock in sockets] == [b""] * len(heads)


@pytest.mark.anyio
async def test_a_session_outlives_the_patience_for_requests(guarded: HttpServer) -> None:
    """FR-001.4: a stream that says nothing is no request that does not get on."""
    async with open_session(guarded.url, **CREDENTIAL) as session:
        assert exchange(guarded.port, b"GET /hea").raw == b""  # takes as long as the limit

        assert (await session.call("get_stats"))["isError"] is False


def test_a_thousand_silent_connections_do_not_keep_a_client_out(guarded: HttpServer) -> None:
    """NFR-005: they wait, the client works, and then they are all gone."""
    with connections(guarded.port, 1_000) as silent:
        served = [exchange(guarded.port, LAST_HEALTH).statuses for _ in range(20)]
        left = [until_closed(sock) for sock in silent]

    assert served == [[200]] * 20
    assert left == [b""] * 1_000
