"""Requests that two servers would read in two ways get one answer: no."""

import pytest

from tests.zapomni_mcp_http.running import HttpServer
from tests.zapomni_mcp_http.wire import HEALTH, HOST, JSON, LAST_HEALTH, NOBODY, exchange

POST = f"POST /messages/{NOBODY} HTTP/1.1\r\n".encode() + HOST + JSON
CHUNKED = b"Transfer-Encoding: chunked\r\n"
HIDDEN = LAST_HEALTH

AMBIGUOUS = {
    "length, then chunks": POST + b"Content-Length: 5\r\n" + CHUNKED + b"\r\n0\r\n\r\n",
    "chunks, then length": POST + CHUNKED + b"Content-Length: 5\r\n\r\n0\r\n\r\n",
    "two lengths": POST + b"Content-Length: 0\r\nContent-Length: 100\r\n\r\n",
    "a list of lengths": POST + b"Content-Length: 0, 100\r\n\r\n",
    "a signed length": POST + b"Content-Length: +0\r\n\r\n",
    "a negative length": POST + b"Content-Length: -1\r\n\r\n",
    "a length in hexadecimal": POST + b"Content-Length: 0x10\r\n\r\n",
    "a length beyond numbers": POST + b"Content-Length: " + b"9" * 40 + b"\r\n\r\n",
    "an unknown coding": POST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "chunked, but not last": POST + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "a blank before the colon": POST + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "a folded header": HEALTH + HOST + b"X-Folded: a\r\n Content-Length: 100\r\n\r\n",
    "a folded coding": POST + b"Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
    "lines that end with LF": b"GET /health HTTP/1.1\nHost: 127.0.0.1\n\n",
    "one line that ends with LF": HEALTH + b"X-Line: a\n" + HOST + b"\r\n",
    "a CR inside a header": HEALTH + HOST + b"X-Line: a\rContent-Length: 100\r\n\r\n",
    "a NUL inside a header": HEALTH + HOST + b"X-Line: a\x00b\r\n\r\n",
    "a NUL inside a path": b"GET /health\x00 HTTP/1.1\r\n" + HOST + b"\r\n",
    "a chunk that ends with LF": POST + CHUNKED + b"\r\n2\nab\r\n0\r\n\r\n",
    "a chunk of negative size": POST + CHUNKED + b"\r\n-2\r\nab\r\n0\r\n\r\n",
    "a chunk longer than it says": POST + CHUNKED + b"\r\n1\r\nabc\r\n0\r\n\r\n",
    "a version that is none": b"GET /health HTTP/9.9\r\n" + HOST + b"\r\n",
    "no HTTP at all": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
}


@pytest.mark.parametrize("request_bytes", AMBIGUOUS.values(), ids=AMBIGUOUS.keys())
def test_an_ambiguous_request_is_refused_and_what_follows_it_is_not_read(
    guarded: HttpServer, request_bytes: bytes
) -> None:
    """NFR-003: 400 or nothing, then the end; a request hidden behind it is never answered."""
    heard = exchange(guarded.port, request_bytes + HIDDEN)

    assert heard.statuses in ([], [400])
    assert b"healthy" not in heard.raw


def test_several_requests_in_one_go_are_answered_in_their_order(guarded: HttpServer) -> None:
    """NFR-002: the same checks leave a client alone that only is in a hurry."""
    requests = [HEALTH + HOST + b"\r\n", b"GET /none HTTP/1.1\r\n" + HOST + b"\r\n", LAST_HEALTH]

    assert exchange(guarded.port, b"".join(requests)).statuses == [200, 401, 200]
