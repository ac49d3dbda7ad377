"""JSON schemas that every client understands: no references, no titles, no null defaults."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

__all__ = ["portable_schema"]


def portable_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema of a model, with every definition in its place."""
    schema = model.model_json_schema()
    definitions = schema.pop("$defs", {})
    plain = _plain(schema, definitions)
    plain.pop("description", None)
    plain.setdefault("properties", {})
    return plain


def _plain(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    schema = _without_null(schema)
    if (reference := schema.get("$ref")) is not None:
        target = definitions[reference.rpartition("/")[2]]
        schema = {**target, **{key: schema[key] for key in schema if key != "$ref"}}
    plain: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "title" or (key == "default" and value is None):
            continue
        if key == "properties":
            plain[key] = {name: _plain(part, definitions) for name, part in value.items()}
        else:
            plain[key] = _value(value, definitions)
    return plain


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Drop the null alternative of what can be left out; some clients cannot read `anyOf`."""
    others = [part for part in schema.get("anyOf", ()) if part != {"type": "null"}]
    if "default" not in schema or schema["default"] is not None or len(others) != 1:
        return schema
    return {**others[0], **{key: schema[key] for key in schema if key != "anyOf"}}


def _value(value: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(value, dict):
        return _plain(value, definitions)
    if isinstance(value, list):
        return [_value(item, definitions) for item in value]
    return value
