"""A language model that follows a script, so that a host can be watched calling our tools."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from scripts.clients.dialects import DIALECTS

__all__ = ["ScriptedModel", "ToolCall", "scripted_model"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that the model will ask its host for."""

    tool: str
    arguments: dict[str, Any]


class ScriptedModel:
    """Asks for the calls of its script one after the other, whatever it is told."""

    def __init__(self, port: int, script: Sequence[ToolCall]) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self._script = script
        self.results: list[str] = []
        self._requests: list[str] = []

    def was_told(self, text: str) -> bool:
        """Tell whether a text was in anything that the host has sent."""
        return any(text in request for request in self._requests)

    def answer(self, path: str, request: dict[str, Any]) -> bytes | None:
        """Return the answer to a host's request, nothing if it is not for a model."""
        dialect = next((d for d in DIALECTS if d.path in path), None)
        if dialect is None:
            return None
        self._requests.append(json.dumps(request, ensure_ascii=False))
        results = dialect.results(request)
        if len(results) > len(self.results):
            self.results = results
        offered = dialect.offered(request)
        if len(results) < len(self._script):
            call = self._script[len(results)]
            name = next((name for name in offered if name.endswith(call.tool)), None)
            # Hosts also ask for things like a title, and offer no tools with that.
            if name is not None:
                return dialect.call(name, call.arguments)
        return dialect.say("Done.")


@contextmanager
def scripted_model(script: Sequence[ToolCall]) -> Iterator[ScriptedModel]:
    """Serve a model on a free loopback port until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            answer = model.answer(self.path, json.loads(body))
            self.send_response(404 if answer is None else 200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Content-Length", str(len(answer or b"")))
            self.end_headers()
            self.wfile.write(answer or b"")

        def log_message(self, *_: object) -> None:
            """Stay quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        model = ScriptedModel(server.server_port, script)
        serving = threading.Thread(target=server.serve_forever, args=(0.05,))
        serving.start()
        try:
            yield model
        finally:
            server.shutdown()
            serving.join()
