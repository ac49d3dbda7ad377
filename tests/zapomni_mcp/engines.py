"""Engines that fail the way real ones do."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

from tests.folders import fresh_settings
from zapomni_core import MemoryEngine, MemoryResult, Settings


class FailingEngine(MemoryEngine):
    """An engine with a bug: adding a memory raises what it was given."""

    def __init__(self, settings: Settings, failure: Exception) -> None:
        super().__init__(settings)
        self._failure = failure

    async def add_memory(self, *_arguments: Any) -> MemoryResult:
        """Fail."""
        raise self._failure


def without_database(folder: Path) -> MemoryEngine:
    """Return an engine whose database is at an address where nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    return MemoryEngine(fresh_settings(folder, falkordb_host="127.0.0.1", falkordb_port=port))
