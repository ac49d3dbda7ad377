"""Fetch the projects that are measured with, as their authors published them.

Sources of Python packages are located by uv and packages of npm are taken by npm, so both come
from the registries that these two are set up for. Nothing is built and nothing is installed.
"""

from __future__ import annotations

import hashlib
import io
import shutil
import subprocess
import sys
import tarfile
import tomllib
import urllib.request
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from zapomni_core.code.languages import language_of

__all__ = ["FOLDER", "files_of", "project"]

FOLDER = Path("build/code")
TIMEOUT_S = 300
PYTHON_PACKAGES = {
    "click": "8.3.0",
    "django": "5.2.8",
    "flask": "3.1.2",
    "jinja2": "3.1.6",
    "jpype1": "1.7.1",
    "lupa": "2.8",
    "pydantic-core": "2.50.4",
    "pythonnet": "3.2.1",
    "requests": "2.32.5",
    "uvloop": "0.23.0",
    "wandb": "0.31.0",
    "werkzeug": "3.1.3",
}
NPM_PACKAGES = {
    "@capacitor/android": "8.5.2",
    "@reduxjs/toolkit": "2.9.0",
    "@tanstack/react-query": "5.107.1",
    "@wordpress/block-library": "11.1.0",
    "bats": "1.13.0",
    "effect": "3.18.0",
    "eslint": "10.14.0",
    "express": "5.1.0",
    "react-native": "0.76.5",
    "rxjs": "7.8.2",
    "typescript": "5.9.3",
    "zod": "4.1.12",
}
LARGEST_BYTES = 1_000_000


def project(name: str) -> Path:
    """Return the folder of a project; fetch it if it is not there."""
    folder = FOLDER / name.replace("/", "-").lstrip("@")
    if not folder.exists():
        print(f"fetching {name} ...", file=sys.stderr, flush=True)
        FOLDER.mkdir(parents=True, exist_ok=True)
        archive = _npm_archive(name) if name in NPM_PACKAGES else _python_archive(name)
        _unpack(archive, folder)
    return folder


def files_of(folder: Path, languages: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the path below the folder and the language of each file in one of the languages."""
    wanted = frozenset(languages)
    for path in sorted(folder.rglob("*")):
        language = language_of(path.name)
        if language in wanted and path.is_file() and path.stat().st_size <= LARGEST_BYTES:
            yield path.relative_to(folder).as_posix(), language


def _npm_archive(name: str) -> bytes:
    with TemporaryDirectory() as folder:
        _run(
            name,
            [
                "npm",
                "pack",
                "--silent",
                "--ignore-scripts",
                "--pack-destination",
                folder,
                f"{name}@{NPM_PACKAGES[name]}",
            ],
        )
        (archive,) = Path(folder).iterdir()
        return archive.read_bytes()


def _python_archive(name: str) -> bytes:
    requirement = f"{name}=={PYTHON_PACKAGES[name]}"
    options = ["--quiet", "--no-config", "--no-deps", "--no-header", "--format", "pylock.toml"]
    lock = _run(name, ["sh", "scripts/uv.sh", "pip", "compile", *options, "-"], requirement)
    (package,) = tomllib.loads(lock)["packages"]
    try:
        with urllib.request.urlopen(package["sdist"]["url"], timeout=TIMEOUT_S) as answer:
            archive: bytes = answer.read()
    except OSError as error:
        raise _not_fetched(name, str(error)) from error
    if hashlib.sha256(archive).hexdigest() != package["sdist"]["hashes"]["sha256"]:
        raise _not_fetched(name, "what came is not what the registry announced")
    return archive


def _run(name: str, command: list[str], text: str = "") -> str:
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, timeout=TIMEOUT_S, check=True
        )
    except FileNotFoundError as error:
        raise _not_fetched(name, f"{command[0]} is not installed") from error
    except subprocess.TimeoutExpired as error:
        raise _not_fetched(name, f"{command[0]} took longer than {TIMEOUT_S} s") from error
    except subprocess.CalledProcessError as error:
        raise _not_fetched(name, error.stderr.strip()) from error
    return done.stdout


def _not_fetched(name: str, reason: str) -> SystemExit:
    return SystemExit(
        f"{name} cannot be fetched: {reason}\n"
        f"The measurement needs the network once; put the sources into {FOLDER}/ otherwise."
    )


def _unpack(archive: bytes, folder: Path) -> None:
    """Unpack beside the folder first, so that half a project is never taken for a whole one."""
    with TemporaryDirectory(dir=FOLDER) as beside:
        with tarfile.open(fileobj=io.BytesIO(archive)) as opened:
            opened.extractall(beside, filter="data")
        (inner,) = Path(beside).iterdir()
        shutil.move(inner, folder)
