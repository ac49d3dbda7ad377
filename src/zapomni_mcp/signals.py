"""React to SIGINT and SIGTERM."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["signals_call"]


@contextmanager
def signals_call(handler: Callable[[], None]) -> Iterator[None]:
    """Have SIGINT and SIGTERM call the handler; elsewhere than in the main thread, leave them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop, signals = asyncio.get_running_loop(), (signal.SIGINT, signal.SIGTERM)
    for number in signals:
        loop.add_signal_handler(number, handler)
    try:
        yield
    finally:
        for number in signals:
            loop.remove_signal_handler(number)
