"""Everything that the conformance scenarios expect of a server, added to one of ours."""

from __future__ import annotations

import mcp_types as types
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler

from tests.conformance.interviews import Context
from tests.conformance.plain_tools import plain_tools
from tests.conformance.prompts import add_prompts
from tests.conformance.resources import add_resources
from tests.conformance.talking_tools import Answer, TalkingTool, talking_tools
from zapomni_mcp import MCPServer

__all__ = ["add_fixtures"]


def add_fixtures(server: MCPServer) -> None:
    """Give a server what the scenarios call; its own tools stay."""
    bus = InMemorySubscriptionBus()
    sdk = server.sdk_server
    for tool in plain_tools(server.core_engine):
        server.register_tool(tool)
    _add_talking_tools(server, talking_tools(bus))
    add_resources(sdk)
    add_prompts(sdk)
    sdk.add_request_handler("logging/setLevel", types.SetLevelRequestParams, _set_level)
    sdk.add_request_handler(
        "subscriptions/listen", types.SubscriptionsListenRequestParams, ListenHandler(bus)
    )
    sdk.middleware.append(
        RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience=sdk.name)
    )


def _add_talking_tools(server: MCPServer, tools: dict[str, TalkingTool]) -> None:
    """Answer calls of these tools here, and leave all others to the server's own handlers."""
    sdk = server.sdk_server
    own_list, own_call = (
        sdk.get_request_handler("tools/list"),
        sdk.get_request_handler("tools/call"),
    )
    assert own_list is not None
    assert own_call is not None

    async def list_tools(
        context: Context, params: types.PaginatedRequestParams
    ) -> types.ListToolsResult:
        own = await own_list.handler(context, params)
        assert isinstance(own, types.ListToolsResult)
        added = [tool.declaration(name) for name, tool in tools.items()]
        return own.model_copy(update={"tools": [*own.tools, *added]})

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> Answer:
        if params.name in tools:
            return await tools[params.name].call(context, params)
        answer = await own_call.handler(context, params)
        assert isinstance(answer, types.CallToolResult)
        return answer

    sdk.add_request_handler("tools/list", types.PaginatedRequestParams, list_tools)
    sdk.add_request_handler("tools/call", types.CallToolRequestParams, call_tool)


async def _set_level(_: Context, _params: types.SetLevelRequestParams) -> types.EmptyResult:
    return types.EmptyResult()
