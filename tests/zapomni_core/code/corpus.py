"""A folder with everything that has ever upset a program that reads source code."""

from __future__ import annotations

import codecs
import os
from pathlib import Path

FUNCTION = "def kept_{}(x):\n    return x\n"


def write_corpus(root: Path) -> None:
    """Write the folder; what cannot be made on this system is left out."""
    root.mkdir()
    contents: dict[str, bytes] = {
        "plain.py": FUNCTION.format("plain").encode(),
        "empty.py": b"",
        "nul.py": b"x = 1\0\0\n" * 20,
        "utf16.py": codecs.BOM_UTF16_LE + FUNCTION.format("utf16").encode("utf-16-le"),
        "latin.py": ("# caf\xe9\n" + FUNCTION.format("latin") * 9).encode("latin-1"),
        "crlf.py": FUNCTION.format("crlf").replace("\n", "\r\n").encode(),
        "bom.py": codecs.BOM_UTF8 + FUNCTION.format("bom").encode(),
        "long_line.py": b"x = '" + b"a" * 1_100_000 + b"'\n",
        "minified.js": b"function a(){return 1};" * 2_000,
        "nested.py": b"x = " + b"(" * 100_000 + b"1" + b")" * 100_000 + b"\n",
        "deep.json": b"[" * 100_000,
        "deep.js": b"\n".join([b"[" * 100] * 1_000),
        "noise.py": bytes(range(256)) * 100,
        "broken.py": b"def kept_broken(:\n  class ((((\n" * 50,
        "two\nlines.py": FUNCTION.format("newline").encode(),
        "🐍.py": FUNCTION.format("emoji").encode(),
        "-rf.py": FUNCTION.format("dash").encode(),
        "Case.py": FUNCTION.format("upper").encode(),
        "case.py": FUNCTION.format("lower").encode(),
        "no newline.py": b"def kept_end(): pass",
        ".hidden.py": FUNCTION.format("hidden").encode(),
        "script": b"#!/usr/bin/env python3\n" + FUNCTION.format("script").encode(),
        "notes.xyz": b"nothing\n",
        ".env": b"PASSWORD=hunter2\n",
        "inner/.git/HEAD": b"ref: refs/heads/main\n",
        "inner/.git/objects/x": b"",
        "inner/.git/refs/x": b"",
        "inner/foreign.py": FUNCTION.format("foreign").encode(),
        "node_modules/pkg/index.js": b"module.exports = 1\n",
    }
    for name, content in contents.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    Path(os.fsdecode(os.fsencode(root) + b"/bad\xff.py")).write_bytes(b"x = 1\n")
    os.mkfifo(root / "pipe.py")
    (root / "loop").symlink_to(root, target_is_directory=True)
    (root / "self.py").symlink_to("self.py")
    (root / "out.py").symlink_to("/etc/hosts")
    closed = root / "closed"
    closed.mkdir()
    (closed / "unseen.py").write_bytes(b"x = 1\n")
    closed.chmod(0)


def files_in(root: Path) -> set[str]:
    """List every file and link, as it is named in an answer; what git keeps is not part of it."""
    found = set()
    for folder, folders, files in os.walk(root):
        if ".git" in folders:
            folders.remove(".git")
        links = [name for name in folders if Path(folder, name).is_symlink()]
        for name in [*files, *links]:
            path = os.fsencode(Path(folder, name).relative_to(root))
            found.add(path.decode(errors="backslashreplace"))
    return found
