"""Processes that a check starts: bounded in time, and none of them left behind."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.node import ROOT

__all__ = ["CommandFailed", "RunningServer", "run_bounded", "running_server"]

_START_TIMEOUT_S = 60
_STOP_TIMEOUT_S = 10
_POLL_S = 0.1
_SHOWN = 1000


class CommandFailed(Exception):
    """A command ended badly, or not at all."""

    def __init__(self, reason: str, output: str) -> None:
        super().__init__(f"{reason}: {output[-_SHOWN:].strip()}")
        self.reason = reason
        self.output = output


@dataclass(frozen=True, slots=True)
class RunningServer:
    """Where a server listens, and where it keeps its memory."""

    url: str
    data_dir: Path


def run_bounded(
    command: Sequence[str | Path], environment: Mapping[str, str], folder: Path, timeout_s: float
) -> str:
    """Return what a command writes; end it and everything it started when it takes too long."""
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired as exc:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            raise CommandFailed(f"no end after {timeout_s:.0f} s", output) from exc
    if process.returncode != 0:
        raise CommandFailed(f"exit code {process.returncode}", output)
    return output


@contextlib.contextmanager
def running_server(command: Sequence[str | Path], folder: Path) -> Iterator[RunningServer]:
    """Run an HTTP server on a free loopback port with its memory in a folder."""
    log, data_dir = folder / "server.log", folder / "memory"
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "PYTHONPATH": str(ROOT),
        "ZAPOMNI_DATA_DIR": str(data_dir),
        "ZAPOMNI_SSE_PORT": "0",
    }
    with (
        log.open("wb") as errors,
        subprocess.Popen(command, cwd=folder, env=environment, stderr=errors) as process,
    ):
        try:
            yield RunningServer(_address(process, log), data_dir)
        finally:
            process.terminate()
            try:
                process.wait(_STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                process.kill()


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + _START_TIMEOUT_S
    while process.poll() is None and time.monotonic() < deadline:
        for line in log.read_text("utf-8").splitlines():
            if '"http_listening"' in line and line.endswith("}"):
                url = f"http://127.0.0.1:{json.loads(line)['port']}"
                if _is_healthy(url):
                    return url
        time.sleep(_POLL_S)
    raise CommandFailed("the server did not start", log.read_text("utf-8"))


def _is_healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/health", timeout=_START_TIMEOUT_S) as answer:
            return bool(answer.status == 200)
    except urllib.error.URLError:
        return False
