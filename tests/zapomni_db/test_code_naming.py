"""Names as people write them, and how well symbols fit them."""

from __future__ import annotations

import pytest

from zapomni_db.code.naming import NO_MATCH, fit, name_parts


def grade(wanted: str, path: str, qname: str) -> int:
    return fit(wanted, name_parts(wanted), qname.rpartition(".")[2], qname, path)


@pytest.mark.parametrize(
    ("wanted", "path", "qname"),
    [
        ("com.x.svc.ServiceImpl", "src/com/x/svc/ServiceImpl.java", "ServiceImpl"),
        ("com.x.svc.ServiceImpl.run", "src/com/x/svc/ServiceImpl.java", "ServiceImpl.run"),
        ("crate::store::Store::save", "src/store.rs", "Store.save"),
        ("acme.Config", "acme/config.py", "Config"),
        ("self.close", "acme/config.py", "Store.close"),
    ],
)
def test_names_with_packages_fit(wanted: str, path: str, qname: str) -> None:
    assert grade(wanted, path, qname) < NO_MATCH


@pytest.mark.parametrize(
    ("wanted", "path", "qname"),
    [
        ("com.y.ServiceImpl", "src/com/x/svc/ServiceImpl.java", "ServiceImpl"),
        ("crate::other::Store::save", "src/store.rs", "Store.save"),
        ("acme.Config", "acme/config.py", "Other"),
    ],
)
def test_names_of_other_packages_do_not(wanted: str, path: str, qname: str) -> None:
    assert grade(wanted, path, qname) == NO_MATCH


def test_the_whole_path_fits_better_than_the_folder() -> None:
    assert grade("acme.config.Config", "acme/config.py", "Config") < grade(
        "acme.Config", "acme/config.py", "Config"
    )
