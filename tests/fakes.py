"""Stand-ins for what a test machine does not have, or what is too quick to be watched."""

from __future__ import annotations

import json
import threading
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

import anyio
import numpy as np

from zapomni_core.embedding import Role, Vectors

type Behaviour = Literal["normal", "no_model", "garbage", "wrong_count", "silent", "zero"]

DIMENSION = 48


class FakeOllama:
    """Answers `/api/embed` with a bag of hashed words, or misbehaves as told."""

    def __init__(self, port: int) -> None:
        self.host = f"http://127.0.0.1:{port}"
        self.behaviour: Behaviour = "normal"
        self.requests: list[dict[str, Any]] = []
        self.ended = threading.Event()

    def answer(self, request: dict[str, Any]) -> tuple[int, bytes]:
        """Return status and body."""
        self.requests.append(request)
        texts = request["input"]
        match self.behaviour:
            case "no_model":
                return 404, b'{"error": "model not found, try pulling it first"}'
            case "garbage":
                return 200, b"<html>the wrong service</html>"
            case "wrong_count":
                return _embeddings([*texts, "one more"])
            case "zero":
                return 200, json.dumps({"embeddings": [[0.0] * DIMENSION for _ in texts]}).encode()
            case "silent":
                self.ended.wait()
        return _embeddings(texts)


class CountingEmbedder:
    """Embeds by hashing words, writes down what it was asked, and waits if told to."""

    model_id = "counting"
    max_tokens = 512

    def __init__(self) -> None:
        self.batches: list[tuple[list[str], Role]] = []
        self.allowed = anyio.Event()
        self.allowed.set()
        self.is_closed = False

    async def dimension(self) -> int:
        """Return the length of the vectors."""
        return DIMENSION

    def count_tokens(self, text: str) -> int:
        """Count words."""
        return len(text.split())

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """Return one row per text and role."""
        self.batches.append((list(texts), role))
        await self.allowed.wait()
        return np.array([_bag_of_words(f"{role} {text}") for text in texts], np.float32)

    async def close(self) -> None:
        """Note that it was closed."""
        self.is_closed = True


@contextmanager
def fake_ollama() -> Iterator[FakeOllama]:
    """Serve a fake Ollama until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            is_embed = self.path == "/api/embed"
            status, answer = fake.answer(json.loads(body)) if is_embed else (404, b"{}")
            try:
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)
            except OSError:
                pass  # the client gave up, which some tests are about

        def log_message(self, *_: object) -> None:
            """Stay quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        fake = FakeOllama(server.server_port)
        serving = threading.Thread(target=server.serve_forever, args=(0.01,))
        serving.start()
        try:
            yield fake
        finally:
            fake.ended.set()
            server.shutdown()
            serving.join()


def _embeddings(texts: list[str]) -> tuple[int, bytes]:
    return 200, json.dumps({"embeddings": [_bag_of_words(text) for text in texts]}).encode()


def _bag_of_words(text: str) -> list[float]:
    vector = [0.01] * DIMENSION
    for word in text.lower().split():
        vector[zlib.crc32(word.encode()) % DIMENSION] += 1.0
    return vector
