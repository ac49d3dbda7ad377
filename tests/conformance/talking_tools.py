"""Tools that talk to the client while they run: log messages, questions, changes to announce."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import mcp_types as types
from mcp.server.subscriptions import PromptsListChanged, SubscriptionBus, ToolsListChanged
from mcp.shared.message import ServerMessageMetadata

from tests.conformance.contents import text
from tests.conformance.interviews import INTERVIEWS, Context, Interview

__all__ = ["Answer", "TalkingTool", "talking_tools"]

type Answer = types.CallToolResult | types.InputRequiredResult
type Call = Callable[[Context, types.CallToolRequestParams], Awaitable[Answer]]

_OPTIONS = ["option1", "option2", "option3"]
_TITLED = [{"const": f"value{n}", "title": f"Choice {n}"} for n in (1, 2, 3)]
_CONTACT = {
    "type": "object",
    "properties": {"username": {"type": "string"}, "email": {"type": "string"}},
    "required": ["username", "email"],
}
_DEFAULTS = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {
            "type": "string",
            "enum": ["active", "inactive", "pending"],
            "default": "active",
        },
        "verified": {"type": "boolean", "default": True},
    },
}
_ENUMS = {
    "type": "object",
    "properties": {
        "untitledSingle": {"type": "string", "enum": _OPTIONS},
        "titledSingle": {"type": "string", "oneOf": _TITLED},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": _OPTIONS}},
        "titledMulti": {"type": "array", "items": {"anyOf": _TITLED}},
    },
}


@dataclass(frozen=True, slots=True)
class TalkingTool:
    """A tool that is handed the whole request, not only its arguments."""

    description: str
    call: Call
    properties: dict[str, Any] = field(default_factory=dict)

    def declaration(self, name: str) -> types.Tool:
        """Return what `tools/list` says of it."""
        schema = {
            "type": "object",
            "properties": self.properties,
            "required": list(self.properties),
        }
        return types.Tool(name=name, description=self.description, input_schema=schema)


def talking_tools(bus: SubscriptionBus) -> dict[str, TalkingTool]:
    """Return the tools that the scenarios call and that need a word with the client."""
    words = {"type": "string"}
    logging = TalkingTool("Send three log messages.", _log)
    return {
        "test_tool_with_logging": logging,
        "test_logging_tool": logging,
        "test_sampling": TalkingTool("Ask the client's model.", _sample, {"prompt": words}),
        "test_elicitation": TalkingTool(
            "Ask the user.", partial(_elicit, _CONTACT), {"message": words}
        ),
        "test_elicitation_sep1034_defaults": TalkingTool(
            "Ask the user with defaults.", partial(_elicit, _DEFAULTS)
        ),
        "test_elicitation_sep1330_enums": TalkingTool(
            "Ask the user to choose.", partial(_elicit, _ENUMS)
        ),
        "test_trigger_tool_change": TalkingTool(
            "Announce new tools.", partial(_announce, bus, ToolsListChanged())
        ),
        "test_trigger_prompt_change": TalkingTool(
            "Announce new prompts.", partial(_announce, bus, PromptsListChanged())
        ),
    } | {
        name: TalkingTool("Ask the client.", partial(_interview, interview))
        for name, interview in INTERVIEWS.items()
    }


def _done(words: str) -> types.CallToolResult:
    return types.CallToolResult(content=[text(words)])


async def _log(context: Context, _params: types.CallToolRequestParams) -> Answer:
    for step in ("started", "working", "finished"):
        await context.session.send_log_message(
            "info", f"Tool {step}", related_request_id=context.request_id
        )
        await asyncio.sleep(0.05)  # the scenario wants messages that arrive one by one
    return _done("Logged")


async def _sample(context: Context, params: types.CallToolRequestParams) -> Answer:
    prompt = types.TextContent(text=str((params.arguments or {})["prompt"]))
    request = types.CreateMessageRequest(
        params=types.CreateMessageRequestParams(
            messages=[types.SamplingMessage(role="user", content=prompt)], max_tokens=100
        )
    )
    answer = await context.session.send_request(
        request,
        types.CreateMessageResult,
        metadata=ServerMessageMetadata(related_request_id=context.request_id),
    )
    return _done(f"The model said: {answer.content}")


async def _elicit(
    schema: dict[str, Any], context: Context, params: types.CallToolRequestParams
) -> Answer:
    message = str((params.arguments or {}).get("message", "Please fill this in"))
    answer = await context.session.elicit_form(message, schema, context.request_id)
    return _done(f"The user chose to {answer.action}: {answer.content}")


async def _announce(
    bus: SubscriptionBus,
    change: ToolsListChanged | PromptsListChanged,
    _context: Context,
    _params: types.CallToolRequestParams,
) -> Answer:
    await bus.publish(change)
    return _done("Announced")


async def _interview(
    interview: Interview, context: Context, params: types.CallToolRequestParams
) -> Answer:
    return interview.open_questions(context, params) or _done("All answered: state-ok")
