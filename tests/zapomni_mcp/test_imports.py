"""What a host waits for: the handshake needs no database, no model and no knowledge."""

import subprocess
import sys

HEAVY = ("numpy", "onnxruntime", "redis", "spacy", "zapomni_core.knowledge", "zapomni_db")


def test_a_server_is_imported_without_what_only_the_engine_needs() -> None:
    code = "import sys, zapomni_mcp.__main__, zapomni_mcp.server; print(*sys.modules)"

    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True
    ).stdout.split()

    assert "zapomni_mcp.server" in loaded
    assert not [name for name in HEAVY if name in loaded]
