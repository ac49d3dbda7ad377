"""Questions to the client inside an answer, as the stateless protocol of 2026-07-28 asks them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError

__all__ = ["INTERVIEWS", "PROMPT_INTERVIEW", "Context", "Interview", "form"]

type Context = ServerRequestContext[Any, Any]

_CAPABILITIES = {
    "elicitation/create": "elicitation",
    "sampling/createMessage": "sampling",
    "roots/list": "roots",
}


@dataclass(frozen=True, slots=True)
class Interview:
    """Rounds of questions; the state, where it is kept, is the number of the round."""

    rounds: tuple[types.InputRequests, ...]
    keeps_state: bool = False

    def open_questions(
        self, context: Context, params: types.InputResponseRequestParams
    ) -> types.InputRequiredResult | None:
        """Return what the client has yet to answer, nothing when the interview is over."""
        current = int(params.request_state or 0)
        questions = _answerable(self.rounds[current], context)
        if questions.keys() <= (params.input_responses or {}).keys():
            current += 1
            if current == len(self.rounds):
                return None
            questions = _answerable(self.rounds[current], context)
        state = str(current) if self.keeps_state else None
        return types.InputRequiredResult(input_requests=questions, request_state=state)


def _answerable(questions: types.InputRequests, context: Context) -> types.InputRequests:
    """Leave out what the client cannot answer; refuse when nothing would be left."""
    declared = context.session.client_capabilities
    needed = {key: _CAPABILITIES[question.method] for key, question in questions.items()}
    able = {key for key, name in needed.items() if getattr(declared, name, None) is not None}
    if not able:
        missing: dict[str, object] = {name: {} for name in needed.values()}
        raise MCPError(
            types.MISSING_REQUIRED_CLIENT_CAPABILITY,
            "The client lacks a capability",
            {"requiredCapabilities": missing},
        )
    return {key: question for key, question in questions.items() if key in able}


def form(message: str, field: str, kind: str = "string") -> types.ElicitRequest:
    """Return a question with one field to fill in."""
    schema = {"type": "object", "properties": {field: {"type": kind}}, "required": [field]}
    return types.ElicitRequest(
        params=types.ElicitRequestFormParams(message=message, requested_schema=schema)
    )


def _sampling(words: str) -> types.CreateMessageRequest:
    message = types.SamplingMessage(role="user", content=types.TextContent(text=words))
    return types.CreateMessageRequest(
        params=types.CreateMessageRequestParams(messages=[message], max_tokens=100)
    )


_NAME = form("What is your name?", "name")
_CONFIRM = form("Do you agree?", "ok", "boolean")
_CAPITAL = _sampling("What is the capital of France?")

INTERVIEWS = {
    "test_input_required_result_elicitation": Interview(({"user_name": _NAME},)),
    "test_input_required_result_sampling": Interview(({"capital_question": _CAPITAL},)),
    "test_input_required_result_list_roots": Interview(
        ({"client_roots": types.ListRootsRequest()},)
    ),
    "test_input_required_result_request_state": Interview(
        ({"confirm": _CONFIRM},), keeps_state=True
    ),
    "test_input_required_result_tampered_state": Interview(
        ({"confirm": _CONFIRM},), keeps_state=True
    ),
    "test_input_required_result_multiple_inputs": Interview(
        (
            {
                "user_name": _NAME,
                "greeting": _sampling("Say hello"),
                "client_roots": types.ListRootsRequest(),
            },
        ),
        keeps_state=True,
    ),
    "test_input_required_result_multi_round": Interview(
        ({"step1": _NAME}, {"step2": form("Which colour do you like?", "color")}),
        keeps_state=True,
    ),
    "test_input_required_result_capabilities": Interview(
        ({"user_name": _NAME, "capital_question": _CAPITAL},)
    ),
    "test_missing_capability": Interview(({"capital_question": _CAPITAL},)),
    "test_streaming_elicitation": Interview(({"user_name": _NAME},)),
}
PROMPT_INTERVIEW = Interview(({"user_context": form("About what?", "context")},))
