"""What is published: a bundle that a host can start, and an entry that names the package."""

import json
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from scripts.dist import ENTRY_POINT, REGISTRY_NAME, ROOT, build
from zapomni_mcp.tools import TOOLS

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    build(out)
    return out


@pytest.fixture(scope="module")
def unpacked(built: Path) -> Path:
    (bundle,) = built.glob("*.mcpb")
    folder = built / "unpacked"
    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture
def manifest(unpacked: Path) -> dict[str, Any]:
    described: dict[str, Any] = json.loads((unpacked / "manifest.json").read_text())
    return described


def test_the_bundle_brings_the_wheels_that_its_environment_names(unpacked: Path) -> None:
    environment = tomllib.loads((unpacked / "pyproject.toml").read_text())
    sources = environment["tool"]["uv"]["sources"]

    assert sorted(sources) == sorted(environment["project"]["dependencies"])
    assert {path.name for path in (unpacked / "wheels").iterdir()} == {
        Path(source["path"]).name for source in sources.values()
    }


def test_the_wheel_holds_every_module(unpacked: Path) -> None:
    (wheel,) = (unpacked / "wheels").glob("zapomni-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if "dist-info" not in name}
    written = {
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }

    assert packed == written


async def test_the_entry_point_serves_the_tools_that_the_manifest_names(
    unpacked: Path, manifest: dict[str, Any], tmp_path: Path
) -> None:
    # A host runs this with uv, in an environment of its own; the tests have theirs.
    server = StdioServerParameters(
        command=sys.executable,
        args=[str(unpacked / manifest["server"]["entry_point"])],
        env={"ZAPOMNI_DATA_DIR": str(tmp_path / "memory")},
    )

    async with Client(server) as client:
        served = [tool.name for tool in (await client.list_tools()).tools]

    assert manifest["server"]["mcp_config"]["args"][-1] == ENTRY_POINT
    assert [tool["name"] for tool in manifest["tools"]] == served == [tool.name for tool in TOOLS]


def test_the_registry_finds_its_name_in_the_readme(built: Path) -> None:
    entry = json.loads((built / "server.json").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert entry["name"] == REGISTRY_NAME
    assert f"<!-- mcp-name: {REGISTRY_NAME} -->" in (ROOT / "README.md").read_text()
    assert entry["packages"][0]["identifier"] == project["name"]
    assert entry["packages"][0]["version"] == entry["version"] == project["version"]
    assert len(entry["description"]) <= 100
