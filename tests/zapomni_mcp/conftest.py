"""A real server in front of a real engine, each test with a memory of its own."""

import json
import logging
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from io import StringIO
from pathlib import Path

import pytest
import structlog
from mcp import Client, StdioServerParameters
from mcp.client.sse import sse_client

from tests.fakes import FakeOllama, fake_ollama
from tests.folders import forget_environment, fresh_settings, running_database
from tests.zapomni_mcp.hosts import Host, open_host
from zapomni_core import MemoryEngine, Settings, configure_logs
from zapomni_mcp import MCPServer


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_environment(monkeypatch)


@pytest.fixture(autouse=True)
def log() -> Iterator[StringIO]:
    """Collect what the server would write to standard error."""
    levels = {name: logger.level for name, logger in _loggers()}
    stream = StringIO()
    configure_logs("DEBUG", stream)
    yield stream
    structlog.reset_defaults()
    for name, logger in _loggers():
        logger.setLevel(levels.get(name, logging.NOTSET))


def _loggers() -> list[tuple[str, logging.Logger]]:
    known = logging.Logger.manager.loggerDict.items()
    return [(name, logger) for name, logger in known if isinstance(logger, logging.Logger)]


@pytest.fixture(scope="session")
def memory_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with running_database(tmp_path_factory.mktemp("mcp")) as folder:
        yield folder


@pytest.fixture
def settings(memory_folder: Path) -> Settings:
    return fresh_settings(memory_folder)


@pytest.fixture
async def engine(settings: Settings) -> AsyncIterator[MemoryEngine]:
    async with MemoryEngine(settings) as engine:
        yield engine


@pytest.fixture
def server(engine: MemoryEngine) -> MCPServer:
    server = MCPServer(engine)
    server.register_all_tools()
    return server


@pytest.fixture
async def client(server: MCPServer) -> AsyncIterator[Client]:
    async with Client(server.sdk_server) as client:
        yield client


@pytest.fixture
def ollama() -> Iterator[FakeOllama]:
    with fake_ollama() as fake:
        yield fake


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    with open_host(monkeypatch) as host:
        yield host


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return {"ZAPOMNI_DATA_DIR": str(tmp_path_factory.mktemp("transports") / "memory")}


@pytest.fixture(scope="module")
def http_address(environment: dict[str, str]) -> Iterator[str]:
    command = [sys.executable, "-m", "zapomni_mcp", "--port", "0"]
    server = subprocess.Popen(
        command, env=environment, cwd=Path(sys.prefix), stderr=subprocess.PIPE, text=True
    )
    assert server.stderr is not None
    for line in server.stderr:
        entry = json.loads(line)
        if entry["event"] == "http_listening":
            break
    yield f"http://127.0.0.1:{entry['port']}"
    server.terminate()
    server.communicate(timeout=20)


@pytest.fixture(params=["in memory", "stdio", "sse", "streamable http"])
async def connected(
    request: pytest.FixtureRequest, server: MCPServer, environment: dict[str, str]
) -> AsyncIterator[Client]:
    """A client that is connected to a server over each of the transports."""
    match request.param:
        case "in memory":
            client = Client(server.sdk_server)
        case "stdio":
            arguments = ["-m", "zapomni_mcp", "--transport", "stdio"]
            client = Client(
                StdioServerParameters(command=sys.executable, args=arguments, env=environment)
            )
        case "sse":
            client = Client(sse_client(f"{request.getfixturevalue('http_address')}/sse"))
        case _:
            client = Client(f"{request.getfixturevalue('http_address')}/mcp")
    async with client:
        yield client
