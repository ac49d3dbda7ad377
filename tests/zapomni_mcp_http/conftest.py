"""Servers that many tests share; a test that changes what a server is gets one of its own."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
import structlog
from sse_starlette import EventSourceResponse

from tests.fakes import FakeOllama, fake_ollama
from tests.folders import forget_environment, running_database
from tests.zapomni_mcp_http.running import HttpServer, http_server
from zapomni_core import configure_logs

TOKEN = "correct-horse-battery-staple"
LISTED_ORIGIN = "https://app.example"


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_environment(monkeypatch)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    """A server as it comes: started without --transport, everything built in."""
    with http_server(tmp_path_factory.mktemp("http") / "memory") as running:
        yield running


@pytest.fixture(scope="session")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    """A server that others can reach: token, listed names, tight limits; no flags at all."""
    with (
        fake_ollama() as ollama,
        http_server(
            tmp_path_factory.mktemp("guarded") / "memory",
            (),
            OLLAMA_HOST=ollama.host,
            ZAPOMNI_SSE_HOST="0.0.0.0",
            ZAPOMNI_SSE_PORT="0",
            ZAPOMNI_AUTH_TOKEN=TOKEN,
            ZAPOMNI_SSE_CORS_ORIGINS=f"{LISTED_ORIGIN},https://other.example:8443",
            ZAPOMNI_ALLOWED_HOSTS="memory.example",
            ZAPOMNI_MAX_SESSIONS="5",
            ZAPOMNI_MAX_REQUEST_BYTES="200000",
            ZAPOMNI_CLIENT_TIMEOUT_S="2",
        ) as running,
    ):
        yield running


@pytest.fixture
def ollama() -> Iterator[FakeOllama]:
    with fake_ollama() as fake:
        yield fake


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A memory whose database runs, for servers in the process of the test."""
    with running_database(tmp_path_factory.mktemp("inside")) as folder:
        yield folder


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[StringIO]:
    """Collect what a server in the process of the test logs."""
    default = EventSourceResponse.DEFAULT_PING_INTERVAL
    monkeypatch.setattr(EventSourceResponse, "DEFAULT_PING_INTERVAL", default)
    stream = StringIO()
    configure_logs("INFO", stream)
    yield stream
    structlog.reset_defaults()
