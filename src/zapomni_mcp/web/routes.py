"""Serve the page so that nothing but its own files can run in it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from zapomni_mcp.web.files import PageFile, page_files

__all__ = ["page_paths", "page_routes"]

_FOLDER = "/page/"
_INDEX = "index.html"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; form-action 'none'; "
    # Memories are hostile: no string becomes HTML or a script, whatever a mistake of ours.
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-cache",  # ask whether it is still the same: the answer is an ETag
}


def page_routes() -> list[Route]:
    """Return a route for each file; there is no path that a request could wander off on."""
    return [Route(_path(file), _served(file), methods=["GET"]) for file in page_files()]


def page_paths() -> frozenset[str]:
    """Name the paths that anybody may see: what they show is the same everywhere."""
    return frozenset(map(_path, page_files()))


def _path(file: PageFile) -> str:
    return "/" if file.name == _INDEX else f"{_FOLDER}{file.name}"


def _served(file: PageFile) -> Callable[[Request], Awaitable[Response]]:
    headers = _HEADERS | {"ETag": file.etag}

    async def serve(request: Request) -> Response:
        if file.etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(file.content, headers=headers, media_type=file.media_type)

    return serve
