"""What can be imported from a package is exactly what its `__all__` says."""

import importlib
import pkgutil
from types import ModuleType

import pytest

ROOTS = ["zapomni_cli", "zapomni_core", "zapomni_db", "zapomni_mcp"]


def packages() -> list[str]:
    found = list(ROOTS)
    for name in ROOTS:
        inner = pkgutil.iter_modules(importlib.import_module(name).__path__, f"{name}.")
        found += [module.name for module in inner if module.ispkg]
    return found


@pytest.mark.parametrize("name", packages())
def test_a_package_offers_its_all_and_nothing_else(name: str) -> None:
    package = importlib.import_module(name)
    at_hand = {
        public
        for public, value in vars(package).items()
        if not public.startswith("_") and not isinstance(value, ModuleType)
    }

    assert at_hand - {"TYPE_CHECKING", "annotations"} <= set(package.__all__)
    assert sorted(package.__all__, key=_order) == package.__all__
    for public in package.__all__:
        assert getattr(package, public) is not None
    with pytest.raises(AttributeError):
        package.never_heard_of  # noqa: B018


def _order(name: str) -> tuple[int, str]:
    """Constants first, then classes, then functions, as the linter sorts them."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)
