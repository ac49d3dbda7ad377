"""Who is let in: names of the server, tokens and sessions."""

from itertools import pairwise

import httpx2
import pytest

from tests.e2e.processes import HANDSHAKE
from tests.zapomni_mcp_http.conftest import TOKEN
from tests.zapomni_mcp_http.running import HttpServer
from tests.zapomni_mcp_http.sessions import open_session, raw_session
from tests.zapomni_mcp_http.wire import NOBODY, exchange, post
from zapomni_mcp.guard import Rules

POSTED = [("POST", f"/messages/{NOBODY}"), ("POST", "/mcp")]
PROTECTED = [("GET", "/sse"), ("GET", "/metrics"), *POSTED]
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def ask(port: int, *headers: str, path: str = "/health") -> list[int]:
    """Send a GET with exactly these headers, and return the statuses of the answers."""
    lines = [f"GET {path} HTTP/1.1", *headers, "Connection: close", "", ""]
    return exchange(port, "\r\n".join(lines).encode("latin-1")).statuses


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:8000", "localhost:1", "LOCALHOST", "[::1]:80", "127.9.9.9"]
)
def test_a_loopback_name_is_ours(server: HttpServer, host: str) -> None:
    """NFR-003: clients reach a local server under these names."""
    assert ask(server.port, f"Host: {host}") == [200]


@pytest.mark.parametrize(
    "hosts",
    [
        ["evil.example"],
        ["localhost.evil.example"],
        ["127.0.0.1.evil.example:80"],
        ["192.168.0.1"],
        [""],
        ["["],
        ["[::1"],
        ["evil.example", "127.0.0.1"],
        ["127.0.0.1", "evil.example"],
        ["127.0.0.1", "127.0.0.1"],
        [],
    ],
    ids=repr,
)
def test_a_foreign_doubled_or_missing_name_is_refused(
    server: HttpServer, guarded: HttpServer, hosts: list[str]
) -> None:
    """NFR-003: DNS rebinding arrives under the name of the attacker's site."""
    headers = [f"Host: {host}" for host in hosts]

    assert ask(server.port, *headers) == [421]
    assert ask(guarded.port, *headers, f"Authorization: Bearer {TOKEN}", path="/metrics") == [421]


def test_the_address_of_all_interfaces_is_nobodys_name(server: HttpServer) -> None:
    """NFR-003: browsers let a page call 0.0.0.0, and the request ends up on loopback."""
    assert ask(server.port, "Host: 0.0.0.0") == [421]


def test_a_listed_name_is_ours(guarded: HttpServer) -> None:
    """NFR-003: ZAPOMNI_ALLOWED_HOSTS adds names, in any case and with any port."""
    assert ask(guarded.port, "Host: Memory.Example:443") == [200]


def test_one_foreign_origin_among_several_is_enough_to_refuse(server: HttpServer) -> None:
    """NFR-003: the first of two headers does not speak for the second."""
    origins = ["Origin: http://localhost", "Origin: https://evil.example"]

    assert ask(server.port, "Host: localhost", *origins) == [403]


@pytest.mark.parametrize(("method", "path"), PROTECTED)
@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Bearer",
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
        f"Bearer {TOKEN.upper()}",
        f"Bearer {TOKEN} {TOKEN}",
        f"Basic {TOKEN}",
        TOKEN,
        "Bearer \u00e9\u00ff",
    ],
    ids=repr,
)
def test_without_the_token_nothing_is_answered(
    guarded: HttpServer, method: str, path: str, authorization: str | None
) -> None:
    """NFR-003: no token, another one, part of it, or another scheme."""
    given = [] if authorization is None else [authorization.encode("latin-1")]
    headers = [(b"Authorization", value) for value in given]
    answer = guarded.http.request(method, path, headers=headers)

    assert (answer.status_code, answer.text) == (401, "Token required")
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER  "])
def test_with_the_token_everything_is_answered(guarded: HttpServer, scheme: str) -> None:
    """NFR-003: the scheme's name may be written as one likes."""
    headers = {"Authorization": f"{scheme} {TOKEN}"}

    assert guarded.http.get("/metrics", headers=headers).status_code == 200


def test_health_needs_no_token_and_tells_nothing_of_the_memory(guarded: HttpServer) -> None:
    """FR-007: a monitor has no token."""
    answer = guarded.http.get("/health")

    assert answer.status_code == 200
    assert set(answer.json()) == {
        *("status", "active_sessions", "uptime_seconds", "version", "event_loop_lag_max_ms")
    }


def test_a_token_beyond_ascii_works() -> None:
    """NFR-003: headers are bytes, and so is the secret when it is compared."""
    rules = Rules(frozenset(), frozenset(), "пароль", 1000)
    sent = "Bearer пароль".encode().decode("latin-1")

    assert rules.allows_token(sent)
    assert not rules.allows_token("Bearer пароль1".encode().decode("latin-1"))


def test_tokens_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """NFR-003: the time of an answer does not tell how much of a guess is right."""
    compared: list[tuple[bytes, bytes]] = []

    def compare(given: bytes, known: bytes) -> bool:
        compared.append((given, known))
        return given == known

    monkeypatch.setattr("secrets.compare_digest", compare)
    rules = Rules(frozenset(), frozenset(), "secret", 1000)

    assert not rules.allows_token("Bearer guess")
    assert rules.allows_token("Bearer secret")
    assert compared == [(b"guess", b"secret"), (b"secret", b"secret")]


@pytest.mark.anyio
async def test_the_session_of_another_is_of_no_use_without_the_token(guarded: HttpServer) -> None:
    """NFR-003: who has seen a session's id, but not the token, cannot speak in it."""
    async with raw_session(guarded.url, Authorization=f"Bearer {TOKEN}") as session:
        guess = f"Bearer {TOKEN[::-1]}"
        stolen = guarded.http.post(
            f"{session.endpoint}", json=PING, headers={"Authorization": guess}
        )
        theirs = await session.post(PING)

    assert (stolen.status_code, theirs.status_code) == (401, 202)


@pytest.mark.anyio
async def test_ids_that_are_almost_right_are_nobodys(server: HttpServer) -> None:
    """FR-002.6 and NFR-003: a neighbour of a real id is as unknown as any other."""
    async with open_session(server.url) as session:
        last = session.session_id[-1]
        for digit in set("0123456789abcdef") - {last}:
            path = session.endpoint[:-1] + digit
            assert exchange(server.port, post(path, b"{}")).statuses == [404]


@pytest.mark.anyio
async def test_ids_follow_no_pattern(server: HttpServer) -> None:
    """NFR-003: of two random 122-bit numbers about half of the bits differ."""
    ids = []
    for _ in range(8):
        async with raw_session(server.url) as session:
            ids.append(int(session.session_id.replace("-", ""), 16))

    differing = [(one ^ other).bit_count() for one, other in pairwise(ids)]
    assert all(30 < bits < 92 for bits in differing)


@pytest.mark.anyio
async def test_more_sessions_than_allowed_are_turned_away_until_one_ends(
    guarded: HttpServer,
) -> None:
    """NFR-002: 503 and when to come back, instead of degrading for those who are there."""
    credential = {"Authorization": f"Bearer {TOKEN}"}
    sessions = [raw_session(guarded.url, **credential) for _ in range(5)]
    opened = [await session.__aenter__() for session in sessions]
    try:
        refused = guarded.http.get("/sse", headers=credential)
        still_works = await opened[0].post(PING)
    finally:
        for session in reversed(sessions):
            await session.__aexit__(None, None, None)
    guarded.wait_for_sessions(0)
    async with open_session(guarded.url, **credential) as again:
        assert (await again.call("get_stats"))["isError"] is False

    assert (refused.status_code, refused.text) == (503, "Too many sessions")
    assert int(refused.headers["retry-after"]) > 0
    assert still_works.status_code == 202


def test_streamable_sessions_are_bounded_as_well(guarded: HttpServer) -> None:
    """NFR-002: the same limit for /mcp; who ends a session makes room for another."""
    headers = {
        "Authorization": f"Bearer {TOKEN}",
        "Accept": "application/json, text/event-stream",
    }
    hello = PING | {"method": "initialize", "params": HANDSHAKE}

    def begin() -> httpx2.Response:
        return guarded.http.post("/mcp", json=hello, headers=headers)

    def end(opened: httpx2.Response) -> None:
        named = headers | {"Mcp-Session-Id": opened.headers["mcp-session-id"]}
        assert guarded.http.delete("/mcp", headers=named).status_code == 200

    opened = [begin() for _ in range(5)]
    refused = begin()
    end(opened.pop())
    opened.append(begin())
    for session in opened:
        end(session)

    assert [session.status_code for session in opened] == [200] * 5
    assert refused.status_code == 503
