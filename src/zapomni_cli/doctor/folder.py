"""Look at the data folder, the disk it is on, and the backups in it."""

from __future__ import annotations

import os
import shutil
import stat
import time
from pathlib import Path

from zapomni_cli.doctor.findings import Finding, ok, problem, warning

__all__ = ["check_backups", "check_disk", "check_folder", "disk_finding"]

# The embedded database ends itself when a write to its log fails.
_LEAST_FREE_MB = 64
_LITTLE_FREE_MB = 1000
_OLD_DAYS = 30
_DAY_S = 86_400
_ELSEWHERE = "set ZAPOMNI_DATA_DIR to a folder you can write to"


def check_folder(folder: Path) -> Finding:
    """See whether the folder is there and ours alone; it is not created."""
    try:
        found = folder.stat()
    except FileNotFoundError:
        return _check_place(folder)
    except OSError as exc:
        return problem("folder", f"{folder} cannot be looked at: {exc.strerror}.", _ELSEWHERE)
    if not stat.S_ISDIR(found.st_mode):
        return problem("folder", f"{folder} is not a folder.", _ELSEWHERE)
    if found.st_uid != os.getuid():
        return problem("folder", f"{folder} belongs to another user.", _ELSEWHERE)
    # The mode is asked too: root may write anywhere.
    if not (found.st_mode & 0o200 and os.access(folder, os.W_OK | os.X_OK)):
        return problem("folder", f"{folder} cannot be written to.", f"chmod 700 '{folder}'")
    if found.st_mode & 0o077:
        return warning("folder", f"Other users may look into {folder}.", f"chmod 700 '{folder}'")
    return ok("folder", f"{folder} can be written to, by you alone.")


def check_disk(folder: Path) -> Finding:
    """See how much room there is."""
    there = next(path for path in (folder, *folder.parents) if path.exists())
    return disk_finding(shutil.disk_usage(there).free)


def disk_finding(free_bytes: int) -> Finding:
    """Judge how much room there is."""
    free = free_bytes // 1_000_000
    if free < _LEAST_FREE_MB:
        message = f"Only {free} MB are free; the database stops below {_LEAST_FREE_MB}."
        return problem("disk", message, "free some space")
    if free < _LITTLE_FREE_MB:
        return warning("disk", f"Only {free} MB are free.", "free some space")
    return ok("disk", f"{free / 1000:.0f} GB are free.")


def check_backups(folder: Path, memories: int) -> Finding:
    """See how old the newest backup is."""
    try:
        made = [path.stat().st_mtime for path in (folder / "backups").iterdir() if path.is_file()]
    except OSError:
        made = []
    if not made:
        if memories:
            return warning("backups", "There is no backup.", "zapomni backup")
        return ok("backups", "There is nothing to back up yet.")
    days = max(0.0, time.time() - max(made)) / _DAY_S
    if days > _OLD_DAYS:
        return warning("backups", f"The last backup is {days:.0f} days old.", "zapomni backup")
    return ok("backups", f"The last backup is {days:.1f} days old.")


def _check_place(folder: Path) -> Finding:
    parent = next(path for path in folder.parents if path.exists())
    if not (parent.is_dir() and os.access(parent, os.W_OK | os.X_OK)):
        return problem("folder", f"{folder} cannot be made in {parent}.", _ELSEWHERE)
    return ok("folder", f"{folder} is not there yet; the first memory makes it.")
