"""What JavaScript and TypeScript files take from others and give to them."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from zapomni_core.code.model import Import
from zapomni_core.code.parsing.reading import Captures
from zapomni_core.code.parsing.text import SourceText, child_at

__all__ = ["read_exports", "read_imports"]


def read_imports(captures: Captures, text: SourceText) -> list[tuple[int, Import]]:
    """Read `import`, `export ... from`, `require()` and `import()`."""
    imports: list[tuple[int, Import]] = []
    for node in captures.get("import", ()):
        imports.extend((node.start_byte, each) for each in _statement(node, text))
    for node in captures.get("require", ()):
        imports.extend((node.start_byte, each) for each in _required(node, text))
    for node in captures.get("dynamic", ()):
        if _names_type(node):
            continue
        module = _first_argument(node, text)
        imports.append((node.start_byte, Import(module, "", "", 0)))
    return imports


def read_exports(captures: Captures, text: SourceText) -> list[tuple[int, Import]]:
    """Read what is exported by a list or as default: names of this file, as others see them."""
    exports = []
    for node in captures.get("exports", ()):
        if node.child_by_field_name("source") is not None:
            continue
        value = node.child_by_field_name("value")
        declared = node.child_by_field_name("declaration")
        named = value if declared is None else declared.child_by_field_name("name")
        if named is not None:
            exported = Import("", text.of(named), "default", 0, is_export=True)
            exports.append((node.start_byte, exported))
        exports.extend(
            (node.start_byte, Import("", name, alias, 0, is_export=True))
            for name, alias in _specifiers(node, text)
        )
    for node in captures.get("exported", ()):
        # Behind it: what is defined there is not in scope of itself.
        exports.extend(
            (node.end_byte, Import("", name, alias, 0, is_export=True))
            for name, alias in _listed_for_others(node, text)
        )
    return exports


def _listed_for_others(node: Node, text: SourceText) -> Iterator[tuple[str, str]]:
    """Read `module.exports = {a, b: c}`, `... = a` and `... = class A {}`."""
    left, listed = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or listed is None or text.of(left) != "module.exports":
        return
    if listed.type == "identifier":
        yield text.of(listed), "default"
    elif listed.type != "object":
        named = listed.child_by_field_name("name")
        yield "exports" if named is None else text.of(named), "default"
        return
    for child in listed.named_children:
        key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
        if child.type == "shorthand_property_identifier":
            yield text.of(child), text.of(child)
        elif key is not None and value is not None and value.type == "identifier":
            yield text.of(value), _unquoted(key, text)


def _statement(node: Node, text: SourceText) -> Iterator[Import]:
    is_export = node.type == "export_statement"
    source = node.child_by_field_name("source")
    clauses = list(node.named_children)
    if source is None:
        clause = next((each for each in clauses if each.type == "import_require_clause"), None)
        source = None if clause is None else clause.child_by_field_name("source")
    if source is None:
        return
    module = _unquoted(source, text)
    found = list(_clauses(clauses, module, text))
    if not found:
        found = [Import(module, "*" if is_export else "", "", 0)]
    for each in found:
        yield each._replace(is_export=is_export)


def _clauses(clauses: list[Node], module: str, text: SourceText) -> Iterator[Import]:
    for clause in clauses:
        match clause.type:
            case "import_clause":
                yield from _clauses_of_import(clause, module, text)
            case "import_require_clause" | "namespace_export":
                yield Import(module, "", _first_name(clause, text), 0)
            case "export_clause":
                for name, alias in _specified(clause, text):
                    yield Import(module, name, alias, 0)


def _clauses_of_import(clause: Node, module: str, text: SourceText) -> Iterator[Import]:
    for child in clause.named_children:
        match child.type:
            case "identifier":
                yield Import(module, "default", text.of(child), 0)
            case "namespace_import":
                yield Import(module, "", _first_name(child, text), 0)
            case "named_imports":
                for name, alias in _specified(child, text):
                    yield Import(module, name, alias, 0)


def _specifiers(node: Node, text: SourceText) -> Iterator[tuple[str, str]]:
    for child in node.named_children:
        if child.type == "export_clause":
            yield from _specified(child, text)


def _specified(clause: Node, text: SourceText) -> Iterator[tuple[str, str]]:
    for child in clause.named_children:
        name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
        if name is not None:
            written = _unquoted(name, text)
            # A word of the language, as in `a as if`, has no node of its own.
            given = text.of(child).partition(" as ")[2] or written
            yield written, given if alias is None else _unquoted(alias, text)


def _required(node: Node, text: SourceText) -> Iterator[Import]:
    target, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if target is None or value is None:
        return
    member = ""
    if value.type == "member_expression":
        named, call = value.child_by_field_name("property"), value.child_by_field_name("object")
        if named is None or call is None:
            return
        member, value = text.of(named), call
    function = value.child_by_field_name("function")
    if function is None or text.of(function) != "require":
        return
    module = _first_argument(value, text)
    if target.type == "identifier":
        yield Import(module, member, text.of(target), 0)
    elif target.type == "object_pattern":
        yield from _destructured(target, module, text)


def _destructured(pattern: Node, module: str, text: SourceText) -> Iterator[Import]:
    for child in pattern.named_children:
        key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
        if key is not None and value is not None:
            yield Import(module, _unquoted(key, text), text.of(value), 0)
        elif child.type == "shorthand_property_identifier_pattern":
            yield Import(module, text.of(child), text.of(child), 0)


def _names_type(node: Node) -> bool:
    """Tell `import("a").B` as a type from an import that happens."""
    around = node.parent
    while around is not None and around.type == "member_expression":
        around = around.parent
    return around is not None and (
        around.type.startswith("type_") or around.type.endswith("_type")
    )


def _first_argument(call: Node, text: SourceText) -> str:
    arguments = call.child_by_field_name("arguments")
    first = None if arguments is None else child_at(arguments, 0)
    return "" if first is None else _unquoted(first, text)


def _first_name(node: Node, text: SourceText) -> str:
    first = child_at(node, 0)
    return "" if first is None else text.of(first)


def _unquoted(node: Node, text: SourceText) -> str:
    return text.of(node).strip("'\"`")
