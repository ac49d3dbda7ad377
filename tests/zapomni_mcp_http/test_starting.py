"""How a server is started: transport, address and settings, and what happens if they are wrong."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from tests.e2e.processes import HANDSHAKE, environment
from tests.zapomni_mcp_http.conftest import TOKEN
from tests.zapomni_mcp_http.running import LOOPBACK, HttpServer
from zapomni_mcp.serving import serve_http


def run(folder: Path, *arguments: str, text: str = "", **settings: str) -> tuple[int, str, str]:
    """Run the program to its end; return its status, output and errors."""
    ended = subprocess.run(
        [sys.executable, "-m", "zapomni_mcp", *arguments],
        input=text,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=environment(folder, **settings),
        cwd=folder,
    )
    return ended.returncode, ended.stdout, ended.stderr


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.create_server((LOOPBACK, 0)) as other:
        yield other.getsockname()[1]


@pytest.fixture
def _logs_as_before() -> Iterator[None]:
    yield
    structlog.reset_defaults()


def test_without_a_flag_the_transport_is_sse_on_loopback(server: HttpServer) -> None:
    """FR-004.2, FR-004.4, FR-004.5 and FR-005.1: HTTP by default, said so in the log."""
    (line,) = server.logged("http_listening")

    assert (line["transport"], line["host"]) == ("sse", "127.0.0.1")
    with server.http.stream("GET", "/sse") as stream:
        assert next(stream.iter_lines()) == "event: endpoint"


def test_address_and_limits_come_from_the_environment(guarded: HttpServer) -> None:
    """FR-005.1 to FR-005.4: no flag was given to this one."""
    (line,) = guarded.logged("http_listening")

    assert line["host"] == "0.0.0.0"
    assert guarded.http.get("/metrics").status_code == 401


def test_stdio_is_served_on_request(tmp_path: Path) -> None:
    """FR-004.1, FR-004.3 and US-3: --transport stdio speaks over the pipes and opens no port."""
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HANDSHAKE}

    status, output, errors = run(tmp_path, "--transport", "stdio", text=json.dumps(request) + "\n")

    assert status == 0
    assert json.loads(output)["result"]["serverInfo"]["name"] == "zapomni"
    (started,) = (json.loads(line) for line in errors.splitlines() if "server_starting" in line)
    assert started["transport"] == "stdio"
    assert "http_listening" not in errors


def test_a_flag_wins_over_the_environment(tmp_path: Path, taken_port: int) -> None:
    """FR-005.5: a port that is taken is one line that says so and how to choose another."""
    status, output, errors = run(
        tmp_path, "--port", str(taken_port), "--transport", "sse", ZAPOMNI_SSE_PORT="0"
    )

    (line,) = errors.splitlines()
    assert (status, output) == (1, "")
    assert f"Port {taken_port} is taken" in line
    assert "--port" in line


def test_a_wrong_setting_is_one_line_and_a_failure(tmp_path: Path) -> None:
    """FR-005.4 and FR-005.5: the line names the variable and the limit."""
    status, output, errors = run(tmp_path, ZAPOMNI_SSE_PORT="70000")

    (line,) = errors.splitlines()
    assert (status, output) == (1, "")
    assert line.startswith("zapomni: ")
    assert "ZAPOMNI_SSE_PORT" in line
    assert "65535" in line


@pytest.mark.usefixtures("_logs_as_before")
@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("ZAPOMNI_SSE_PORT", "eight thousand"),
        ("ZAPOMNI_SSE_PORT", "-1"),
        ("ZAPOMNI_SSE_CORS_ORIGINS", "app.example"),
        ("ZAPOMNI_SSE_CORS_ORIGINS", "https://app.example/page"),
        ("ZAPOMNI_MAX_SESSIONS", "0"),
        ("ZAPOMNI_SESSION_LIFETIME_S", "-5"),
        ("ZAPOMNI_CLIENT_TIMEOUT_S", "nan"),
        ("ZAPOMNI_MAX_REQUEST_BYTES", "10"),
        ("FALKORDB_POOL_SIZE", "201"),
        ("ZAPOMNI_SSE_HOST", "0.0.0.0"),
        ("ZAPOMNI_SSE_HOST", "::"),
        ("ZAPOMNI_SSE_HOST", "memory.example"),
    ],
)
def test_no_server_starts_with_settings_that_are_wrong(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str, value: str
) -> None:
    """FR-005.4, FR-009.3 and NFR-003: out of range, or open to others without a token."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZAPOMNI_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("ZAPOMNI_SSE_PORT", "0")
    monkeypatch.setenv(variable, value)

    with pytest.raises(SystemExit) as refused:
        serve_http()

    (line,) = str(refused.value.code).splitlines()
    assert variable in line


@pytest.mark.usefixtures("_logs_as_before")
def test_a_refused_address_says_that_a_token_would_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """NFR-003: the way out is named; the guarded server shows that it is one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZAPOMNI_DATA_DIR", str(tmp_path))

    with pytest.raises(SystemExit, match="ZAPOMNI_AUTH_TOKEN"):
        serve_http(host="0.0.0.0")


@pytest.mark.usefixtures("_logs_as_before")
def test_an_address_that_is_not_ours_is_refused_in_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """FR-005.5: a host that this machine does not have."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZAPOMNI_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("ZAPOMNI_AUTH_TOKEN", TOKEN)

    with pytest.raises(SystemExit, match=r"Cannot listen on 192\.0\.2\.1.*ZAPOMNI_SSE_HOST"):
        serve_http(host="192.0.2.1")
