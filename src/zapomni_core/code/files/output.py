"""Folders that hold dependencies or what a build wrote, even if nothing says to ignore them."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Final

__all__ = ["is_output"]

_ALWAYS: Final = frozenset(
    [
        ".cache",
        ".eggs",
        ".gradle",
        ".hg",
        ".hypothesis",
        ".mypy_cache",
        ".next",
        ".nox",
        ".nuxt",
        ".parcel-cache",
        ".pytest_cache",
        ".ruff_cache",
        ".svelte-kit",
        ".svn",
        ".terraform",
        ".tox",
        ".turbo",
        ".venv",
        ".yarn",
        "Carthage",
        "DerivedData",
        "Pods",
        "__pycache__",
        "__pypackages__",
        "bower_components",
        "jspm_packages",
        "node_modules",
        "site-packages",
    ]
)
# These may be folders of source code as well. They are taken for output beside the file that
# describes a project, where builds write, and at the top of what is read; but never if git
# tracks a file in them.
_OFTEN: Final = frozenset(
    ["_build", "build", "coverage", "dist", "env", "htmlcov", "out", "target", "vendor", "venv"]
)
_PROJECT_FILES: Final = frozenset(
    [
        "CMakeLists.txt",
        "Cargo.toml",
        "Gemfile",
        "Makefile",
        "build.gradle",
        "build.gradle.kts",
        "build.sbt",
        "composer.json",
        "go.mod",
        "meson.build",
        "mix.exs",
        "package.json",
        "pom.xml",
        "pyproject.toml",
        "setup.cfg",
        "setup.py",
    ]
)
# What tools leave in their own folders; those are output, tracked or not.
_MARKS: Final = frozenset({"CACHEDIR.TAG", "pyvenv.cfg"})
_VENDOR_MARKS: Final = frozenset({"autoload.php", "bundle", "modules.txt"})


def is_output(
    path: str, beside: AbstractSet[str], inside: AbstractSet[str], *, has_tracked: bool
) -> bool:
    """Tell it by the name of a folder, the names beside it and those inside."""
    name = path.rpartition("/")[2]
    if not inside:
        return False
    if name in _ALWAYS or inside & _MARKS or (name == "vendor" and inside & _VENDOR_MARKS):
        return True
    is_place_of_output = "/" not in path or bool(beside & _PROJECT_FILES)
    return name in _OFTEN and is_place_of_output and not has_tracked
