"""Start a worker without loading the engine around it, which takes most of a second."""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

_CORE = Path(__file__).resolve().parents[1]
_EMPTY = {"zapomni_core": _CORE, "zapomni_core.documents": _CORE / "documents"}


def main() -> None:
    """Run the worker."""
    for name, folder in _EMPTY.items():
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    import_module("zapomni_core.documents.worker").main()


if __name__ == "__main__":
    main()
