"""What the arguments of all tools have in common, and what their answers do."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

__all__ = ["Answer", "Arguments"]


class Arguments(BaseModel):
    """Arguments of a tool: no others are taken, and no error repeats what was given."""

    # A host waits for the handshake, and that needs no schema: they are built when first used.
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True, defer_build=True)


class Answer(BaseModel):
    """An answer of a tool, or a part of one."""

    model_config = ConfigDict(defer_build=True)
