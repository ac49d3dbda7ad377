"""What every tool has in common: check the arguments, ask the engine, put the answer in words."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Protocol

import structlog
from mcp_types import ToolAnnotations
from pydantic import BaseModel

from zapomni_core import MemoryEngine
from zapomni_mcp.errors import failure_of, problems_of
from zapomni_mcp.schemas import portable_schema, with_workspace
from zapomni_mcp.sessions import Session

__all__ = ["Call", "MCPTool", "Progress", "Tool", "ToolResult", "error_result"]

type ToolResult = dict[str, Any]
type Progress = Callable[[int, int], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Call:
    """What a call comes with beside its arguments: the engine is that of its workspace."""

    engine: MemoryEngine
    progress: Progress | None = None
    session: Session | None = None


class MCPTool(Protocol):
    """Anything that can be registered as a tool."""

    @property
    def name(self) -> str:
        """Name under which clients call it."""

    @property
    def description(self) -> str:
        """What it does, for the model that decides whether to call it."""

    @property
    def input_schema(self) -> dict[str, Any]:
        """JSON schema of the arguments."""

    async def execute(self, arguments: dict[str, Any]) -> ToolResult:
        """Answer a call in the shape of an MCP tool result."""


class Tool[RequestT: BaseModel, ResponseT: BaseModel](ABC):
    """A tool in front of the memory engine. It never raises: a failure is an answer too."""

    name: ClassVar[str]
    title: ClassVar[str]
    description: ClassVar[str]
    annotations: ClassVar[ToolAnnotations]
    invalid_form: ClassVar[str] = "{}"
    failure_form: ClassVar[str] = "{}"
    takes_workspace: ClassVar[bool] = True
    request_model: type[RequestT]
    response_model: type[ResponseT]

    def __init__(self, core_engine: MemoryEngine) -> None:
        if not isinstance(core_engine, MemoryEngine):
            raise TypeError(
                f"core_engine must be MemoryEngine instance, got {type(core_engine).__name__}"
            )
        self.core_engine = core_engine
        self.logger = structlog.get_logger().bind(tool=self.name)

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        """JSON schema of the arguments."""
        schema = portable_schema(self.request_model)
        return with_workspace(schema) if self.takes_workspace else schema

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        """JSON schema of the answer."""
        return portable_schema(self.response_model)

    async def execute(
        self,
        arguments: dict[str, Any],
        progress: Progress | None = None,
        session: Session | None = None,
    ) -> ToolResult:
        """Answer a call in the shape of an MCP tool result."""
        try:
            call = Call(self.engine_for(arguments, session), progress, session)
            request = self._validate_arguments(self._without_workspace(arguments))
            return self._format_success(await self._ask(request, call))
        except Exception as exc:  # noqa: BLE001  (the edge: whatever happens becomes an answer)
            return self._format_error(exc)

    def engine_for(self, arguments: dict[str, Any], session: Session | None) -> MemoryEngine:
        """Return the engine of the workspace that a call names, or else of its session's."""
        named = arguments.get("workspace") if self.takes_workspace else None
        if named is None and session is not None:
            named = session.workspace
        return self.core_engine if named is None else self.core_engine.within(named)

    @abstractmethod
    async def _ask(self, request: RequestT, call: Call) -> ResponseT:
        """Have the engine of the call do the work."""

    @abstractmethod
    def _text(self, response: ResponseT) -> str:
        """Put the answer in words."""

    def _without_workspace(self, arguments: dict[str, Any]) -> dict[str, Any]:
        if not self.takes_workspace:
            return arguments
        return {name: value for name, value in arguments.items() if name != "workspace"}

    def _validate_arguments(self, arguments: dict[str, Any]) -> RequestT:
        return self.request_model.model_validate(arguments)

    def _format_success(self, response: ResponseT) -> ToolResult:
        return {
            "content": [{"type": "text", "text": self._text(response)}],
            "structuredContent": response.model_dump(mode="json"),
            "isError": False,
        }

    def _format_error(self, error: Exception) -> ToolResult:
        problems = problems_of(error, self.input_schema)
        if problems:
            self.logger.warning("invalid_arguments", fields=[p.field for p in problems])
            sentences = [self.invalid_form.format(p.sentence, field=p.field) for p in problems]
            return error_result("; ".join(sentences))
        failure = failure_of(error)
        self.logger.error("tool_failed", reference=failure.reference, exc_info=error)
        return error_result(self.failure_form.format(failure.sentence))


def error_result(message: str) -> ToolResult:
    """Build the answer to a call that failed."""
    return {"content": [{"type": "text", "text": f"Error: {message}"}], "isError": True}
