"""Compare what the local models take for one text: `python -m benchmarks.embedding`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from itertools import batched

import numpy as np

from benchmarks.corpus import memories, questions
from zapomni_core import configure_logs
from zapomni_core.embedding import Embedder, Role
from zapomni_core.embedding.bundled import bundled_model
from zapomni_core.embedding.local import LocalEmbedder
from zapomni_core.settings import LOCAL_MODELS

ROUNDS = 3


async def main() -> None:
    """Embed questions one by one and memories in batches with each model that is installed."""
    configure_logs("ERROR")
    installed = [name for name, package in LOCAL_MODELS.items() if find_spec(package)]
    with ThreadPoolExecutor(1) as executor:
        models = {name: LocalEmbedder(executor, bundled_model(name)) for name in installed}
        tasks: dict[str, tuple[list[str], int, Role]] = {
            "a question": (list(questions(50)), 1, "query"),
            "a memory of 30 words": (list(memories(64)), 32, "passage"),
            "a text of 300 words": (
                [" ".join(memories(10, seed)) for seed in range(16)],
                16,
                "passage",
            ),
        }
        for label, (texts, size, role) in tasks.items():
            times: dict[str, list[float]] = {name: [] for name in models}
            # Turn by turn, so that a busy moment of the machine hits all of them.
            for _ in range(ROUNDS + 1):
                for name, model in models.items():
                    times[name].append(await _per_text(model, texts, size, role))
            least = {name: float(np.median(taken[1:])) for name, taken in times.items()}
            first = next(iter(least.values()))
            shown = [f"{name} {ms:6.2f} ms ({ms / first:.2f} x)" for name, ms in least.items()]
            print(f"{label:<24}" + "   ".join(shown))


async def _per_text(model: Embedder, texts: Sequence[str], size: int, role: Role) -> float:
    started = time.perf_counter()
    for batch in batched(texts, size):
        await model.embed(list(batch), role)
    return (time.perf_counter() - started) / len(texts) * 1000


if __name__ == "__main__":
    asyncio.run(main())
