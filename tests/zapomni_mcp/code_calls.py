"""Projects to index, and where agents may have them indexed."""

from __future__ import annotations

from pathlib import Path

from zapomni_core.code.allowed import NamedFolders

STORE = '''
"""Keep invoices."""


class InvoiceStore:
    """Keeps invoices on disk."""

    def save(self, invoice):
        """Write an invoice down so that it survives a restart."""
        return encode_invoice(invoice)


def encode_invoice(invoice):
    return repr(invoice)
'''
APP = """
from store import InvoiceStore


def close_month(invoices):
    store = InvoiceStore()
    for invoice in invoices:
        store.save(invoice)
"""


def write_project(folder: Path) -> Path:
    """Write two files, of which one calls into the other."""
    folder.mkdir(parents=True)
    (folder / "store.py").write_text(STORE)
    (folder / "app.py").write_text(APP)
    (folder / ".env").write_text("PASSWORD=hunter2\n")
    return folder


def write_many(folder: Path, count: int) -> Path:
    """Write files that call each other in a row."""
    folder.mkdir(parents=True)
    for number in range(count):
        before = f"part_{number - 1:04}" if number else "nothing"
        (folder / f"part_{number:04}.py").write_text(
            f"import {before}\n\n\ndef step_{number:04}(x):\n"
            f"    return {before}.step_{max(number - 1, 0):04}(x)\n"
        )
    return folder


def allow(data_dirs: list[Path], folder: Path) -> None:
    """Note a folder as `zapomni index` does."""
    for data_dir in data_dirs:
        NamedFolders(data_dir).add(folder)
