"""The clients that we know: where each keeps its settings, and in which form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from zapomni_cli.clients import shapes
from zapomni_cli.clients.documents import Entry, Format
from zapomni_cli.clients.launch import Address, Command, Launch
from zapomni_cli.clients.machine import Machine, is_there

__all__ = ["CLIENTS", "Client"]


@dataclass(frozen=True, slots=True)
class Client:
    """A program that can use the memory."""

    key: str
    title: str
    section: str
    # The first one that exists is used, else the first one.
    configs: Callable[[Machine], list[Path]]
    # What is only there if the client is, apart from the settings themselves.
    signs: Callable[[Machine], list[Path]]
    stdio: Callable[[Command], Entry]
    http: Callable[[Address], Entry] | None
    programs: tuple[str, ...] = ()
    format: Format = "json"

    def config(self, machine: Machine) -> Path:
        """Return the file of its settings, which may not be there yet."""
        paths = self.configs(machine)
        return next((path for path in paths if is_there(path)), paths[0])

    def is_installed(self, machine: Machine) -> bool:
        """Tell whether the client seems to be here."""
        places = (*self.configs(machine), *self.signs(machine))
        return any(map(is_there, places)) or any(
            machine.has_program(program) for program in self.programs
        )

    def entry(self, launch: Launch) -> Entry:
        """Return the entry for a server that this client can reach."""
        if isinstance(launch, Command):
            return self.stdio(launch)
        assert self.http is not None
        return self.http(launch)


def _claude_home(machine: Machine) -> Path:
    return machine.folder("CLAUDE_CONFIG_DIR", machine.home)


def _claude_desktop(machine: Machine) -> Path:
    return machine.application_data / "Claude"


def _vs_code(machine: Machine) -> Path:
    return machine.application_data / "Code" / "User"


def _cline(machine: Machine) -> list[Path]:
    name = "cline_mcp_settings.json"
    if named := machine.variables.get("CLINE_MCP_SETTINGS_PATH"):
        return [Path(named)]
    data = machine.folder("CLINE_DATA_DIR", machine.home / ".cline" / "data")
    # Cline keeps its settings in its own folder now, and moves those of the extension there.
    old = _vs_code(machine) / "globalStorage" / "saoudrizwan.claude-dev"
    folders = [old, data] if is_there(old) and not is_there(data) else [data, old]
    return [folder / "settings" / name for folder in folders]


def _cline_signs(machine: Machine) -> list[Path]:
    return [path.parent.parent for path in _cline(machine)]


def _codex(machine: Machine) -> Path:
    return machine.folder("CODEX_HOME", machine.home / ".codex")


def _zed(machine: Machine) -> Path:
    if machine.platform == "win32":
        return machine.application_data / "Zed"
    return machine.config / "zed"


def _opencode(machine: Machine) -> list[Path]:
    if named := machine.variables.get("OPENCODE_CONFIG"):
        return [Path(named)]
    folder = machine.config / "opencode"
    # The order in which opencode itself looks for the one that it changes.
    return [folder / name for name in ("opencode.jsonc", "opencode.json", "config.json")]


def _goose(machine: Machine) -> Path:
    if machine.platform == "win32":
        return machine.application_data / "Block" / "goose" / "config"
    return machine.config / "goose"


def _one(folder: Callable[[Machine], Path], name: str) -> Callable[[Machine], list[Path]]:
    return lambda machine: [folder(machine) / name]


def _itself(folder: Callable[[Machine], Path]) -> Callable[[Machine], list[Path]]:
    return lambda machine: [folder(machine)]


def _in_home(*parts: str) -> Callable[[Machine], Path]:
    return lambda machine: machine.home.joinpath(*parts)


def _url(key: str, kind: str | None = None) -> Callable[[Address], Entry]:
    return lambda launch: shapes.url_as(key, launch, kind)


CLIENTS = (
    Client(
        key="claude-code",
        title="Claude Code",
        section="mcpServers",
        configs=_one(_claude_home, ".claude.json"),
        signs=_itself(_in_home(".claude")),
        programs=("claude",),
        stdio=shapes.typed_command,
        http=_url("url", kind="http"),
    ),
    Client(
        key="claude-desktop",
        title="Claude Desktop",
        section="mcpServers",
        configs=_one(_claude_desktop, "claude_desktop_config.json"),
        signs=_itself(_claude_desktop),
        stdio=shapes.command,
        # Addresses are added on its own page "Connectors", never in this file.
        http=None,
    ),
    Client(
        key="cline",
        title="Cline",
        section="mcpServers",
        configs=_cline,
        signs=_cline_signs,
        programs=("cline",),
        stdio=shapes.typed_command,
        http=_url("url", kind="streamableHttp"),
    ),
    Client(
        key="codex",
        title="Codex CLI",
        section="mcp_servers",
        configs=_one(_codex, "config.toml"),
        signs=_itself(_codex),
        programs=("codex",),
        stdio=shapes.command,
        http=shapes.codex_address,
        format="toml",
    ),
    Client(
        key="cursor",
        title="Cursor",
        section="mcpServers",
        configs=_one(_in_home(".cursor"), "mcp.json"),
        signs=_itself(_in_home(".cursor")),
        programs=("cursor", "cursor-agent"),
        stdio=shapes.command,
        http=_url("url"),
    ),
    Client(
        key="gemini",
        title="Gemini CLI",
        section="mcpServers",
        configs=_one(_in_home(".gemini"), "settings.json"),
        # Not the folder: Antigravity has one of the same name.
        signs=lambda _machine: [],
        programs=("gemini",),
        stdio=shapes.command,
        http=_url("httpUrl"),
    ),
    Client(
        key="goose",
        title="Goose",
        section="extensions",
        configs=_one(_goose, "config.yaml"),
        signs=_itself(_goose),
        programs=("goose",),
        stdio=shapes.goose_command,
        http=shapes.goose_address,
        format="yaml",
    ),
    Client(
        key="opencode",
        title="opencode",
        section="mcp",
        configs=_opencode,
        signs=lambda machine: [machine.config / "opencode"],
        programs=("opencode",),
        stdio=shapes.opencode_command,
        http=shapes.opencode_address,
    ),
    Client(
        key="vscode",
        title="VS Code",
        section="servers",
        configs=_one(_vs_code, "mcp.json"),
        signs=_itself(_vs_code),
        programs=("code",),
        stdio=shapes.typed_command,
        http=_url("url", kind="http"),
    ),
    Client(
        key="windsurf",
        title="Windsurf",
        section="mcpServers",
        configs=_one(_in_home(".codeium", "windsurf"), "mcp_config.json"),
        signs=_itself(_in_home(".codeium", "windsurf")),
        programs=("windsurf",),
        stdio=shapes.command,
        http=_url("serverUrl"),
    ),
    Client(
        key="zed",
        title="Zed",
        section="context_servers",
        configs=_one(_zed, "settings.json"),
        signs=_itself(_zed),
        programs=("zed", "zeditor"),
        stdio=shapes.zed_command,
        http=_url("url"),
    ),
)
