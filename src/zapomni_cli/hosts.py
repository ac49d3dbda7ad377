"""Work for a program that waits: never too long, never loud, never a failure."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

__all__ = ["hook_input", "quietly"]

_LONGEST_INPUT = 1_000_000


def quietly(work: Callable[[], None], limit_s: float) -> NoReturn:
    """Do the work, at most this long, and end the process as if all had gone well."""
    timer = threading.Timer(limit_s, os._exit, (0,))
    timer.daemon = True
    timer.start()
    try:
        work()
        sys.stdout.flush()
    finally:
        # At once, whatever was raised: what is stored is durable, and the host waits.
        os._exit(0)


def hook_input() -> Mapping[str, Any]:
    """Read what the host says about the session; nothing if it says nothing usable."""
    if sys.stdin.isatty():
        return {}
    try:
        told = json.loads(sys.stdin.read(_LONGEST_INPUT))
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}
