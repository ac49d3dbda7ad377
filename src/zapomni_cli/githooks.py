"""Put a block into a git hook, and take it out again so that the file is as it was."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from typing import NamedTuple

__all__ = ["HOOKS", "Indexed", "NotAShellScript", "install_hook", "uninstall_hook"]

HOOKS = ("post-checkout", "post-commit", "post-merge", "post-rewrite")
_BEGIN = b"# >>> zapomni: keep the code index up to date\n"
_END = b"# <<< zapomni\n"
# Of a hook that was not there before; it goes again with the block.
_NEW = b"#!/bin/sh\n# Made by zapomni.\n"
_SHELL = re.compile(rb"#!\s*\S*(?:/|/env\s+)(?:sh|bash|dash|ksh|zsh)\b")
_BLOCK = re.compile(re.escape(_BEGIN) + rb".*?" + re.escape(_END), re.DOTALL)


class NotAShellScript(Exception):
    """A hook that is written in another language cannot take a block of shell."""


class Indexed(NamedTuple):
    """What a hook indexes, and into which memory.

    `common` is the folder that all work trees of the repository share, `inside` the indexed one
    as seen from the top of a work tree. Without `data_dir` it is the memory of whoever commits.
    """

    common: Path
    inside: Path = Path()
    data_dir: Path | None = None

    @property
    def condition(self) -> str:
        """Tell in shell whether git works on the repository.

        Hooks may be shared with other repositories, which nobody asked for.
        """
        shared = '"$(cd "$(git rev-parse --git-common-dir)" && pwd -P)"'
        return f"[ {shared} = {shlex.quote(str(self.common))} ]"

    @property
    def folder(self) -> str:
        """Name in shell the folder of the work tree that git works on."""
        top = '"$(git rev-parse --show-toplevel)"'
        return top if self.inside == Path() else f"{top}/{shlex.quote(str(self.inside))}"


def install_hook(hook: Path, indexed: Indexed) -> None:
    """Have a hook index a folder in the background; a second time changes nothing.

    Other folders that the hook indexes already stay.
    """
    before = hook.read_bytes() if hook.exists() else _NEW
    bare = _BLOCK.sub(lambda block: b"" if _is_about(block[0], indexed) else block[0], before)
    if not _SHELL.match(bare):
        raise NotAShellScript(hook.name)
    first, newline, rest = bare.partition(b"\n")
    # At the top: what is there may end with `exec` or `exit`.
    hook.write_bytes(first + (newline or b"\n") + _block(indexed) + rest)
    hook.chmod(hook.stat().st_mode | 0o111)


def uninstall_hook(hook: Path) -> bool:
    """Take the blocks out, and a file that was made for them; tell whether there were any."""
    if not hook.exists():
        return False
    before = hook.read_bytes()
    after = _BLOCK.sub(b"", before)
    if after == before:
        return False
    if after == _NEW:
        hook.unlink()
    else:
        hook.write_bytes(after)
    return True


def _block(indexed: Indexed) -> bytes:
    command = shlex.join([sys.executable, "-m", "zapomni_cli", "index", "--quick", "--quiet"])
    if indexed.data_dir is not None:
        command = f"ZAPOMNI_DATA_DIR={shlex.quote(str(indexed.data_dir))} {command}"
    lines = [
        f"if {indexed.condition}; then",
        f"  ({command} {indexed.folder} >/dev/null 2>&1 </dev/null &)",
        "fi",
    ]
    return _BEGIN + "".join(f"{line}\n" for line in lines).encode() + _END


def _is_about(block: bytes, indexed: Indexed) -> bool:
    return indexed.condition.encode() in block and f" {indexed.folder} >".encode() in block
