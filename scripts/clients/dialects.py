"""The streaming protocols of model providers, as far as a model that only calls tools needs them.

A name that a host offers a tool under begins with the host's own prefix and ends with ours.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

__all__ = ["DIALECTS", "Dialect"]

type Json = dict[str, Any]


def _stream(events: Iterable[Json]) -> bytes:
    lines = []
    for event in events:
        if "type" in event:
            lines.append(f"event: {event['type']}\n")
        lines.append(f"data: {json.dumps(event)}\n\n")
    return "".join(lines).encode()


class Dialect(ABC):
    """How one provider's clients ask a model, and what they understand."""

    path: str

    @abstractmethod
    def offered(self, request: Json) -> list[str]:
        """List the names of the tools that the model may call."""

    @abstractmethod
    def results(self, request: Json) -> list[str]:
        """List the results of the calls so far."""

    @abstractmethod
    def call(self, name: str, arguments: Json) -> bytes:
        """Ask for a call."""

    @abstractmethod
    def say(self, text: str) -> bytes:
        """Say something and end the turn."""


class Messages(Dialect):
    """Anthropic."""

    path = "/v1/messages"

    def offered(self, request: Json) -> list[str]:
        return [tool["name"] for tool in request.get("tools", [])]

    def results(self, request: Json) -> list[str]:
        contents = [message["content"] for message in request["messages"]]
        parts = [part for content in contents if isinstance(content, list) for part in content]
        return [json.dumps(part["content"]) for part in parts if part["type"] == "tool_result"]

    def call(self, name: str, arguments: Json) -> bytes:
        block = {"type": "tool_use", "id": f"call-{name}", "name": name, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(arguments)}
        return self._turn(block, delta, "tool_use")

    def say(self, text: str) -> bytes:
        delta = {"type": "text_delta", "text": text}
        return self._turn({"type": "text", "text": ""}, delta, "end_turn")

    def _turn(self, block: Json, delta: Json, stop_reason: str) -> bytes:
        usage = {"input_tokens": 1, "output_tokens": 1}
        head = {"id": "message", "type": "message", "role": "assistant", "model": "scripted"}
        open_end: Json = {
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": usage,
        }
        end = {"stop_reason": stop_reason, "stop_sequence": None}
        return _stream(
            [
                {"type": "message_start", "message": head | open_end},
                {"type": "content_block_start", "index": 0, "content_block": block},
                {"type": "content_block_delta", "index": 0, "delta": delta},
                {"type": "content_block_stop", "index": 0},
                {"type": "message_delta", "delta": end, "usage": usage},
                {"type": "message_stop"},
            ]
        )


class Responses(Dialect):
    """OpenAI's newer protocol, in which the tools of a server are a namespace."""

    path = "/v1/responses"

    def offered(self, request: Json) -> list[str]:
        return [
            f"{space['name']}/{tool['name']}"
            for space in request.get("tools", [])
            for tool in space.get("tools", [])
        ]

    def results(self, request: Json) -> list[str]:
        items = [item for item in request["input"] if item["type"] == "function_call_output"]
        return [json.dumps(item["output"]) for item in items]

    def call(self, name: str, arguments: Json) -> bytes:
        space, _, tool = name.partition("/")
        call = {"type": "function_call", "id": f"item-{tool}", "call_id": f"call-{tool}"}
        named = {"namespace": space, "name": tool, "arguments": json.dumps(arguments)}
        return self._turn(call | named)

    def say(self, text: str) -> bytes:
        content = [{"type": "output_text", "text": text}]
        return self._turn(
            {"type": "message", "id": "item", "role": "assistant", "content": content}
        )

    def _turn(self, item: Json) -> bytes:
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        return _stream(
            [
                {"type": "response.created", "response": {"id": "response"}},
                {"type": "response.output_item.done", "output_index": 0, "item": item},
                {"type": "response.completed", "response": {"id": "response", "usage": usage}},
            ]
        )


class ChatCompletions(Dialect):
    """OpenAI's older protocol, which many providers speak."""

    path = "/v1/chat/completions"

    def offered(self, request: Json) -> list[str]:
        return [tool["function"]["name"] for tool in request.get("tools", [])]

    def results(self, request: Json) -> list[str]:
        messages = [message for message in request["messages"] if message["role"] == "tool"]
        return [json.dumps(message["content"]) for message in messages]

    def call(self, name: str, arguments: Json) -> bytes:
        function = {"name": name, "arguments": json.dumps(arguments)}
        call = {"index": 0, "id": f"call-{name}", "type": "function", "function": function}
        return self._turn({"role": "assistant", "tool_calls": [call]}, "tool_calls")

    def say(self, text: str) -> bytes:
        return self._turn({"role": "assistant", "content": text}, "stop")

    def _turn(self, delta: Json, finish_reason: str) -> bytes:
        chunk = {"id": "chunk", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        choices = [
            {"index": 0, "delta": delta, "finish_reason": None},
            {"index": 0, "delta": {}, "finish_reason": finish_reason},
        ]
        return _stream(chunk | {"choices": [choice]} for choice in choices) + b"data: [DONE]\n\n"


class GenerateContent(Dialect):
    """Google."""

    path = ":streamGenerateContent"

    def offered(self, request: Json) -> list[str]:
        tools = [tool.get("functionDeclarations", []) for tool in request.get("tools", [])]
        return [function["name"] for functions in tools for function in functions]

    def results(self, request: Json) -> list[str]:
        parts = [part for content in request["contents"] for part in content["parts"]]
        answers = [part["functionResponse"] for part in parts if "functionResponse" in part]
        return [json.dumps(answer["response"]) for answer in answers]

    def call(self, name: str, arguments: Json) -> bytes:
        return self._turn({"functionCall": {"name": name, "args": arguments}})

    def say(self, text: str) -> bytes:
        return self._turn({"text": text})

    def _turn(self, part: Json) -> bytes:
        content = {"role": "model", "parts": [part]}
        usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
        candidate = {"content": content, "finishReason": "STOP", "index": 0}
        return _stream([{"candidates": [candidate], "usageMetadata": usage}])


DIALECTS: tuple[Dialect, ...] = (Messages(), Responses(), ChatCompletions(), GenerateContent())
