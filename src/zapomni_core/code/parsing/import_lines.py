"""Imports of languages that write each of them in one plain statement."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from posixpath import basename
from typing import Final

from tree_sitter import Node

from zapomni_core.code.model import Import
from zapomni_core.code.parsing.text import SourceText

__all__ = [
    "imports_by_call",
    "read_csharp_using",
    "read_dart_import",
    "read_elixir_alias",
    "read_haskell_import",
    "read_include",
    "read_kotlin_import",
    "read_module",
    "read_perl_use",
    "read_php_use",
    "read_scala_import",
]

_STRING: Final = re.compile(r"""["'<]([^"'>\n]+)["'>]""")
_LONGEST: Final = 4_000


def _statement(node: Node, text: SourceText) -> str:
    return text.between(node.start_byte, min(node.end_byte, node.start_byte + _LONGEST))


def read_include(node: Node, text: SourceText) -> Iterator[Import]:
    """Read a file that is named in quotes or angle brackets; everything in it is imported."""
    matched = _STRING.search(_statement(node, text))
    if matched:
        yield Import(matched.group(1), "*", "", 0)


def imports_by_call(*functions: str) -> Callable[[Node, SourceText], Iterator[Import]]:
    """Read calls of these functions whose argument is a module."""
    pattern = re.compile(
        rf"""(?:(?:local|const|var|my)?\s*(\w+)\s*=\s*)?@?(?:{"|".join(functions)})"""
        r"""[\s(]+["'<]?([^"'>\s),;]+)"""
    )

    def read(node: Node, text: SourceText) -> Iterator[Import]:
        matched = pattern.match(_statement(node, text))
        if matched:
            yield Import(matched.group(2), "", matched.group(1) or "", 0)

    return read


def read_module(node: Node, text: SourceText) -> Iterator[Import]:
    """Read `import a.b`, the last word of the statement."""
    words = _statement(node, text).strip(" ;\n").split()
    if len(words) > 1:
        yield Import(words[-1], "", words[-1].rpartition(".")[2], 0)


def read_kotlin_import(node: Node, text: SourceText) -> Iterator[Import]:
    """Read `import a.b.C as D`."""
    path, _, alias = " ".join(_statement(node, text).strip(" ;\n").split()[1:]).partition(" as ")
    module, _, name = path.replace("static ", "").rpartition(".")
    if name:
        yield Import(module, name, "" if name == "*" else alias or name, 0)


def read_scala_import(node: Node, text: SourceText) -> Iterator[Import]:
    """Read `import a.b.{C, D => E, _}`."""
    path = _statement(node, text).removeprefix("import").strip()
    module, brace, listed = path.partition("{")
    if not brace:
        module, _, listed = path.rpartition(".")
    for each in listed.rstrip("}").split(","):
        name, _, alias = (part.strip() for part in re.sub(r"\bas\b", "=>", each).partition("=>"))
        if name in {"_", "*", "given"}:
            yield Import(module.strip(". "), "*", "", 0)
        elif name and alias != "_":
            yield Import(module.strip(". "), name, alias or name, 0)


def read_csharp_using(node: Node, text: SourceText) -> Iterator[Import]:
    """Read `using X = A.B;` and `using A.B;`."""
    written = _statement(node, text).strip(" ;\n")
    path = re.sub(r"^(global\s+)?using\s+(static\s+|unsafe\s+)?", "", written)
    alias, equals, target = (part.strip() for part in path.partition("="))
    if equals:
        module, _, name = target.rpartition(".")
        yield Import(module, name, alias, 0)
    elif alias:
        yield Import(alias, "*", "", 0)


def read_php_use(node: Node, text: SourceText) -> Iterator[Import]:
    r"""Read `use A\B as C, D;` and `use A\{B, C};`."""
    written = _statement(node, text).strip(" ;\n")
    path = re.sub(r"^use\s+((function|const)\s+)?", "", written)
    prefix, brace, listed = path.partition("{")
    for each in (listed.rstrip(" }") if brace else path).split(","):
        name, _, alias = " ".join(each.split()).partition(" as ")
        full = (prefix if brace else "") + name.removeprefix("function ").removeprefix("const ")
        module, _, last = full.strip("\\ ").replace("\\", ".").rpartition(".")
        if last:
            yield Import(module, last, alias or last, 0)


def read_dart_import(node: Node, text: SourceText) -> Iterator[Import]:
    """Read `import 'a.dart' as b show c, d;`."""
    written = " ".join(_statement(node, text).strip(" ;\n").split())
    matched = _STRING.search(written)
    if matched is None:
        return
    module, is_export = matched.group(1), written.startswith("export")
    alias = re.search(r" as (\w+)", written)
    shown = re.search(r" show ([\w, ]+?)(?: hide|$)", written)
    if shown:
        for name in shown.group(1).replace(" ", "").split(","):
            yield Import(module, name, name, 0, is_export=is_export)
    elif alias:
        yield Import(module, "", alias.group(1), 0, is_export=is_export)
    else:
        yield Import(module, "*", "", 0, is_export=is_export)


def read_haskell_import(node: Node, text: SourceText) -> Iterator[Import]:
    """Read `import qualified A.B as C (x, y)`."""
    written = " ".join(_statement(node, text).split())
    matched = re.match(r"import (?:qualified )?([\w.]+)(?: qualified)?(?: as ([\w.]+))?", written)
    if matched is None:
        return
    module, alias = matched.groups()
    listed = re.search(r"(?<!hiding )\((.*)\)$", written)
    names = re.findall(r"(?:^|,)\s*(\w+)", listed.group(1)) if listed else []
    if alias:
        yield Import(module, "", alias, 0)
    for name in names:
        yield Import(module, name, name, 0)
    if not alias and not names:
        yield Import(module, "*", "", 0)


def read_elixir_alias(node: Node, text: SourceText) -> Iterator[Import]:
    """Read `alias A.{B, C}`, `import A`, `use A` and `require A`."""
    written = " ".join(_statement(node, text).split("\n", maxsplit=1)[0].split())
    matched = re.match(
        r"(alias|import|use|require) ([\w.]+?)\.?(?:\{([\w., ]+)\})?(?:,.*as: (\w+).*|,.*)?$",
        written,
    )
    if matched is None:
        return
    word, module, listed, alias = matched.groups()
    for each in (listed or "").replace(" ", "").split(","):
        full = f"{module}.{each}" if each else module
        if word == "import":
            yield Import(full, "*", "", 0)
        else:
            yield Import(full, "", alias or full.rpartition(".")[2], 0)


def read_perl_use(node: Node, text: SourceText) -> Iterator[Import]:
    """Read `use A::B qw(c d);`."""
    matched = re.match(
        r"(?:use|require)\s+([A-Za-z][\w:]*)\s*(?:qw[(/{<]([^)/}>]*))?", _statement(node, text)
    )
    if matched is None:
        return
    module = matched.group(1).replace("::", ".")
    yield Import(module, "", basename(module.replace(".", "/")), 0)
    for name in (matched.group(2) or "").split():
        yield Import(module, name, name, 0)
