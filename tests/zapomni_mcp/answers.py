"""Read what a server answers and logs."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

from mcp.types import CallToolResult, TextContent


def text_of(result: CallToolResult) -> str:
    """Return the text of a tool's answer."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def refusal(result: CallToolResult) -> str:
    """Return why a call was refused."""
    assert result.is_error
    assert result.structured_content is None
    text = text_of(result)
    assert text.startswith("Error: ")
    return text


def structured(result: CallToolResult) -> dict[str, Any]:
    """Return the structured part of a successful answer."""
    assert not result.is_error, text_of(result)
    assert result.structured_content is not None
    content: dict[str, Any] = result.structured_content
    return content


def entries(log: StringIO) -> list[dict[str, Any]]:
    """Return every log line; each of them is JSON."""
    return [json.loads(line) for line in log.getvalue().splitlines()]


def logged(log: StringIO, event: str) -> dict[str, Any]:
    """Return the latest log line of a kind."""
    return [entry for entry in entries(log) if entry["event"] == event][-1]
