"""Embed with a local Ollama service."""

from __future__ import annotations

from collections.abc import Sequence

import httpx2
import numpy as np
import orjson

from zapomni_core.embedding.protocol import Role, Vectors
from zapomni_core.errors import EmbedderUnavailable

__all__ = ["OllamaEmbedder", "ollama_client"]

_BATCH = 32
_CONNECT_TIMEOUT_S = 5.0
_DEFAULT_PORT = 11434
_ANY_INTERFACE = "0.0.0.0"  # noqa: S104  (what a user writes, not what we bind to)
# Ollama tells nobody how it splits a text; three characters a token is on the safe side.
_CHARS_PER_TOKEN = 3
_MAX_TOKENS = 2048
# nomic-embed-text was trained with a word in front that says what the text is for.
_PREFIXES: dict[str, dict[Role, str]] = {
    "nomic-embed-text": {"passage": "search_document: ", "query": "search_query: "},
}


class OllamaEmbedder:
    """A model served by Ollama, through its batch endpoint."""

    def __init__(self, host: str, model: str, timeout_s: float = 60.0) -> None:
        self._model = model
        self._prefixes = _PREFIXES.get(model.partition(":")[0], {})
        self._dimension: int | None = None
        self._client = ollama_client(host, timeout_s)

    @property
    def model_id(self) -> str:
        """Name of the model, stamped in the store; `:latest` is what no tag means."""
        return f"ollama-{self._model.removesuffix(':latest')}"

    @property
    def max_tokens(self) -> int:
        """Longest text that the model reads whole, by estimate."""
        return _MAX_TOKENS

    async def dimension(self) -> int:
        """Return the length of the vectors, asking Ollama once."""
        if self._dimension is None:
            await self.embed(["dimension"], "passage")
        assert self._dimension is not None
        return self._dimension

    def count_tokens(self, text: str) -> int:
        """Estimate the tokens of a text."""
        return -(-len(text) // _CHARS_PER_TOKEN)

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """Return one unit vector per text."""
        prefix = self._prefixes.get(role, "")
        rows = [
            await self._embed_batch([prefix + text for text in texts[first : first + _BATCH]])
            for first in range(0, len(texts), _BATCH)
        ]
        vectors = np.concatenate(rows)
        self._dimension = vectors.shape[1]
        return vectors

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _embed_batch(self, texts: list[str]) -> Vectors:
        body = orjson.dumps({"model": self._model, "input": texts, "truncate": True})
        try:
            response = await self._client.post("/api/embed", content=body)
        except httpx2.TimeoutException as exc:
            raise EmbedderUnavailable(
                "Ollama did not answer in time; check it, or raise ZAPOMNI_OLLAMA_TIMEOUT_S."
            ) from exc
        except httpx2.HTTPError as exc:
            raise EmbedderUnavailable(
                "Ollama does not answer at OLLAMA_HOST; start it with `ollama serve`, or unset "
                "OLLAMA_HOST to use the built-in model."
            ) from exc
        return self._vectors(response, len(texts))

    def _vectors(self, response: httpx2.Response, expected: int) -> Vectors:
        if response.status_code == 404:
            raise EmbedderUnavailable(
                f"Ollama does not have the model {self._model!r}; run `ollama pull {self._model}`."
            )
        try:
            response.raise_for_status()
            vectors = np.asarray(orjson.loads(response.content)["embeddings"], np.float32)
        except (httpx2.HTTPStatusError, ValueError, KeyError, TypeError) as exc:
            raise EmbedderUnavailable(
                f"Ollama could not embed with the model {self._model!r} "
                f"(status {response.status_code}); is it an embedding model?"
            ) from exc
        return _unit(vectors, expected)


def ollama_client(host: str, timeout_s: float) -> httpx2.AsyncClient:
    """Return a client of the Ollama service at a host; no proxy ever sees what it sends."""
    return httpx2.AsyncClient(
        base_url=_base_url(host),
        timeout=httpx2.Timeout(timeout_s, connect=min(timeout_s, _CONNECT_TIMEOUT_S)),
        trust_env=False,
    )


def _unit(vectors: Vectors, expected: int) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True) if vectors.ndim == 2 else None
    if (
        lengths is None
        or len(vectors) != expected
        or not (np.isfinite(lengths) & (lengths > 0)).all()
    ):
        raise EmbedderUnavailable("Ollama answered with vectors that cannot be used.")
    return np.asarray(vectors / lengths, np.float32)


def _base_url(host: str) -> str:
    # The same reading of OLLAMA_HOST as Ollama's own command line.
    if "://" in host:
        return host.rstrip("/")
    name, _, port = host.rstrip("/").partition(":")
    return f"http://{'127.0.0.1' if name == _ANY_INTERFACE else name}:{port or _DEFAULT_PORT}"
