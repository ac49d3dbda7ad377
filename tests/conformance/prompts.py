"""Prompts that the scenarios list, get and complete."""

from __future__ import annotations

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from tests.conformance.contents import embedded, image, text
from tests.conformance.interviews import PROMPT_INTERVIEW, Context

__all__ = ["add_prompts"]

_ARGUMENTS = {
    "test_simple_prompt": (),
    "test_prompt_with_arguments": ("arg1", "arg2"),
    "test_prompt_with_embedded_resource": ("resourceUri",),
    "test_prompt_with_image": (),
    "test_input_required_result_prompt": (),
}


def add_prompts(server: Server[object]) -> None:
    """Have a server answer everything about prompts."""
    server.add_request_handler("prompts/list", types.PaginatedRequestParams, _list)
    server.add_request_handler("prompts/get", types.GetPromptRequestParams, _get)
    server.add_request_handler("completion/complete", types.CompleteRequestParams, _complete)


async def _list(_: Context, _params: types.PaginatedRequestParams) -> types.ListPromptsResult:
    return types.ListPromptsResult(
        prompts=[
            types.Prompt(
                name=name,
                description="A fixture",
                arguments=[types.PromptArgument(name=each, required=True) for each in arguments],
            )
            for name, arguments in _ARGUMENTS.items()
        ]
    )


async def _get(
    context: Context, params: types.GetPromptRequestParams
) -> types.GetPromptResult | types.InputRequiredResult:
    if params.name == "test_input_required_result_prompt":
        questions = PROMPT_INTERVIEW.open_questions(context, params)
        return questions or _result(text("The context is known"))
    return _result(*_contents(params.name, params.arguments or {}))


def _contents(name: str, arguments: dict[str, str]) -> tuple[types.ContentBlock, ...]:
    match name:
        case "test_simple_prompt":
            return (text("A prompt without arguments"),)
        case "test_prompt_with_arguments":
            return (text(f"First {arguments['arg1']}, then {arguments['arg2']}"),)
        case "test_prompt_with_embedded_resource":
            return embedded(arguments["resourceUri"], "A resource to read"), text("Read this.")
        case "test_prompt_with_image":
            return image(), text("Look at this.")
    raise MCPError(types.INVALID_PARAMS, f"There is no prompt {name}")


def _result(*contents: types.ContentBlock) -> types.GetPromptResult:
    return types.GetPromptResult(
        messages=[types.PromptMessage(role="user", content=content) for content in contents]
    )


async def _complete(_: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
    words = [word for word in ("paris", "park", "party") if word.startswith(params.argument.value)]
    return types.CompleteResult(completion=types.Completion(values=words, total=len(words)))
