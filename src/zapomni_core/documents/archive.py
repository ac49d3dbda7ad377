"""Zip archives that may be hostile; nothing is ever written to a disk."""

from __future__ import annotations

import zlib
from io import BytesIO
from typing import Final
from zipfile import BadZipFile, ZipFile, ZipInfo

from zapomni_core.documents.draft import Draft

__all__ = ["Archive"]

_ENTRY_MARK: Final = b"PK\x01\x02"
_MAX_RATIO: Final = 200
# Small files may well repeat themselves.
_MIN_RATIO_BYTES: Final = 1_000_000
_IS_ENCRYPTED: Final = 1


class Archive:
    """Reads entries until they have taken all that is allowed."""

    def __init__(self, raw: bytes, draft: Draft) -> None:
        self._draft = draft
        self._left = draft.limits.unpacked_bytes
        # Counted before the list of entries is read, because the list itself may be the bomb.
        if raw.count(_ENTRY_MARK) > draft.limits.archive_entries:
            raise draft.refused(
                f"is an archive of more than {draft.limits.archive_entries:,} files; "
                "export it again from the program that wrote it"
            )
        try:
            self._zip = ZipFile(BytesIO(raw))
            self._entries = {entry.filename: entry for entry in self._zip.infolist()}
        except (BadZipFile, NotImplementedError, ValueError, OSError) as exc:
            raise self._broken() from exc

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def read(self, name: str) -> bytes:
        """Unpack an entry; a missing one breaks the document."""
        entry = self._entries.get(name)
        if entry is None:
            raise self._broken()
        self._check(entry)
        try:
            with self._zip.open(entry) as file:
                unpacked = file.read(self._left + 1)
        except (BadZipFile, EOFError, NotImplementedError, OSError, ValueError, zlib.error) as exc:
            raise self._broken() from exc
        self._left -= len(unpacked)
        if self._left < 0:
            raise self._bomb()
        return unpacked

    def _check(self, entry: ZipInfo) -> None:
        if entry.flag_bits & _IS_ENCRYPTED:
            raise self._draft.refused("is encrypted; save a copy without a password")
        is_dense = entry.file_size > _MAX_RATIO * max(entry.compress_size, 1)
        if entry.file_size > self._left or (is_dense and entry.file_size > _MIN_RATIO_BYTES):
            raise self._bomb()

    def _bomb(self) -> Exception:
        return self._draft.refused(
            "unpacks to far more than its size; save it again from the program that wrote it"
        )

    def _broken(self) -> Exception:
        return self._draft.refused(
            "is broken; open it in the program that wrote it and save it again"
        )
