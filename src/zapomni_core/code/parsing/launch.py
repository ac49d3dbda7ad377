"""Start a worker without loading the packages around it.

Importing `zapomni_core` loads the engine with the database driver and the embedder: 0.9 s and
38 MB, where the worker alone takes a quarter of that. Here the packages are empty, only places
to find modules in.
"""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

_CORE = Path(__file__).resolve().parents[2]
_EMPTY = {"zapomni_core": _CORE, "zapomni_core.retrieval": _CORE / "retrieval"}


def main() -> None:
    """Run the worker."""
    for name, folder in _EMPTY.items():
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    import_module("zapomni_core.code.parsing.worker").main()


if __name__ == "__main__":
    main()
