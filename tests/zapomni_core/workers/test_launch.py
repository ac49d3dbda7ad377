"""A worker starts without what it does not need."""

import subprocess
import sys

import pytest

from zapomni_core.code.parsing import worker as parser
from zapomni_core.documents import worker as reader
from zapomni_core.workers import launch


@pytest.mark.parametrize("module", [parser.__name__, reader.__name__])
def test_a_worker_loads_neither_the_engine_nor_the_database(module: str) -> None:
    program = (
        f"import sys, runpy; runpy.run_path({launch.__file__!r}, run_name='__main__'); "
        "print(*sys.modules, file=sys.stderr)"
    )
    ended = subprocess.run(
        [sys.executable, "-P", "-c", program, module],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=True,
    )

    loaded = set(ended.stderr.decode().split())
    assert module in loaded
    assert not loaded & {"asyncio", "numpy", "redis", "onnxruntime", "pydantic"}
    assert "zapomni_core.engine" not in loaded
