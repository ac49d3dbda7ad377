"""Put a block into a git hook, and take it out again so that the file is as it was."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

__all__ = ["HOOKS", "NotAShellScript", "install_hook", "uninstall_hook"]

HOOKS = ("post-checkout", "post-commit", "post-merge", "post-rewrite")
_BEGIN = b"# >>> zapomni: keep the code index up to date\n"
_END = b"# <<< zapomni\n"
# Of a hook that was not there before; it goes again with the block.
_NEW = b"#!/bin/sh\n# Made by zapomni.\n"
_SHELL = re.compile(rb"#!\s*\S*(?:/|/env\s+)(?:sh|bash|dash|ksh|zsh)\b")


class NotAShellScript(Exception):
    """A hook that is written in another language cannot take a block of shell."""


def install_hook(hook: Path, common: Path) -> None:
    """Have a hook index a work tree in the background; a second time changes nothing.

    `common` is the folder that all work trees of the repository share. Hooks may be shared with
    other repositories, which nobody asked for.
    """
    before = hook.read_bytes() if hook.exists() else _NEW
    bare = _without_block(before)
    if not _SHELL.match(bare):
        raise NotAShellScript(hook.name)
    first, newline, rest = bare.partition(b"\n")
    # At the top: what is there may end with `exec` or `exit`.
    hook.write_bytes(first + (newline or b"\n") + _block(common) + rest)
    hook.chmod(hook.stat().st_mode | 0o111)


def uninstall_hook(hook: Path) -> bool:
    """Take the block out, and a file that was made for it; tell whether it was there."""
    if not hook.exists():
        return False
    before = hook.read_bytes()
    after = _without_block(before)
    if after == before:
        return False
    if after == _NEW:
        hook.unlink()
    else:
        hook.write_bytes(after)
    return True


def _block(common: Path) -> bytes:
    command = shlex.join([sys.executable, "-m", "zapomni_cli", "index", "--quick", "--quiet"])
    shared = '"$(cd "$(git rev-parse --git-common-dir)" && pwd -P)"'
    lines = [
        f"if [ {shared} = {shlex.quote(str(common))} ]; then",
        f'  ({command} "$(git rev-parse --show-toplevel)" >/dev/null 2>&1 </dev/null &)',
        "fi",
    ]
    return _BEGIN + "".join(f"{line}\n" for line in lines).encode() + _END


def _without_block(content: bytes) -> bytes:
    start = content.find(_BEGIN)
    end = content.find(_END, start)
    if start < 0 or end < 0:
        return content
    return content[:start] + content[end + len(_END) :]
