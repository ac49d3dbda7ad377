"""Which web pages may call, and what a browser is told."""

import httpx2
import pytest

from tests.zapomni_mcp_http.conftest import LISTED_ORIGIN, TOKEN
from tests.zapomni_mcp_http.running import HttpServer

PAGES_HERE = [
    "http://localhost:5173",
    "http://127.0.0.1",
    "https://127.0.0.2:8443",
    "http://[::1]",
]
PAGES_ELSEWHERE = [
    "https://evil.example",
    "http://localhost.evil.example",
    "http://127.0.0.1.evil.example",
    "http://localhost@evil.example",
    "https://app.example.evil.example",
    "https://app.example:444",
    "http://app.example",
    "null",
    "",
    "*",
    "localhost",
    "http://[::1",
    "file://",
]


def preflight(server: HttpServer, origin: str, **headers: str) -> httpx2.Response:
    asked = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, content-type, mcp-session-id",
    }
    return server.http.options("/mcp", headers=asked | headers)


def listed(response: httpx2.Response, header: str) -> set[str]:
    return {name.strip().lower() for name in response.headers[header].split(",")}


@pytest.mark.parametrize("origin", PAGES_HERE)
def test_a_page_from_this_machine_may_ask_for_anything(server: HttpServer, origin: str) -> None:
    """FR-006.1 to FR-006.3 and FR-006.5: methods, headers and credentials, by default."""
    answer = preflight(server, origin)

    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == origin
    assert answer.headers["access-control-allow-credentials"] == "true"
    assert listed(answer, "access-control-allow-methods") >= {"get", "post", "options"}
    assert listed(answer, "access-control-allow-headers") == {
        *("authorization", "content-type", "mcp-session-id")
    }


@pytest.mark.parametrize("origin", [LISTED_ORIGIN, "https://other.example:8443", *PAGES_HERE])
def test_a_listed_page_may_ask_before_it_shows_a_token(guarded: HttpServer, origin: str) -> None:
    """FR-005.3 and FR-006.1: browsers send a preflight without credentials."""
    answer = preflight(guarded, origin)

    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == origin


def test_a_listed_page_may_reach_into_a_private_network(guarded: HttpServer) -> None:
    """FR-006.1: a browser asks this, too, when a public page calls an address at home."""
    answer = preflight(
        guarded, LISTED_ORIGIN, **{"Access-Control-Request-Private-Network": "true"}
    )

    assert answer.headers["access-control-allow-private-network"] == "true"


@pytest.mark.parametrize("origin", PAGES_ELSEWHERE)
def test_a_page_from_elsewhere_is_refused(
    server: HttpServer, guarded: HttpServer, origin: str
) -> None:
    """NFR-003: with `*`, with a list and with a token, and the answer allows it nothing."""
    for answer in (
        preflight(server, origin),
        preflight(guarded, origin),
        server.http.get("/sse", headers={"Origin": origin}),
        server.http.get("/health", headers={"Origin": origin}),
    ):
        assert answer.status_code == 403
        assert "access-control-allow-origin" not in answer.headers


def test_a_page_may_read_the_answer_and_its_headers(server: HttpServer) -> None:
    """FR-006.4 and FR-006.5: what a page needs is named, for with credentials `*` is not all."""
    origin = "http://localhost:5173"
    answer = server.http.get("/health", headers={"Origin": origin, "Cookie": "a=b"})

    assert answer.headers["access-control-allow-origin"] == origin
    assert answer.headers["access-control-allow-credentials"] == "true"
    assert listed(answer, "access-control-expose-headers") >= {"*", "mcp-session-id"}
    assert "Origin" in answer.headers["vary"]


def test_asking_first_does_not_open_the_door(guarded: HttpServer) -> None:
    """NFR-003: what looks like a preflight but is not one needs the token."""
    url, origin = "/mcp", {"Origin": LISTED_ORIGIN}
    asking = origin | {"Access-Control-Request-Method": "POST"}

    assert guarded.http.post(url, headers=asking, json={}).status_code == 401
    assert guarded.http.options(url, headers=origin).status_code == 401


def test_a_listed_page_still_needs_the_token(guarded: HttpServer) -> None:
    """NFR-003: the list says who may ask, the token who may read."""
    url, origin = "/metrics", {"Origin": LISTED_ORIGIN}

    assert guarded.http.get(url, headers=origin).status_code == 401
    known = guarded.http.get(url, headers=origin | {"Authorization": f"Bearer {TOKEN}"})
    assert known.status_code == 200
    assert known.headers["access-control-allow-origin"] == LISTED_ORIGIN
