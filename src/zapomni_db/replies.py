"""Read FalkorDB's compact replies: scalars, lists and maps only, never cached graph objects."""

from __future__ import annotations

from typing import Any

__all__ = ["Row", "rows"]

type Row = list[Any]


def rows(reply: list[Any]) -> list[Row]:
    """Return the rows of a `GRAPH.QUERY … --compact` reply; none for a write without RETURN."""
    if len(reply) < 3:
        return []
    # Nearly all values are texts and integers, and a call for each takes twice as long.
    return [
        [
            value.decode() if kind == 2 else value if kind == 3 else _scalar(kind, value)
            for kind, value in row
        ]
        for row in reply[1]
    ]


def _scalar(kind: int, value: Any) -> Any:
    match kind:
        case 2:
            return value.decode("utf-8")
        case 1 | 3:
            return value
        case 5:
            return float(value)
        case 4:
            return value == b"true"
        case 6:
            return [v if k == 3 else _scalar(k, v) for k, v in value]
        case 10:
            pairs = zip(value[::2], value[1::2], strict=True)
            return {key.decode("utf-8"): _scalar(*item) for key, item in pairs}
        case 12:
            return [float(number) for number in value]
    raise ValueError(f"unexpected value type {kind} in a database reply")
