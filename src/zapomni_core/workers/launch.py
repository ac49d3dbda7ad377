"""Run the `main` of a module without loading the packages around it.

Importing `zapomni_core` loads the engine with the database driver and the embedder: 0.9 s and
38 MB, where a worker alone takes a quarter of that. Here the packages are empty, only places
to find modules in.
"""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

_CORE = Path(__file__).resolve().parents[1]


def main(module: str) -> None:
    """Run the worker."""
    for folder in (_CORE, *(path.parent for path in _CORE.glob("*/__init__.py"))):
        name = ".".join(folder.relative_to(_CORE.parent).parts)
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    import_module(module).main()


if __name__ == "__main__":
    main(sys.argv[1])
