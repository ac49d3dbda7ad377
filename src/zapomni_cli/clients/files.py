"""Read and replace settings files: whole or not at all, links and permissions kept."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from zapomni_cli.clients.errors import Unwritable

__all__ = ["backup_of", "ensure_writable", "read", "remove", "write"]

# Settings may hold keys of other servers: a new file is for its owner only.
_PRIVATE = 0o600


def backup_of(path: Path) -> Path:
    """Return where the file is kept as it was before."""
    return path.with_name(f"{path.name}.zapomni-backup")


def read(path: Path) -> bytes | None:
    """Return the content, None if there is no such file."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as exc:
        raise Unwritable(f"it cannot be read: {exc.strerror}") from exc


def ensure_writable(path: Path) -> None:
    """Refuse a file that its owner has made read-only, and a folder that cannot be written to."""
    real = path.resolve()
    # The mode is asked too: root may write anywhere, and a rename minds only the folder.
    if real.exists() and not (real.stat().st_mode & 0o222 and os.access(real, os.W_OK)):
        raise Unwritable("it is read-only")
    folder = next(parent for parent in real.parents if parent.exists())
    if not os.access(folder, os.W_OK):
        raise Unwritable(f"the folder {folder} is read-only")


def write(path: Path, content: bytes, *, like: Path | None = None) -> None:
    """Replace a file at once; a link stays a link, and the permissions stay what they are.

    Args:
        path: The file, which may be new.
        content: All of it.
        like: The file whose permissions a new one gets.
    """
    real = path.resolve()
    try:
        real.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{real.name}.", dir=real.parent)
    except OSError as exc:
        raise Unwritable(f"the folder {real.parent} cannot be written to: {exc.strerror}") from exc
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        _dress(temporary, real if real.exists() else like)
        temporary.replace(real)
    except OSError as exc:
        raise Unwritable(f"it cannot be written: {exc.strerror}") from exc
    finally:
        temporary.unlink(missing_ok=True)


def remove(path: Path) -> None:
    """Delete a file; the target of a link, not the link."""
    try:
        path.resolve().unlink(missing_ok=True)
    except OSError as exc:
        raise Unwritable(f"it cannot be deleted: {exc.strerror}") from exc


def _dress(path: Path, like: Path | None) -> None:
    if like is None or not like.exists():
        path.chmod(_PRIVATE)
        return
    looks = like.stat()
    path.chmod(stat.S_IMODE(looks.st_mode))
    if hasattr(os, "chown"):
        with suppress(PermissionError):
            os.chown(path, looks.st_uid, looks.st_gid)
