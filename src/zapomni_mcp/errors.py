"""Turn failures into sentences for the client; what it must not see goes to the log."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

import pydantic
from pydantic_core import ErrorDetails

from zapomni_core import (
    ConfigurationError,
    DatabaseError,
    EmbedderUnavailable,
    LanguageModelUnavailable,
    ValidationError,
)

__all__ = ["Failure", "Problem", "failure_of", "problems_of"]

_TOO_LONG = (
    "The call took too long and was stopped. Try again with less text, or raise "
    "ZAPOMNI_REQUEST_TIMEOUT_S."
)
_MEANT_FOR_CLIENTS = (
    ConfigurationError,
    DatabaseError,
    EmbedderUnavailable,
    LanguageModelUnavailable,
)
_TYPES = {
    "string_type": "must be a string",
    "string_unicode": "is not valid Unicode: it has an unpaired surrogate",
    "date_from_datetime_parsing": "must be a date of the form YYYY-MM-DD",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "int_type": "must be an integer",
    "int_parsing": "must be an integer",
    "int_from_float": "must be an integer",
    "list_type": "must be a list",
    "model_type": "must be an object",
    "dict_type": "must be an object",
    "model_attributes_type": "must be an object",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """An argument that breaks a rule, in a sentence that does not repeat its value."""

    field: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Failure:
    """What the client may know of a failure, and the reference under which the log has it."""

    sentence: str
    reference: str


def problems_of(error: Exception, schema: dict[str, Any]) -> list[Problem]:
    """List what is wrong with the arguments; nothing if the error is of another kind."""
    match error:
        case ValidationError():
            return [Problem(error.field, str(error))]
        case pydantic.ValidationError():
            details = error.errors(include_input=False, include_url=False)
            return list(dict.fromkeys(_problem(detail, schema) for detail in details))
    return []


def failure_of(error: Exception) -> Failure:
    """Say what went wrong as far as the client may know."""
    reference = uuid.uuid4().hex[:8]
    if isinstance(error, _MEANT_FOR_CLIENTS):
        return Failure(str(error), reference)
    if isinstance(error, TimeoutError):
        return Failure(_TOO_LONG, reference)
    return Failure(
        "An internal error occurred while processing your request. "
        f"The log has it as {reference}.",
        reference,
    )


def _problem(detail: ErrorDetails, schema: dict[str, Any]) -> Problem:
    field = ".".join(str(part) for part in detail["loc"]) or "arguments"
    return Problem(field, f"{field} {_rule(detail, schema)}")


def _known(location: tuple[int | str, ...], schema: dict[str, Any]) -> str:
    for part in location[:-1]:
        schema = schema["properties"][part]
    return ", ".join(schema["properties"]) or "none"


def _rule(detail: ErrorDetails, schema: dict[str, Any]) -> str:
    context = detail.get("ctx", {})
    match detail["type"]:
        case "missing":
            return "field required"
        case "extra_forbidden":
            return f"is unknown; what can be given: {_known(detail['loc'], schema)}"
        case "string_too_short":
            return "cannot be empty or contain only whitespace"
        case "string_too_long":
            return f"exceeds maximum length of {context['max_length']:,} characters"
        case "greater_than_equal":
            return f"must be at least {context['ge']}"
        case "less_than_equal":
            return f"must be at most {context['le']}"
        case "value_error":
            return str(context["error"])
        case kind:
            return str(_TYPES.get(kind, detail["msg"]))
