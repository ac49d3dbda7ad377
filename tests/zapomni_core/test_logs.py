"""Logs: JSON lines on standard error, above a level, without the values of variables."""

import json
import logging
import os
import sys
from collections.abc import Iterator
from io import StringIO
from subprocess import PIPE, Popen
from typing import Any

import pytest
import structlog

from zapomni_core import configure_logs

NOISY = ("mcp", "httpx2", "httpcore2", "asyncio")


@pytest.fixture(autouse=True)
def _leave_logging_as_it_was() -> Iterator[None]:
    levels = {name: logging.getLogger(name).level for name in NOISY}
    yield
    structlog.reset_defaults()
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


def lines(stream: StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_is_json_with_time_level_and_context() -> None:
    stream = StringIO()
    configure_logs("INFO", stream)

    with structlog.contextvars.bound_contextvars(correlation_id="c1"):
        structlog.get_logger().info("memory_added", chunks=3, who="Ёлка")

    (line,) = lines(stream)
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "memory_added",
        "chunks": 3,
        "who": "Ёлка",
        "level": "info",
        "correlation_id": "c1",
    }


@pytest.mark.parametrize(
    ("level", "written"),
    [
        ("DEBUG", ["debug", "info", "warning", "error"]),
        ("WARNING", ["warning", "error"]),
        ("CRITICAL", []),
    ],
)
def test_lines_below_the_level_are_left_out(level: str, written: list[str]) -> None:
    stream = StringIO()
    configure_logs(level, stream)

    for name in ("debug", "info", "warning", "error"):
        getattr(structlog.get_logger(), name)("something_happened")

    assert [line["level"] for line in lines(stream)] == written


def test_standard_error_is_where_lines_go(capfd: pytest.CaptureFixture[str]) -> None:
    configure_logs("INFO")

    structlog.get_logger().info("something_happened")

    captured = capfd.readouterr()
    assert captured.out == ""
    assert json.loads(captured.err)["event"] == "something_happened"


def test_a_traceback_has_frames_but_no_values() -> None:
    stream = StringIO()
    configure_logs("INFO", stream)

    def remember(text: str) -> int:
        return len(text) // 0

    try:
        remember("my diary")
    except ZeroDivisionError:
        structlog.get_logger().exception("tool_failed")

    (line,) = lines(stream)
    (failure,) = line["exception"]
    assert failure["exc_type"] == "ZeroDivisionError"
    assert [frame["name"] for frame in failure["frames"]][-1] == "remember"
    assert "my diary" not in stream.getvalue()


def test_libraries_that_print_what_passes_through_them_are_silent(
    caplog: pytest.LogCaptureFixture,
) -> None:
    configure_logs("DEBUG", StringIO())

    for name in NOISY:
        logging.getLogger(f"{name}.inner").error("a request body")

    assert caplog.records == []


LOGGING = """
import structlog
from zapomni_core import configure_logs
configure_logs("INFO")
for number in range(200):
    structlog.get_logger().info("e", number=number, padding="x" * 9_000)
print("written", flush=True)
input()
structlog.get_logger().info("last")
"""


def test_nobody_has_to_read_the_log() -> None:
    process = Popen(
        [sys.executable, "-c", LOGGING], stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == "written\n"
    os.set_blocking(process.stderr.fileno(), False)
    first = process.stderr.read()
    os.set_blocking(process.stderr.fileno(), True)
    _, rest = process.communicate("\n", timeout=20)

    kept, *cut = first.splitlines()
    assert json.loads(kept)["number"] == 0
    lost, last = (json.loads(line) for line in rest.splitlines() if line)
    assert lost == {"event": "log_lines_lost", "count": 200 - len(cut)}
    assert last["event"] == "last"


def test_a_log_that_nobody_can_read_any_more_stops_nothing() -> None:
    process = Popen(
        [sys.executable, "-c", LOGGING], stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True
    )
    assert process.stderr is not None
    process.stderr.close()

    out, _ = process.communicate("\n", timeout=20)

    assert (out, process.returncode) == ("written\n", 0)
