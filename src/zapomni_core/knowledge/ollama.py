"""The service that runs language models on the machine of whoever asks."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
import orjson
import pydantic

from zapomni_core.embedding.ollama import ollama_client
from zapomni_core.errors import LanguageModelUnavailable, ValidationError

__all__ = ["Ollama"]

_MODEL = re.compile(r"[\w./:@-]{1,200}")
_SERVE = "start it with `ollama serve`, or turn the language model off with set_model"


class _Message(pydantic.BaseModel):
    content: str


class _Answer(pydantic.BaseModel):
    message: _Message


class _Model(pydantic.BaseModel):
    name: str


class _Models(pydantic.BaseModel):
    models: list[_Model]


class Ollama:
    """The service at OLLAMA_HOST; a text goes nowhere else. It is closed by who opened it."""

    def __init__(self, host: str, timeout_s: float) -> None:
        self._client = ollama_client(host, timeout_s)
        self._timeout_s = timeout_s

    async def check(self, model: str) -> None:
        """Refuse a model that it does not have."""
        if not _MODEL.fullmatch(model):
            raise ValidationError("model", "must be a name of Ollama, such as llama3.2:3b")
        with _explained():
            response = await self._request("GET", "/api/tags")
            response.raise_for_status()
            models = [each.name for each in _Models.model_validate_json(response.content).models]
        if not {model, f"{model}:latest"} & set(models):
            has = f"it has {', '.join(sorted(models))}" if models else "it has none yet"
            raise ValidationError(
                "model", f"is not among those of Ollama ({has}); run `ollama pull {model}`"
            )

    async def chat(self, model: str, body: dict[str, object]) -> str:
        """Return what a model answers."""
        with _explained():
            response = await self._request("POST", "/api/chat", {"model": model, **body})
            if response.status_code == 404:
                raise LanguageModelUnavailable(
                    f"Ollama does not have the model {model!r}; run `ollama pull {model}`."
                )
            if response.status_code == 400:
                raise LanguageModelUnavailable(
                    f"Ollama cannot chat with the model {model!r}; is it a language model?"
                )
            response.raise_for_status()
            return _Answer.model_validate_json(response.content).message.content

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _request(
        self, method: str, path: str, body: dict[str, object] | None = None
    ) -> httpx2.Response:
        content = None if body is None else orjson.dumps(body)
        # The client counts the time between two bytes only.
        async with asyncio.timeout(self._timeout_s):
            return await self._client.request(method, path, content=content)


@contextmanager
def _explained() -> Iterator[None]:
    # Nothing is chained that could show what was sent or answered.
    try:
        yield
    except (TimeoutError, httpx2.TimeoutException):
        raise LanguageModelUnavailable(
            "Ollama did not answer in time; check it, or raise ZAPOMNI_OLLAMA_TIMEOUT_S."
        ) from None
    except httpx2.HTTPStatusError as exc:
        raise LanguageModelUnavailable(
            f"Ollama failed (status {exc.response.status_code}); its own log says why."
        ) from None
    except httpx2.HTTPError:
        raise LanguageModelUnavailable(
            f"Ollama does not answer at OLLAMA_HOST; {_SERVE}."
        ) from None
    except pydantic.ValidationError:
        raise LanguageModelUnavailable(
            "What answers at OLLAMA_HOST does not speak like Ollama; check the address."
        ) from None
