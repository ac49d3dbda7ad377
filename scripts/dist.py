"""Build what is published: wheels, a bundle to install with a click, an entry for the registry.

The bundle (.mcpb) holds the wheels of Zapomni and of its model; the host that installs it brings
Python and the other packages with uv.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import tomllib
import zipfile
from pathlib import Path
from typing import Any

from zapomni_mcp.tools import TOOLS

ROOT = Path(__file__).parent.parent
MANIFEST_VERSION = "0.4"
REGISTRY_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
# README.md names it too: that is how the registry knows who owns the package.
REGISTRY_NAME = "io.github.zapomni/zapomni"
PACKAGES = (".", "models/small")
ARCHIVES = frozenset({".whl", ".gz", ".mcpb"})
ENTRY_POINT = "server.py"
ENTRY = """import sys

from zapomni_mcp.__main__ import main

sys.argv[1:] = ["--transport", "stdio"]
main()
"""


def main() -> None:
    """Build everything into a folder and say what is there."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    for path in build(parser.parse_args().out):
        print(f"{path.stat().st_size / 1e6:8.2f} MB  {path.name}")


def build(out: Path) -> list[Path]:
    """Build wheels, source archives, the bundle and the entry for the registry."""
    out.mkdir(parents=True, exist_ok=True)
    for old in [path for path in out.iterdir() if path.suffix in ARCHIVES]:
        old.unlink()
    for package in PACKAGES:
        command = ["sh", "scripts/uv.sh", "build", "--quiet", "--out-dir", str(out), package]
        subprocess.run(command, cwd=ROOT, check=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    about = project["project"]
    bundle = out / f"{about['name']}-{about['version']}.mcpb"
    _write_bundle(bundle, project, sorted(out.glob("*.whl")))
    entry = out / "server.json"
    entry.write_text(json.dumps(registry_entry(about), indent=2) + "\n")
    sums = out / "SHA256SUMS"
    built = [path for path in sorted(out.iterdir()) if path.suffix in ARCHIVES]
    sums.write_text("".join(f"{_sha256(path)}  {path.name}\n" for path in built))
    return [*built, entry, sums]


def manifest(about: dict[str, Any]) -> dict[str, Any]:
    """Describe the bundle to the host that installs it."""
    return {
        "manifest_version": MANIFEST_VERSION,
        "name": about["name"],
        "display_name": "Zapomni",
        "version": about["version"],
        "description": about["description"],
        "author": {"name": "Zapomni"},
        "license": about["license"],
        "keywords": about["keywords"],
        "server": {
            "type": "uv",
            "entry_point": ENTRY_POINT,
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--directory", "${__dirname}", ENTRY_POINT],
            },
        },
        "tools": [{"name": tool.name, "description": tool.description} for tool in TOOLS],
        "compatibility": {
            "platforms": ["darwin", "linux"],
            "runtimes": {"python": about["requires-python"]},
        },
    }


def registry_entry(about: dict[str, Any]) -> dict[str, Any]:
    """Describe the published package to the MCP registry."""
    return {
        "$schema": REGISTRY_SCHEMA,
        "name": REGISTRY_NAME,
        "title": "Zapomni",
        "description": about["description"],
        "version": about["version"],
        "packages": [
            {
                "registryType": "pypi",
                "identifier": about["name"],
                "version": about["version"],
                "runtimeHint": "uvx",
                "packageArguments": [
                    {"type": "positional", "value": "serve"},
                    {"type": "named", "name": "--stdio"},
                ],
                "transport": {"type": "stdio"},
            }
        ],
    }


def _write_bundle(path: Path, project: dict[str, Any], wheels: list[Path]) -> None:
    about = project["project"]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        bundle.writestr("manifest.json", json.dumps(manifest(about), indent=2))
        bundle.writestr(ENTRY_POINT, ENTRY)
        bundle.writestr("pyproject.toml", _environment(project, wheels))
        bundle.write(ROOT / "LICENSE", "LICENSE")
        for wheel in wheels:
            bundle.write(wheel, f"wheels/{wheel.name}", zipfile.ZIP_STORED)


def _environment(project: dict[str, Any], wheels: list[Path]) -> str:
    names = [wheel.name.split("-")[0].replace("_", "-") for wheel in wheels]
    dependencies = ", ".join(f'"{name}"' for name in names)
    lines = [
        "[project]",
        'name = "zapomni-bundle"',
        f'version = "{project["project"]["version"]}"',
        f'requires-python = "{project["project"]["requires-python"]}"',
        f"dependencies = [{dependencies}]",
        "[tool.uv]",
        f'exclude-newer = "{project["tool"]["uv"]["exclude-newer"]}"',
        "[tool.uv.sources]",
    ]
    for name, wheel in zip(names, wheels, strict=True):
        lines.append(f'{name} = {{ path = "wheels/{wheel.name}" }}')
    return "\n".join(lines) + "\n"


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


if __name__ == "__main__":
    main()
