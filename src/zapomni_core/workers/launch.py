"""Run the `main` of a module without loading the packages around it.

Importing `zapomni_core` loads the engine with the database driver and the embedder: 0.9 s and
38 MB, where a worker alone takes a quarter of that. Here our packages are empty, only places
to find modules in.
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from os import scandir
from types import ModuleType

# `pathlib` is imported in 0.003 s, and a worker is ready after 0.04 s.
_SOURCE = __file__.rsplit("/", 3)[0]


def main(module: str) -> None:
    """Run the worker."""
    for name, folder in _packages():
        package = ModuleType(name)
        package.__path__ = [folder]
        sys.modules[name] = package
    import_module(module).main()


def _packages() -> Iterator[tuple[str, str]]:
    for package in ("zapomni_core", "zapomni_db"):
        folder = f"{_SOURCE}/{package}"
        yield package, folder
        inside = [each for each in scandir(folder) if each.is_dir()]
        yield from ((f"{package}.{each.name}", each.path) for each in inside)


if __name__ == "__main__":
    main(sys.argv[1])
