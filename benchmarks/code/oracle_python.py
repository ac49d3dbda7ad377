"""Let CPython's own parser judge what is read out of Python."""

from __future__ import annotations

import ast
import sysconfig
import warnings
from collections.abc import Iterator
from pathlib import Path

from benchmarks.code.judging import Judged, figures_of, rows_of
from benchmarks.code.measures import Figure, Row
from benchmarks.code.sources import files_of, project
from zapomni_core.code.parsing.extraction import extract

__all__ = ["figures", "judge", "rows_of_tree"]

TARGET_DJANGO = 0.9999
TARGET_LIBRARY = 0.999
type Rows = dict[str, list[Row]]
type Scope = tuple[str, ...]


def figures(show: int) -> Iterator[Figure]:
    """Yield the figures of Django and of the library of this Python."""
    yield from figures_of("django", judge(project("django")), TARGET_DJANGO, show)
    library = Path(sysconfig.get_path("stdlib"))
    yield from figures_of("stdlib", judge(library), TARGET_LIBRARY, show)


def judge(folder: Path) -> Judged:
    """Compare all files that this Python can compile."""
    judged = Judged()
    for path, language in files_of(folder, ["python"]):
        if "site-packages" in path:
            continue
        source = (folder / path).read_bytes()
        tree = _parsed(source)
        if tree is None:
            judged.left_out += 1
            continue
        found = rows_of(extract(source, path, language))
        judged.add(path, rows_of_tree(tree), found)
    return judged


def rows_of_tree(tree: ast.Module) -> Rows:
    """Return the definitions, calls and imports of a file."""
    reader = _Reader()
    reader.visit(tree)
    return reader.rows


def _parsed(source: bytes) -> ast.Module | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError):
            return None


class _Reader(ast.NodeVisitor):
    """Walk a tree and remember the definition around each node."""

    def __init__(self) -> None:
        self.rows: Rows = {"definitions": [], "calls": [], "imports": []}
        self._names: Scope = ()
        self._is_class = False

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._define(node, "class")
        self._visit_all([*node.decorator_list, *node.type_params, *node.bases, *node.keywords])
        self._enter(node.name, node.body, is_class=True)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._define(node, "method" if self._is_class else "function")
        # All of this is evaluated before the function exists.
        returned = [node.returns] if node.returns else []
        self._visit_all([*node.decorator_list, *node.type_params, node.args, *returned])
        self._enter(node.name, node.body, is_class=False)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 (the name that ast calls)

    def visit_Call(self, node: ast.Call) -> None:
        named = called_name(node)
        if named is not None:
            name, line = named
            self.rows["calls"].append((".".join(self._names), name, line))
        self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        for each in node.names:
            alias = each.asname or each.name.partition(".")[0]
            self._import(each.name, "", alias, node.lineno)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = "." * node.level + (node.module or "")
        for each in node.names:
            alias = "" if each.name == "*" else each.asname or each.name
            self._import(module, each.name, alias, node.lineno)

    def _define(
        self, node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, kind: str
    ) -> None:
        qname = ".".join((*self._names, node.name))
        assert node.end_lineno is not None
        self.rows["definitions"].append((qname, kind, node.lineno, node.end_lineno))

    def _import(self, module: str, name: str, alias: str, line: int) -> None:
        self.rows["imports"].append((".".join(self._names), module, name, alias, line))

    def _enter(self, name: str, body: list[ast.stmt], *, is_class: bool) -> None:
        around = self._names, self._is_class
        self._names, self._is_class = (*self._names, name), is_class
        self._visit_all(body)
        self._names, self._is_class = around

    def _visit_all(self, nodes: list[ast.AST] | list[ast.stmt]) -> None:
        for node in nodes:
            self.visit(node)


def called_name(node: ast.Call) -> tuple[str, int] | None:
    """Return the last name of what is called and its line, if it has a name."""
    match node.func:
        case ast.Name(id=name, lineno=line):
            return name, line
        case ast.Attribute(attr=name, end_lineno=int(line)):
            return name, line
    return None
