"""Write query parameters so that no value can ever become Cypher."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

import numpy as np
import orjson
from numpy.typing import NDArray

__all__ = ["Value", "Vector", "with_parameters"]

type Vector = NDArray[np.float32]
type Value = bool | int | float | str | Vector | Sequence["Value"] | Mapping[str, "Value"] | None

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}\Z")
_INT64 = range(-(2**63), 2**63)


def with_parameters(query: str, parameters: Mapping[str, Value]) -> str:
    """Prefix a constant query with its parameters, each written as a literal."""
    header = " ".join(f"{_name(key)}={_literal(value)}" for key, value in parameters.items())
    return f"CYPHER {header} {query}" if header else query


def _name(name: str) -> str:
    if not _NAME.match(name):
        raise ValueError("a parameter or map key must be a plain identifier")
    return name


def _literal(value: Value) -> str:
    match value:
        case str():
            return _string(value)
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return _integer(value)
        case float():
            return _float(value)
        case np.ndarray():
            return _vector(value)
        case Mapping():
            return "{" + ",".join(f"{_name(k)}:{_literal(v)}" for k, v in value.items()) + "}"
        case list() | tuple():
            return "[" + ",".join(map(_literal, value)) + "]"
    raise TypeError(f"{type(value).__name__} cannot be a query parameter")


def _integer(value: int) -> str:
    if value not in _INT64:
        raise ValueError("an integer parameter must fit 64 bits")
    return str(int(value))


def _float(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError("a float parameter must be finite")
    return repr(float(value))


def _string(value: str) -> str:
    if "\0" in value:
        raise ValueError("a string parameter must not contain NUL")
    value.encode("utf-8")  # a lone surrogate raises here, before anything is sent
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _vector(value: Vector) -> str:
    if value.dtype != np.float32 or value.ndim != 1 or not np.isfinite(value).all():
        raise ValueError("a vector parameter must be one row of finite float32 numbers")
    # orjson writes the shortest text that reads back as the same float32.
    return orjson.dumps(np.ascontiguousarray(value), option=orjson.OPT_SERIALIZE_NUMPY).decode()
