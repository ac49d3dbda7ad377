"""Run the `main` of a module without loading the packages around it.

Importing `zapomni_core` loads the engine with the database driver and the embedder: 0.9 s and
38 MB, where a worker alone takes a quarter of that. Here our packages are empty, only places
to find modules in.
"""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

_SOURCE = Path(__file__).resolve().parents[2]


def main(module: str) -> None:
    """Run the worker."""
    packages = (_SOURCE / "zapomni_core", _SOURCE / "zapomni_db")
    inside = (path.parent for package in packages for path in package.glob("*/__init__.py"))
    for folder in (*packages, *inside):
        name = ".".join(folder.relative_to(_SOURCE).parts)
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    import_module(module).main()


if __name__ == "__main__":
    main(sys.argv[1])
