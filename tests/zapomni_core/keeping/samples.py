"""Memories of every kind, exports of them, and programs that are killed at their work."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import orjson

from tests.folders import fresh_settings
from zapomni_core import MemoryEngine, Settings
from zapomni_core.keeping_engine import KeepingEngine

LONG = "\n\n".join(
    f"Part {number}. The {name} keeps its own ledger, and nobody else may write in it."
    for number, name in enumerate(("baker", "smith", "ferryman", "miller") * 30)
)
TEXTS = (
    "Maria's daughter Lena is allergic to peanuts.",
    "Ключ от дачи лежит под синим горшком.",
    'Line one\nline "two" \\ with {braces} and 🦊',
    "def hammer(nail):\n    return nail\n# code",
    LONG,
)


async def remember_all(settings: Settings) -> list[str]:
    """Store memories of every kind and what they say; return their ids."""
    async with MemoryEngine(settings) as engine:
        ids = []
        for number, text in enumerate(TEXTS):
            metadata = {
                "tags": ["first", f"n{number}"],
                "source": "notes/2024.md",
                "deep": {"a": [1, 2.5, None, True]},
                "timestamp": f"2023-0{number + 1}-03T04:05:06.789Z",
            }
            ids.append((await engine.add_memory(text, metadata)).memory_id)
        said = {"session": "s1", "position": 3, "speaker": "Lena"}
        ids.append((await engine.add_memory("I moved to Lisbon in May.", said)).memory_id)
        await engine.build_graph()
    return ids


async def exported(settings: Settings, *, with_vectors: bool = False) -> bytes:
    """Return an export as bytes."""
    file = io.BytesIO()
    await KeepingEngine(settings).export_memories(file, with_vectors=with_vectors)
    return file.getvalue()


def many_lines(count: int) -> bytes:
    """Write an export by hand, with as little as the format allows."""
    from hashlib import sha256

    lines = [b'{"format":"zapomni-export","version":1,"model":null,"vectors":false}\n']
    for number in range(count):
        memory = {"id": f"{number:032x}", "created": "2024-01-02T03:04:05Z"}
        lines.append(orjson.dumps(memory | {"text": f"The answer to {number} is {number * 7}."}))
        lines[-1] += b"\n"
    end = {"memories": count, "kept_facts": 0, "sha256": sha256(b"".join(lines)).hexdigest()}
    return b"".join([*lines, orjson.dumps({"end": end}) + b"\n"])


def settings_in(folder: Path, graph_name: str = "zapomni") -> Settings:
    """Return settings of a data folder of its own."""
    return fresh_settings(folder, graph_name=graph_name)


def start(folder: Path, *arguments: str | Path, **settings: str) -> subprocess.Popen[bytes]:
    """Start a command of Zapomni on a data folder."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    python_path = os.pathsep.join(sys.path)
    return subprocess.Popen(
        [sys.executable, "-m", "zapomni_cli", *map(str, arguments)],
        env={**kept, "ZAPOMNI_DATA_DIR": str(folder), "PYTHONPATH": python_path, **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a command without a chance to clean up."""
    process.send_signal(signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
