"""Commands in this process, on one running database, each test with a memory of its own."""

import asyncio
import gc
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from click.testing import CliRunner, Result

from tests.folders import forget_environment, running_database
from zapomni_cli.commands import zapomni
from zapomni_core import MemoryEngine, load_settings


@pytest.fixture(scope="session")
def database_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with running_database(tmp_path_factory.mktemp("cli")) as folder:
        yield folder


class Terminal:
    """Runs commands as a person would, and stores memories as an agent would."""

    def run(self, *arguments: str | Path, given: str | None = None) -> Result:
        return CliRunner().invoke(zapomni, [str(each) for each in arguments], input=given)

    def out(self, *arguments: str | Path) -> str:
        """Return what a command prints that ends well."""
        done = self.run(*arguments)
        assert done.exit_code == 0, done.output
        return done.stdout

    def remember(self, *texts: str, **metadata: Any) -> list[str]:
        """Store memories and return their ids."""

        async def store() -> list[str]:
            async with MemoryEngine(load_settings()) as engine:
                return [(await engine.add_memory(text, metadata)).memory_id for text in texts]

        return asyncio.run(store())

    def read_for_the_graph(self) -> None:
        """Wait until everything that is stored is in the graph."""

        async def build() -> None:
            async with MemoryEngine(load_settings()) as engine:
                await engine.build_graph()

        asyncio.run(build())


@pytest.fixture
def terminal(database_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    forget_environment(monkeypatch)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("ZAPOMNI_DATA_DIR", str(database_folder))
    monkeypatch.setenv("GRAPH_NAME", f"test-{uuid.uuid4().hex}")
    log, collection = structlog.get_config(), gc.get_threshold()
    yield Terminal()
    # A command silences the log of its process, and seldom collects garbage.
    structlog.configure(**log)
    gc.set_threshold(*collection)
