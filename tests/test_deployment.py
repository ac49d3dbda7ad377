"""The image, the compose file and the deployment guide agree with each other and with the code."""

from __future__ import annotations

import asyncio
import configparser
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import AliasChoices

from tests.folders import setting_names
from tests.zapomni_db.samples import STAMP, sample
from tests.zapomni_db.servers import running_server
from zapomni_core import Settings
from zapomni_db import Keyspace, Store
from zapomni_db.embedded import _MODULE_ARGUMENTS, binaries
from zapomni_mcp.metrics import Metrics

ROOT = Path(__file__).parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE_TEXT = (ROOT / "compose.yaml").read_text(encoding="utf-8")
GUIDE = (ROOT / "docs/deployment.md").read_text(encoding="utf-8")
SETTINGS = set(setting_names())
OF_THE_FALKORDB_IMAGE = {"BROWSER", "FALKORDB_ARGS", "REDISCLI_AUTH", "REDIS_ARGS"}
OF_UV = {
    "UV_COMPILE_BYTECODE",
    "UV_LINK_MODE",
    "UV_PYTHON",
    "UV_PYTHON_DOWNLOADS",
    "UV_PYTHON_INSTALL_DIR",
}
# Words that look like variables: arguments of the database, a place to fill in.
NOT_VARIABLES = {"CMD_INFO", "DELAY_INDEXING", "MAX_QUEUED_QUERIES", "TIMEOUT_DEFAULT"}
NOT_VARIABLES |= {"TIMEOUT_MAX"}


def compose() -> Any:
    return yaml.safe_load(COMPOSE_TEXT)


def instructions(name: str) -> list[str]:
    """Return what follows an instruction of the Dockerfile, each time it occurs."""
    joined = DOCKERFILE.replace("\\\n", " ")
    return re.findall(rf"^{name} (.*)$", joined, re.MULTILINE)


def image_environment() -> dict[str, str]:
    pairs = [pair.partition("=") for line in instructions("ENV") for pair in shlex.split(line)]
    return {name: value for name, _, value in pairs}


def block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    return str(found)


def unit() -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(block("ini"))
    return parser


def script() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (name,) = [n for n, target in project["scripts"].items() if target.startswith("zapomni_mcp")]
    return str(name)


def secrets() -> set[str]:
    """List the variables that must never have a value in a file of this repository."""
    fields = [f for f in Settings.model_fields.values() if "SecretStr" in str(f.annotation)]
    aliases = [field.validation_alias for field in fields]
    return {str(alias.choices[0]) for alias in aliases if isinstance(alias, AliasChoices)}


def server_environment() -> dict[str, str]:
    environment: dict[str, str] = compose()["services"]["server"]["environment"]
    return environment


def test_every_variable_in_the_files_exists() -> None:
    text = DOCKERFILE + COMPOSE_TEXT + GUIDE
    named = set(re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", text)) - NOT_VARIABLES
    given = set(image_environment()) - {"PATH"}
    for service in compose()["services"].values():
        given |= set(service["environment"])

    assert named | given <= SETTINGS | OF_THE_FALKORDB_IMAGE | OF_UV


def test_no_secret_has_a_value_in_the_files() -> None:
    asked_for = secrets() & set(server_environment())

    assert not instructions("ARG")
    assert not secrets() & set(image_environment())
    assert asked_for == {"FALKORDB_PASSWORD", "ZAPOMNI_AUTH_TOKEN"}
    for name in asked_for:
        assert re.fullmatch(rf"\$\{{{name}:\?[^}}]+\}}", server_environment()[name])


def test_the_image_is_built_from_files_that_are_there_and_not_ignored() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    kept = {line[1:] for line in ignored if line.startswith("!")}
    copied = [line.split() for line in instructions("COPY") if not line.startswith("--from")]
    sources = {source for line in copied for source in line[:-1]}

    assert "*" in ignored
    assert sources == kept
    assert all((ROOT / source).exists() for source in sources)


def test_the_image_has_the_python_of_the_project_and_starts_its_command() -> None:
    wanted = (ROOT / ".python-version").read_text(encoding="utf-8").strip()

    assert {line.split()[0] for line in instructions("FROM")} == {f"python:{wanted}-slim-trixie"}
    assert image_environment()["UV_PYTHON"].endswith(f"python{wanted}")
    assert instructions("ENTRYPOINT") == [f'["{script()}"]']


def test_the_image_does_not_run_as_root() -> None:
    (user,) = instructions("USER")
    number = user.partition(":")[0]

    assert int(number) > 0
    assert f"--uid {number}" in DOCKERFILE
    assert f"user {number}" in GUIDE


def test_ports_agree() -> None:
    port = image_environment()["ZAPOMNI_SSE_PORT"]
    exposed = instructions("EXPOSE")
    published = compose()["services"]["server"]["ports"]

    assert int(port) == Settings.model_fields["sse_port"].default
    assert exposed == [port]
    assert published == [f"127.0.0.1:{port}:{port}"]
    assert set(re.findall(r"127\.0\.0\.1:(\d+)", GUIDE)) == {port}
    assert set(re.findall(r"--port (\d+)", GUIDE)) == {port}


def test_folders_agree() -> None:
    folder = image_environment()["ZAPOMNI_DATA_DIR"]
    service = unit()["Service"]

    assert instructions("VOLUME") == [f'["{folder}"]']
    assert compose()["services"]["server"]["volumes"] == [f"server-data:{folder}"]
    assert f"-v zapomni:{folder}" in GUIDE
    assert service["Environment"] == f"ZAPOMNI_DATA_DIR=/var/lib/{service['StateDirectory']}"


def test_every_volume_is_declared_and_named_in_the_guide() -> None:
    services = compose()["services"].values()
    mounted = {volume.partition(":")[0] for service in services for volume in service["volumes"]}

    assert mounted == set(compose()["volumes"])
    assert all(f"`{name}`" in GUIDE for name in mounted)


def test_the_server_waits_for_the_database_it_is_told_to_use() -> None:
    services = compose()["services"]
    host = server_environment()["FALKORDB_HOST"]

    assert services["server"]["depends_on"] == {host: {"condition": "service_healthy"}}
    assert "healthcheck" in services[host]
    assert "ports" not in services[host]


def test_the_database_of_compose_is_the_release_that_is_developed_against() -> None:
    operations = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    (release,) = re.findall(r"Developed against ([\d.]+)", operations)

    assert compose()["services"]["database"]["image"] == f"falkordb/falkordb:v{release}"


def test_a_database_started_as_compose_does_keeps_memories(tmp_path: Path) -> None:
    environment = compose()["services"]["database"]["environment"]
    arguments = re.sub(r"\$\{FALKORDB_PASSWORD[^}]*\}", "secret", environment["REDIS_ARGS"])
    module = [
        "--loadmodule",
        str(binaries() / "falkordb.so"),
        *environment["FALKORDB_ARGS"].split(),
    ]
    memory, chunks = sample("pine")

    async def keep() -> int:
        store = Store(database.address, Keyspace("compose"))
        await store.open()
        await store.claim(STAMP)
        await store.add(memory, chunks)
        stored = (await store.counts()).memories
        await store.close()
        return stored

    with running_server(tmp_path, *arguments.split(), *module, password="secret") as database:
        assert asyncio.run(keep()) == 1
        assert database.ask("CONFIG", "GET", "appendfsync")[1] == "always"
        assert database.ask("CONFIG", "GET", "maxmemory-policy")[1] == "noeviction"
    assert environment["FALKORDB_ARGS"] == _MODULE_ARGUMENTS


def test_the_unit_starts_the_command_with_options_it_knows() -> None:
    command, *options = shlex.split(unit()["Service"]["ExecStart"])
    known = subprocess.run(
        [sys.executable, "-m", "zapomni_mcp", *options, "--help"],
        capture_output=True,
        check=True,
        text=True,
    ).stdout

    assert Path(command).parts[-3:] == (".venv", "bin", script())
    assert all(option in known for option in options if option.startswith("--"))


def test_the_scrape_example_can_be_read_and_points_at_the_server() -> None:
    (job,) = yaml.safe_load(block("yaml"))["scrape_configs"]

    assert job["static_configs"] == [{"targets": ["127.0.0.1:8000"]}]
    assert "credentials_file" in job["authorization"]


def test_the_metrics_in_the_guide_are_those_of_the_server() -> None:
    metrics = Metrics()
    metrics.observe_call("get_stats", is_error=False, seconds=0.1)
    exported = re.findall(r"^# TYPE (\w+)", metrics.text(0).decode(), re.MULTILINE)
    wanted = {name for name in exported if not name.endswith("_created")}

    assert set(re.findall(r"`(zapomni_\w+)`", GUIDE)) == wanted


@pytest.mark.parametrize("target", ["bench-load", "soak"])
def test_the_make_targets_in_the_guide_exist(target: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")

    assert f"`make {target}`" in GUIDE
    assert re.search(rf"^{target}:.*## ", makefile, re.MULTILINE)
