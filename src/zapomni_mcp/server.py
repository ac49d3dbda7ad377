"""The MCP server: tools in front of one memory engine."""

from __future__ import annotations

import asyncio
import sys
import time
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, NoReturn

import mcp_types as types
import structlog
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from structlog.contextvars import bound_contextvars

from zapomni_core import MemoryEngine, Settings, ZapomniError
from zapomni_mcp.activity import busy
from zapomni_mcp.errors import failure_of
from zapomni_mcp.instructions import INSTRUCTIONS
from zapomni_mcp.process import run_process
from zapomni_mcp.roots import folders_of
from zapomni_mcp.sessions import Session, Sessions
from zapomni_mcp.signals import signals_call
from zapomni_mcp.stdio import StdioTransport, check_stdio
from zapomni_mcp.tools import (
    TOOLS,
    AddDocumentTool,
    IndexCodebaseTool,
    MCPTool,
    Progress,
    Tool,
    ToolResult,
    error_result,
)

__all__ = ["MCPServer", "ServerStats", "complete_server", "serve_stdio"]

type CallObserver = Callable[[str, bool, float], None]

# A signal lets requests in flight finish for this long; the whole exit must stay under 2 s.
_GRACE_S = 1.0


@dataclass(frozen=True, slots=True)
class ServerStats:
    """Counters of a server since it was started."""

    running: bool
    total_requests: int
    total_errors: int
    uptime_seconds: float


class MCPServer:
    """Serves registered tools over standard input and output."""

    def __init__(self, core_engine: MemoryEngine, config: Settings | None = None) -> None:
        self._core_engine = core_engine
        self._config = config or core_engine.settings
        self._logger = structlog.get_logger()
        self._tools: dict[str, MCPTool] = {}
        self._running = False
        self._start_time = 0.0
        self._request_count = 0
        self._error_count = 0
        self._stop: asyncio.Event | None = None
        # The client of standard input is the user's own program; one of HTTP may be anybody.
        self._trusts_client = False
        self._observers: list[CallObserver] = []
        self._sessions = Sessions()
        self._warm_up: asyncio.Task[None] | None = None
        self._server: Server[Any] = Server(
            "zapomni",
            version=version("zapomni"),
            title="Zapomni",
            description="Private long-term memory on the user's own machine",
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            get_tool_input_schema=self._input_schema,
        )

    @property
    def core_engine(self) -> MemoryEngine:
        """The engine behind the tools."""
        return self._core_engine

    @property
    def sdk_server(self) -> Server[Any]:
        """The SDK's server, for transports and in-memory clients."""
        return self._server

    def register_tool(self, tool: MCPTool) -> None:
        """Make a tool available; its name must be new."""
        if tool.name in self._tools:
            raise ValueError(f"Tool {tool.name!r} is already registered")
        self._tools[tool.name] = tool

    def register_all_tools(self) -> None:
        """Make every tool of Zapomni available."""
        for tool_class in TOOLS:
            self.register_tool(tool_class(self._core_engine))

    def observe_calls(self, observe: CallObserver) -> None:
        """Have somebody told of every tool call: its name, whether it failed, its seconds."""
        self._observers.append(observe)

    def get_stats(self) -> ServerStats:
        """Return the counters."""
        uptime = time.time() - self._start_time if self._running else 0.0
        return ServerStats(self._running, self._request_count, self._error_count, uptime)

    async def run(self) -> None:
        """Serve standard input until it ends, a signal arrives or `shutdown` is called."""
        if self._running:
            raise RuntimeError("Server is already running")
        if not self._tools:
            raise ValueError(
                "Cannot start server with zero tools registered. "
                "Call register_all_tools() or register_tool() first."
            )
        check_stdio()
        self._running, self._start_time = True, time.time()
        self._trusts_client = True
        self._stop = asyncio.Event()
        self.announce("stdio")
        try:
            with signals_call(self.shutdown):
                await self._serve(self._stop)
        finally:
            uptime = time.time() - self._start_time
            await self._end_warm_up()
            self.shutdown()
            with suppress(OSError, ValueError):
                sys.stdout.flush()
                sys.stdin.close()
            self._logger.info(
                "server_stopped",
                total_requests=self._request_count,
                total_errors=self._error_count,
                uptime_seconds=round(uptime, 3),
            )

    def announce(self, transport: str) -> None:
        """Log what is about to be served, and with which settings."""
        self._logger.info(
            "server_starting",
            tools=list(self._tools),
            tool_count=len(self._tools),
            transport=transport,
            config=self._config.without_secrets(),
        )

    def shutdown(self) -> None:
        """Ask a running server to finish; safe to call at any time and more than once."""
        self._running = False
        if self._stop is not None:
            self._stop.set()

    async def _serve(self, stop: asyncio.Event) -> None:
        transport = StdioTransport()
        async with transport.open() as (incoming, outgoing):
            options = self._server.create_initialization_options()
            serving = asyncio.create_task(self._server.run(incoming, outgoing, options))
            stopping = asyncio.create_task(stop.wait())
            await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if serving.done():
                self._logger.info("stdin_ended")
            else:
                self._logger.info("shutdown_requested")
                transport.close_input()
                await asyncio.wait({serving}, timeout=_GRACE_S)
            for task in (serving, stopping):
                task.cancel()
            await asyncio.gather(serving, stopping, return_exceptions=True)
            self._raise_unless_client_left(serving, transport)

    def _raise_unless_client_left(
        self, serving: asyncio.Task[None], transport: StdioTransport
    ) -> None:
        error = None if serving.cancelled() else serving.exception()
        if transport.is_broken:
            self._error_count += 1
            self._logger.warning("client_closed_stdout")
        elif error is not None:
            self._error_count += 1
            self._logger.critical("server_error", error_type=type(error).__name__, exc_info=error)
            raise error

    async def _list_tools(
        self,
        _context: ServerRequestContext[Any, Any],
        _params: types.PaginatedRequestParams | None,
    ) -> types.ListToolsResult:
        self._start_warm_up()
        return types.ListToolsResult(tools=[_declaration(tool) for tool in self._tools.values()])

    async def _call_tool(
        self, context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        arguments, session = dict(params.arguments or {}), self._sessions.of(context.session)
        tool = self._tools.get(params.name)
        if self._trusts_client and isinstance(tool, AddDocumentTool | IndexCodebaseTool):
            with suppress(ZapomniError):  # the call itself says what is wrong
                folders = await folders_of(context.session)
                engine = tool.engine_for(arguments, session)
                await engine.allow_code(folders, is_lasting=False)
        answer = await self._handle_request(
            params.name, arguments, context.session.report_progress, session
        )
        return types.CallToolResult.model_validate(answer)

    async def _handle_request(
        self,
        name: str,
        arguments: dict[str, Any],
        progress: Progress | None = None,
        session: Session | None = None,
    ) -> ToolResult:
        """Answer one tool call within the time limit and count it."""
        self._request_count += 1
        with bound_contextvars(correlation_id=uuid.uuid4().hex, tool=name), busy():
            started = time.perf_counter()
            answer = await self._answer(name, arguments, progress, session)
            self._count(name, bool(answer["isError"]), time.perf_counter() - started)
            return answer

    def _count(self, name: str, is_error: bool, seconds: float) -> None:
        self._error_count += is_error
        for observe in self._observers:
            observe(name if name in self._tools else "unknown", is_error, seconds)
        self._logger.info(
            "request_processed", duration_ms=round(seconds * 1000, 1), is_error=is_error
        )

    async def _answer(
        self,
        name: str,
        arguments: dict[str, Any],
        progress: Progress | None,
        session: Session | None,
    ) -> ToolResult:
        tool = self._tools.get(name)
        if tool is None:
            return error_result(f"Unknown tool. The tools are: {', '.join(self._tools)}.")
        limit_s, loop = self._config.request_timeout_s, asyncio.get_running_loop()

        async def report(done: int, total: int) -> None:
            deadline.reschedule(loop.time() + limit_s)  # what makes progress is not stuck
            if progress is not None:
                await progress(done, total)

        try:
            async with asyncio.timeout(limit_s) as deadline:
                if isinstance(tool, Tool):
                    return await tool.execute(arguments, report, session)
                return await tool.execute(arguments)
        except Exception as exc:
            failure = failure_of(exc)
            self._logger.exception("tool_failed", reference=failure.reference)
            return error_result(failure.sentence)

    def _input_schema(self, name: str) -> dict[str, Any] | None:
        tool = self._tools.get(name)
        return tool.input_schema if tool else None

    def _start_warm_up(self) -> None:
        # Only now: a host waits for the handshake, and importing the engine's parts is slow.
        if self._warm_up is None:
            self._warm_up = asyncio.create_task(self.open_engine())

    async def open_engine(self) -> None:
        """Open the engine ahead of the first call; a failure is left for that call to tell."""
        try:
            await self._core_engine.initialize()
        except ZapomniError as exc:
            self._logger.warning("engine_not_ready", error=str(exc))

    async def _end_warm_up(self) -> None:
        if self._warm_up is not None:
            self._warm_up.cancel()
            await asyncio.gather(self._warm_up, return_exceptions=True)


def _declaration(tool: MCPTool) -> types.Tool:
    if not isinstance(tool, Tool):
        return types.Tool(
            name=tool.name, description=tool.description, input_schema=tool.input_schema
        )
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=tool.annotations,
    )


@asynccontextmanager
async def complete_server(settings: Settings) -> AsyncIterator[MCPServer]:
    """Provide a server with every tool, and close its engine afterwards."""
    engine = MemoryEngine(settings)
    server = MCPServer(engine)
    server.register_all_tools()
    try:
        yield server
    finally:
        await engine.close()


def serve_stdio() -> NoReturn:
    """Serve standard input as a process until it ends."""
    run_process(_serve_stdio)


async def _serve_stdio(settings: Settings) -> None:
    async with complete_server(settings) as server:
        await server.run()


if __name__ == "__main__":
    serve_stdio()
