"""Where programs keep their settings on this system."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Machine", "is_there", "this_machine"]


@dataclass(frozen=True, slots=True)
class Machine:
    """A user's home on a platform, named as `sys.platform` names it."""

    home: Path
    platform: str
    variables: Mapping[str, str]

    @property
    def config(self) -> Path:
        """The folder of programs that follow the XDG rules, which some do on every system."""
        return self.folder("XDG_CONFIG_HOME", self.home / ".config")

    @property
    def application_data(self) -> Path:
        """The folder of programs that follow the rules of the platform."""
        match self.platform:
            case "darwin":
                return self.home / "Library" / "Application Support"
            case "win32":
                return self.folder("APPDATA", self.home / "AppData" / "Roaming")
        return self.config

    def folder(self, variable: str, otherwise: Path) -> Path:
        """Return the path in a variable, if that is set."""
        value = self.variables.get(variable)
        return Path(value).expanduser() if value else otherwise

    def has_program(self, name: str) -> bool:
        """Tell whether a program can be started by its name."""
        return shutil.which(name, path=self.variables.get("PATH", "")) is not None


def is_there(path: Path) -> bool:
    """Tell whether a path exists, or is at least kept from us."""
    try:
        return path.exists()
    except PermissionError:
        return True


def this_machine() -> Machine:
    """Return the machine and the user of this process."""
    return Machine(Path.home(), sys.platform, os.environ)
