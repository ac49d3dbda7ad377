"""Configuration files that say where imports lead."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from posixpath import basename, dirname, join, normpath
from typing import Any, Final

from zapomni_core.code.resolution.modules import Aliases, Layout

__all__ = ["CONFIGURATION_NAMES", "read_configuration"]

CONFIGURATION_NAMES: Final = frozenset(
    {"Cargo.toml", "go.mod", "jsconfig.json", "package.json", "tsconfig.json"}
)
_GO_MODULE: Final = re.compile(r"^\s*module\s+\"?([^\s\"]+)", re.MULTILINE)
_COMMENTS: Final = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING: Final = re.compile(r",(\s*[}\]])")


def read_configuration(layout: Layout, path: str, text: str) -> Layout:
    """Return the layout with what a configuration file says; an empty text takes it back."""
    folder, name = dirname(path), basename(path)
    if name == "go.mod":
        found = _GO_MODULE.search(text)
        module = found.group(1) if found else ""
        return replace(layout, go_modules=_with(layout.go_modules, folder, module))
    if name == "Cargo.toml":
        return replace(layout, crates=_with(layout.crates, folder, _crate(text)))
    if name == "package.json":
        package = _json(text)
        packages = _with(layout.node_packages, folder, _text(package, "name"))
        entry = _text(package, "source") or _text(package, "module") or _text(package, "main")
        entries = _with(layout.node_entries, folder, entry)
        inner = _with(layout.node_imports, folder, _own_imports(folder, package))
        return replace(layout, node_packages=packages, node_entries=entries, node_imports=inner)
    if name in {"tsconfig.json", "jsconfig.json"}:
        aliases = _with(layout.path_aliases, folder, _aliases(folder, _json(text)))
        return replace(layout, path_aliases=aliases)
    return layout


def _with[T: (str, Aliases)](known: Mapping[str, T], folder: str, value: T) -> dict[str, T]:
    changed = {key: each for key, each in known.items() if key != folder}
    return {**changed, folder: value} if value else changed


def _crate(text: str) -> str:
    try:
        read = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return ""
    package = read.get("package")
    name = _text(package, "name") if isinstance(package, dict) else ""
    library = read.get("lib")
    renamed = _text(library, "name") if isinstance(library, dict) else ""
    return (renamed or name).replace("-", "_")


def _json(text: str) -> dict[str, Any]:
    plain = _TRAILING.sub(r"\1", _COMMENTS.sub(lambda found: found.group(1) or "", text))
    try:
        read = json.loads(plain)
    except json.JSONDecodeError:
        return {}
    return read if isinstance(read, dict) else {}


def _text(read: Mapping[str, Any], key: str) -> str:
    value = read.get(key)
    return value if isinstance(value, str) else ""


def _own_imports(folder: str, package: dict[str, Any]) -> Aliases:
    """Return where the names lead that a package gives to its own files, as Node looks them up."""
    written = package.get("imports")
    found = [
        (pattern, _inside(folder, target))
        for pattern, targets in (written.items() if isinstance(written, dict) else ())
        for target in _targets(targets)
        if pattern.startswith("#") and target.startswith("./")
    ]
    return tuple(sorted(found, key=lambda each: ("*" in each[0], -len(each[0].partition("*")[0]))))


def _targets(written: object) -> Iterator[str]:
    """Yield every path that conditions choose from."""
    if isinstance(written, str):
        yield written
    elif isinstance(written, list):
        for each in written:
            yield from _targets(each)
    elif isinstance(written, dict):
        # A declaration is not what runs.
        for key in sorted(written, key=lambda key: key == "types"):
            yield from _targets(written[key])


def _aliases(folder: str, read: dict[str, Any]) -> Aliases:
    options = read.get("compilerOptions")
    if not isinstance(options, dict):
        return ()
    base = _text(options, "baseUrl")
    root = _inside(folder, base or ".")
    paths = options.get("paths")
    found = [
        (pattern, _inside(root, target))
        for pattern, targets in (paths.items() if isinstance(paths, dict) else ())
        for target in (targets if isinstance(targets, list) else ())
        if isinstance(target, str)
    ]
    if base:
        found.append(("*", _inside(root, "*")))
    return tuple(found)


def _inside(folder: str, path: str) -> str:
    joined = normpath(join(folder, path))
    return "" if joined == "." else joined
