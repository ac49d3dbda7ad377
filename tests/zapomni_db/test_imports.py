"""What a database waits for: starting an embedded one needs neither its driver nor numpy."""

import subprocess
import sys
from pathlib import Path

_USING_A_STORE = """
import asyncio, sys
from pathlib import Path
from zapomni_db import EmbeddedAddress, Keyspace, Store

async def use() -> None:
    store = Store(EmbeddedAddress(Path(sys.argv[1])), Keyspace("imports"))
    await store.open()
    await store.counts()
    await store.close()

asyncio.run(use())
print(*sys.modules)
"""


def loaded_by(program: str, *arguments: str) -> set[str]:
    command = [sys.executable, "-c", program, *arguments]
    return set(subprocess.run(command, capture_output=True, check=True, text=True).stdout.split())


def test_an_embedded_store_is_used_without_the_driver_for_servers(tmp_path: Path) -> None:
    loaded = loaded_by(_USING_A_STORE, str(tmp_path))

    assert "zapomni_db.links" in loaded
    assert not loaded & {"redis", "zapomni_db.servers"}


def test_a_connection_is_imported_without_what_only_a_store_needs() -> None:
    loaded = loaded_by("import sys; from zapomni_db import Connection; print(*sys.modules)")

    assert "zapomni_db.connection" in loaded
    assert not loaded & {"numpy", "redis", "zapomni_db.store", "zapomni_db.knowledge"}
