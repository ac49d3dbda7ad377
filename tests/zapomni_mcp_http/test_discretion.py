"""What answers and logs do not tell: paths, addresses, exceptions, and anybody's memories."""

import re
from uuid import uuid4

import pytest

from tests.zapomni_mcp_http.conftest import TOKEN
from tests.zapomni_mcp_http.running import HttpServer
from tests.zapomni_mcp_http.sessions import open_session
from tests.zapomni_mcp_http.wire import HEALTH, HOST, NOBODY, TOO_MUCH, exchange, post

LEAKS = re.compile(
    r"Traceback|File \"|\.py\b|/home/|/tmp/|site-packages|pydantic|httptools|uvicorn|"
    r"Exception|errors? for |input_value|127\.0\.0\.1|\.sock"
)


def hostile_requests(secret: str) -> dict[str, bytes]:
    """Return requests that fail, each in a place of its own."""
    inside = f'"{secret}"'.encode()
    return {
        "not JSON": post("/mcp", b'{"text": ' + inside),
        "not JSON-RPC": post("/mcp", b'{"text": ' + inside + b"}"),
        "a batch": post("/mcp", b'[{"jsonrpc": "2.0", "id": 1, "method": ' + inside + b"}]"),
        "no session": post("/mcp", b'{"jsonrpc": "2.0", "id": 1, "method": ' + inside + b"}"),
        "deep": post("/mcp", b"[" * 5000 + inside),
        "an unknown session": post("/mcp", b"{}", f"Mcp-Session-Id: {secret}\r\n".encode()),
        "an unknown version": post(
            "/mcp", b'{"m": ' + inside + b"}", b"Mcp-Protocol-Version: 1999-01-01\r\n"
        ),
        "modern, not JSON": post("/mcp", inside[:-1], b"Mcp-Protocol-Version: 2026-07-28\r\n"),
        "nobody's messages": post(f"/messages/{NOBODY}", inside),
        "no such path": post(f"/{secret}", b""),
        "no such host": HEALTH + f"Host: {secret}\r\nConnection: close\r\n\r\n".encode(),
        "no such origin": post("/mcp", b"{}", f"Origin: http://{secret}\r\n".encode()),
        "an origin that is none": post("/mcp", b"{}", b"Origin: http://[" + inside + b"\r\n"),
        "no HTTP": b"GET " + inside + b"\r\n\r\n",
        "too long a head": HEALTH + HOST + inside + TOO_MUCH,
        "a path beyond UTF-8": b"GET /%ff%fe HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n",
    }


@pytest.mark.parametrize("kind", hostile_requests(""))
def test_the_answer_to_a_bad_request_tells_nothing(server: HttpServer, kind: str) -> None:
    """NFR-003 and AC-5: refused in a few words, which are not those of the request."""
    secret = f"secret{uuid4().hex}"
    heard = exchange(server.port, hostile_requests(secret)[kind])

    (status,) = heard.statuses
    body = heard.raw.partition(b"\r\n\r\n")[2].decode()
    assert 400 <= status < 500
    assert 0 < len(body) < 300
    assert not LEAKS.search(heard.raw.decode("latin-1")), body
    assert secret not in heard.raw.decode("latin-1")


@pytest.mark.anyio
async def test_nothing_that_was_sent_is_written_to_the_log(server: HttpServer) -> None:
    """NFR-003 and NFR-004: after good calls, bad ones and attacks it is JSON without a secret."""
    secret = f"secret{uuid4().hex}"
    async with open_session(server.url) as session:
        await session.call("add_memory", text=secret, metadata={"source": secret})
        await session.call("search_memory", query=secret)
        await session.call("add_memory", text=secret, metadata={secret: secret}, extra=secret)
        await session.call("search_memory", query=secret, limit=secret)
        await session.call(secret)
        for body in (f'{{"text": "{secret}"}}', f'["{secret}"]', secret):
            assert (await session.post(body.encode())).status_code == 400
        await session.start_call("add_memory", text=f"{secret} " * 200)
    for request in hostile_requests(secret).values():
        exchange(server.port, request)
    server.wait_for_sessions(0)

    written = [entry for entry in server.entries() if secret in str(entry)]
    assert [entry for entry in written if entry.get("tool") != secret] == []
    assert [entry for entry in server.logged("web_server") if entry["level"] == "error"] == []
    assert {"event", "level", "timestamp"} <= set.intersection(*map(set, server.entries()))


def test_the_token_is_not_written_to_the_log(guarded: HttpServer) -> None:
    """NFR-003: neither at the start, nor when it is used, right or wrong."""
    for token in (TOKEN, f"{TOKEN}x"):
        guarded.http.get("/metrics", headers={"Authorization": f"Bearer {token}"})

    assert TOKEN not in guarded.log()


def test_who_the_server_is_made_of_is_not_told(server: HttpServer) -> None:
    """NFR-003: no answer names the software that made it."""
    assert "server" not in server.http.get("/health").headers
