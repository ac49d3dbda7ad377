"""How long a person waits for a command: cold starts, alone and beside a running server."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.corpus import memories
from benchmarks.stores import fill, open_store
from zapomni_core.embedding.builtin import BuiltinModel
from zapomni_core.embedding.bundled import bundled_model

QUERY = "why did the deployment fail"
COMMAND = (sys.executable, "-m", "zapomni_cli")
# What a search imports, most of it while the database starts.
IMPORTS = "import click, zapomni_cli.search, zapomni_core.shared, zapomni_core.workspaces"
ALONE = {
    "bare interpreter": (sys.executable, "-c", "pass"),
    "zapomni --help": (*COMMAND, "--help"),
    "imports of a search": (sys.executable, "-c", IMPORTS),
    "zapomni search": (*COMMAND, "search", QUERY),
    "zapomni list": (*COMMAND, "list"),
}
BESIDE = {
    "zapomni search, server running": ALONE["zapomni search"],
    "zapomni list, server running": ALONE["zapomni list"],
}

type Figures = dict[str, tuple[float, float]]


def measure(
    commands: Mapping[str, Sequence[str]], environment: Mapping[str, str], rounds: int
) -> Figures:
    """Return the median wall and CPU milliseconds of each command, taking turns."""
    seen: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            seen[name].append(once(command, environment))
    return {
        name: (
            statistics.median(wall for wall, _ in costs),
            statistics.median(cpu for _, cpu in costs),
        )
        for name, costs in seen.items()
    }


def once(command: Sequence[str], environment: Mapping[str, str]) -> tuple[float, float]:
    """Run a command to its end, and return its wall and CPU milliseconds."""
    started = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return wall * 1000, (usage.ru_utime + usage.ru_stime) * 1000


@contextmanager
def serving(environment: Mapping[str, str]) -> Iterator[None]:
    """Run a server that has the memory open."""
    process = subprocess.Popen(
        [*COMMAND, "serve", "--port", "0"], env=environment, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        for line in process.stderr:
            if json.loads(line)["event"] == "word_index_ready":
                break
        yield
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate()


async def fill_store(folder: Path, count: int) -> None:
    store = await open_store(folder, "zapomni")
    await fill(store, memories(count), BuiltinModel(bundled_model()))
    await store.close()


def show(figures: Figures) -> None:
    print("| command | wall ms | CPU ms |\n|---|---|---|")
    for name, (wall, cpu) in figures.items():
        print(f"| {name} | {wall:.0f} | {cpu:.0f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        environment = {**kept, "ZAPOMNI_DATA_DIR": folder, "ZAPOMNI_AUTO_GRAPH": "false"}
        asyncio.run(fill_store(Path(folder), arguments.memories))
        once(ALONE["zapomni search"], environment)  # the word index is written once
        figures = measure(ALONE, environment, arguments.rounds)
        with serving(environment):
            figures |= measure(BESIDE, environment, arguments.rounds)
    show(figures)


if __name__ == "__main__":
    main()
