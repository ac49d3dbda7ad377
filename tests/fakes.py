"""Stand-ins for what a test machine does not have, or what is too quick to be watched."""

from __future__ import annotations

import json
import threading
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

import anyio
import numpy as np

from zapomni_core.embedding import Role, Vectors

type Behaviour = Literal["normal", "no_model", "garbage", "wrong_count", "silent", "zero"]

type Chat = Literal[
    "normal",
    "broken",
    "cannot_chat",
    "cut_off",
    "garbage",
    "not_json",
    "other_form",
    "redirected",
    "silent",
    "trickling",
]
type Answer = tuple[int, bytes]

DIMENSION = 48
LANGUAGE_MODEL = "llama3.2"
EMBEDDING_MODEL = "nomic-embed-text"
_NO_MODEL = 404, b'{"error": "model not found, try pulling it first"}'
_WRONG_SERVICE = 200, b"<html>the wrong service</html>"
_TRICKLE = 0, b""
_FAILED_CHATS: dict[Chat, Answer] = {
    "broken": (500, b'{"error": "llama runner process has terminated"}'),
    "cannot_chat": (400, b'{"error": "this model does not support chat"}'),
    "garbage": _WRONG_SERVICE,
    "redirected": (307, b""),
    "trickling": _TRICKLE,
}


class FakeOllama:
    """Embeds with a bag of hashed words and says `facts` in a chat, or misbehaves as told.

    `chats` is how the next chats go; those after them go like `chat`.
    """

    def __init__(self, port: int) -> None:
        self.host = f"http://127.0.0.1:{port}"
        self.behaviour: Behaviour = "normal"
        self.requests: list[dict[str, Any]] = []
        self.models = [f"{LANGUAGE_MODEL}:latest", "qwen3:4b", f"{EMBEDDING_MODEL}:latest"]
        self.facts: list[tuple[str, str, str]] = []
        self.chat: Chat = "normal"
        self.chats: list[Chat] = []
        self.questions: list[dict[str, Any]] = []
        self.elsewhere = ""
        self.ended = threading.Event()

    def tags(self) -> Answer:
        """Return status and body of the list of models."""
        match self.chat:
            case "garbage":
                return _WRONG_SERVICE
            case "broken":
                return 500, b"{}"
            case "silent":
                self.ended.wait()
        return 200, json.dumps({"models": [{"name": name} for name in self.models]}).encode()

    def say(self, question: dict[str, Any]) -> Answer:
        """Return status and body of a chat."""
        self.questions.append(question)
        if not {question["model"], f"{question['model']}:latest"} & set(self.models):
            return _NO_MODEL
        how = self.next_chat()
        if how == "silent":
            self.ended.wait()
        if how in _FAILED_CHATS:
            return _FAILED_CHATS[how]
        said = json.dumps({"facts": [_fact(*fact) for fact in self.facts]})
        match how:
            case "cut_off":
                said = said[:-1]
            case "not_json":
                said = "Sure! Here are the facts you asked for."
            case "other_form":
                said = json.dumps({"triples": self.facts})
        return 200, json.dumps({"message": {"role": "assistant", "content": said}}).encode()

    def next_chat(self) -> Chat:
        """Return how the next chat goes."""
        return self.chats.pop(0) if self.chats else self.chat

    def answer(self, request: dict[str, Any]) -> Answer:
        """Return status and body of an embedding."""
        self.requests.append(request)
        texts = request["input"]
        match self.behaviour:
            case "no_model":
                return _NO_MODEL
            case "garbage":
                return _WRONG_SERVICE
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
        def do_GET(self) -> None:
            self.respond(fake.tags() if self.path == "/api/tags" else (404, b"{}"))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            answers = {"/api/embed": fake.answer, "/api/chat": fake.say}
            answer = answers.get(self.path, _not_found)
            self.respond(answer(json.loads(body)))

        def respond(self, answer: Answer) -> None:
            with suppress(OSError):  # the client gave up, which some tests are about
                self.trickle() if answer == _TRICKLE else self.send(*answer)

        def send(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Location", f"{fake.elsewhere}{self.path}")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def trickle(self) -> None:
            """Send a byte now and then, and never the last one."""
            self.send_response(200)
            self.send_header("Content-Length", "1000000")
            self.end_headers()
            while not fake.ended.wait(0.01):
                self.wfile.write(b" ")

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


def _not_found(_request: dict[str, Any]) -> Answer:
    return 404, b"{}"


def _fact(subject: str, relation: str, target: str) -> dict[str, str]:
    return {"subject": subject, "relation": relation, "object": target}


def _embeddings(texts: list[str]) -> tuple[int, bytes]:
    return 200, json.dumps({"embeddings": [_bag_of_words(text) for text in texts]}).encode()


def _bag_of_words(text: str) -> list[float]:
    vector = [0.01] * DIMENSION
    for word in text.lower().split():
        vector[zlib.crc32(word.encode()) % DIMENSION] += 1.0
    return vector
