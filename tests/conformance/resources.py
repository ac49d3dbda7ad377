"""Resources that the scenarios list, read and subscribe to."""

from __future__ import annotations

import json
import re

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from tests.conformance.contents import PICTURE
from tests.conformance.interviews import Context

__all__ = ["add_resources"]

_CONTENTS: dict[str, types.TextResourceContents | types.BlobResourceContents] = {
    "test://static-text": types.TextResourceContents(
        uri="test://static-text", mime_type="text/plain", text="A text that never changes"
    ),
    "test://static-binary": types.BlobResourceContents(
        uri="test://static-binary", mime_type="image/png", blob=PICTURE
    ),
    "test://watched-resource": types.TextResourceContents(
        uri="test://watched-resource", mime_type="text/plain", text="A text to subscribe to"
    ),
}
_TEMPLATE = "test://template/{id}/data"


def add_resources(server: Server[object]) -> None:
    """Have a server answer everything about resources."""
    server.add_request_handler("resources/list", types.PaginatedRequestParams, _list)
    server.add_request_handler(
        "resources/templates/list", types.PaginatedRequestParams, _list_templates
    )
    server.add_request_handler("resources/read", types.ReadResourceRequestParams, _read)
    server.add_request_handler("resources/subscribe", types.SubscribeRequestParams, _accept)
    server.add_request_handler("resources/unsubscribe", types.UnsubscribeRequestParams, _accept)


async def _list(_: Context, _params: types.PaginatedRequestParams) -> types.ListResourcesResult:
    return types.ListResourcesResult(
        resources=[
            types.Resource(uri=uri, name=uri, description="A fixture", mime_type=item.mime_type)
            for uri, item in _CONTENTS.items()
        ]
    )


async def _list_templates(
    _: Context, _params: types.PaginatedRequestParams
) -> types.ListResourceTemplatesResult:
    template = types.ResourceTemplate(
        uri_template=_TEMPLATE, name="data", description="Data by id", mime_type="application/json"
    )
    return types.ListResourceTemplatesResult(resource_templates=[template])


async def _read(_: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
    return types.ReadResourceResult(contents=[_CONTENTS.get(params.uri) or _from_template(params)])


def _from_template(params: types.ReadResourceRequestParams) -> types.TextResourceContents:
    match = re.fullmatch(_TEMPLATE.replace("{id}", "([^/]+)"), params.uri)
    if match is None:
        raise MCPError(types.INVALID_PARAMS, "Resource not found", {"uri": params.uri})
    return types.TextResourceContents(
        uri=params.uri, mime_type="application/json", text=json.dumps({"id": match[1]})
    )


async def _accept(
    _: Context, _params: types.SubscribeRequestParams | types.UnsubscribeRequestParams
) -> types.EmptyResult:
    return types.EmptyResult()
