"""One server for the tests that only talk to it, and a folder of its own for each other test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.processes import TOYS, ServerProcess, running
from tests.folders import forget_environment

LONGEST_LINE = 12_000_000


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_environment(monkeypatch)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder that does not exist yet."""
    return tmp_path / "memory"


@pytest.fixture(scope="session")
def toys(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with every tool of Zapomni and with toys."""
    folder = tmp_path_factory.mktemp("toys") / "memory"
    with running(folder, *TOYS, str(LONGEST_LINE)) as server:
        yield server
