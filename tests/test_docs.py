"""What the documentation says is what the code does."""

from __future__ import annotations

import ast
import inspect
import json
import re
import subprocess
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
from mcp.types import CallToolResult, TextContent

import zapomni_core
from scripts import demo, show_connect, write_docs
from tests.folders import fresh_settings, setting_names
from zapomni_core import MemoryEngine, Settings

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("models/**/*.md")])
SOURCES = sorted(ROOT.glob("src/**/*.py"))
LOG_LEVELS = {"debug", "info", "warning", "error", "exception", "critical"}
ERRORS_WITH_MESSAGES = {
    "ConfigurationError",
    "DataFolderUnusable",
    "DatabaseError",
    "EmbedderUnavailable",
    "Failure",
    "LanguageModelUnavailable",
    "ProcessingError",
    "StoreError",
    "StoreMismatch",
    "StoreRefused",
    "StoreUnavailable",
}


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(page: Path, language: str) -> list[str]:
    """Return the code blocks of a page in a language."""
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def calls(names: Collection[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield what is called by these names in the sources, and the fixed text it is given first."""
    for path in SOURCES:
        module = ast.parse(path.read_text(encoding="utf-8"))
        constants = {
            ast.unparse(node.targets[0]): node.value
            for node in module.body
            if isinstance(node, ast.Assign)
        }
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and node.args:
                called = ast.unparse(node.func)
                if called.rpartition(".")[2] in names:
                    given = constants.get(ast.unparse(node.args[0]), node.args[0])
                    yield called, fixed_parts(given)


def fixed_parts(node: ast.expr) -> list[str]:
    """Return the pieces of a message that do not depend on values."""
    pieces = node.values if isinstance(node, ast.JoinedStr) else [node]
    return [p.value for p in pieces if isinstance(p, ast.Constant) and isinstance(p.value, str)]


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):.*## ", read("Makefile"), re.MULTILINE))


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as a Markdown viewer makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links() -> list[tuple[Path, str]]:
    found = []
    for page in PAGES:
        targets = re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
        found += [(page, target) for target in targets if "://" not in target]
    return found


def kept_files() -> list[Path]:
    """List every text file that git keeps or would keep."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    paths = [ROOT / name for name in names.split("\0") if name]
    return [path for path in paths if path.is_file() and b"\0" not in path.read_bytes()]


def without_values(result: CallToolResult) -> str:
    """Return an answer's text with a mark for everything that differs from run to run."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    text = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "<id>", content.text)
    text = re.sub(r"\b[0-9a-f]{12}\b", "<id>", text)
    text = re.sub(r"\S+(?=/exports/)", "<data folder>", text)
    text = re.sub(r"\b\d{4}-\d\d-\d\d \d\d:\d\d\b", "<time>", text)
    return re.sub(r"\b\d+\.\d+|\b\d+ ms|\b(ready|warming)\b", "<value>", text)


def test_generated_parts_are_current() -> None:
    stale = [p.name for p, text in write_docs.texts().items() if p.read_text("utf-8") != text]

    assert not stale, f"run `python -m scripts.write_docs`; it would change {stale}"


def test_shown_answers_are_those_of_a_real_memory(tmp_path: Path) -> None:
    shown = write_docs.answers(write_docs.ExampleEngine(fresh_settings(tmp_path)))
    # Read when the examples ask for it, not whenever the background comes to it.
    settings = fresh_settings(tmp_path, graph_name="zapomni", auto_graph=False)
    real = write_docs.answers(MemoryEngine(settings))

    assert [without_values(r) for r in shown] == [without_values(r) for r in real]
    assert [shape(r.structured_content) for r in shown] == [
        shape(r.structured_content) for r in real
    ]


def shape(value: object) -> object:
    """Return what kinds of values an answer has, and where."""
    match value:
        case dict():
            return {key: shape(part) for key, part in value.items()}
        case list():
            return [shape(part) for part in value]
    return type(value).__name__


def test_every_tool_has_an_example_that_succeeds_and_its_own_section() -> None:
    engine = write_docs.ExampleEngine(Settings.model_construct())
    shown = zip(write_docs.EXAMPLES, write_docs.answers(engine), strict=True)
    succeeded = {example.tool for example, result in shown if not result.is_error}
    declared = {tool.name for tool in write_docs.declared_tools(engine)}

    assert succeeded == declared
    assert declared <= anchors(ROOT / "docs/tools.md")


def test_every_setting_is_documented() -> None:
    page = read("docs/configuration.md")

    names = [name for name in setting_names() if name.isupper()]

    assert names
    assert not [name for name in names if f"| `{name}` |" not in page]


def test_the_documented_data_folder_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("ZAPOMNI_DATA_DIR", raising=False)
    monkeypatch.setenv("HOME", "/home/user")
    default = str(Settings.model_construct().data_dir).replace("/home/user", "~")

    for page in ("README.md", "docs/configuration.md", "docs/operations.md"):
        assert f"`{default}`" in read(page)


@pytest.mark.parametrize(
    "line", re.findall(r"^zapomni: .*$", read("docs/configuration.md"), re.MULTILINE)
)
def test_a_wrong_value_reads_as_documented(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name = re.findall(r"[A-Z][A-Z_]+", line)[0]
    wrong = {"FALKORDB_PORT": "99999", "ZAPOMNI_FSYNC": "never", "EMBEDDING_MODEL": "foo"}
    for other in setting_names():
        monkeypatch.delenv(other, raising=False)
    monkeypatch.setenv(name, wrong[name])

    with pytest.raises(zapomni_core.ConfigurationError) as refused:
        zapomni_core.load_settings()

    assert f"zapomni: {refused.value}" == line


def test_every_error_class_of_the_engine_is_documented() -> None:
    page = read("docs/architecture.md")
    public = {name: getattr(zapomni_core, name) for name in zapomni_core.__all__}
    errors = [n for n, v in public.items() if inspect.isclass(v) and issubclass(v, Exception)]

    assert not [name for name in errors if f"| `{name}` |" not in page]


def test_every_error_message_has_a_way_out() -> None:
    page = read("docs/operations.md")
    messages = [message[0] for _, message in calls(ERRORS_WITH_MESSAGES) if message]
    openings = {re.split(r"(?<=[.;:]) ", message)[0].strip() for message in messages}

    assert "Database temporarily unavailable." in openings
    assert not [opening for opening in sorted(openings) if opening not in page]


def test_every_log_event_is_documented() -> None:
    page = read("docs/operations.md")
    logged = {event for name, events in calls(LOG_LEVELS) if "log" in name for event in events}

    assert "request_processed" in logged
    assert not [event for event in sorted(logged) if f"| `{event}` |" not in page]


def test_the_named_make_targets_are_those_of_the_makefile() -> None:
    pages = read("README.md") + read("CONTRIBUTING.md")
    named = set(re.findall(r"(?:^|`)make ([a-z-]+)", pages, re.MULTILINE))

    assert named == make_targets()


def test_every_shell_line_of_the_readme_is_a_make_target() -> None:
    lines = [line for block in blocks(ROOT / "README.md", "sh") for line in block.splitlines()]
    commands = [line.partition("#")[0].split() for line in lines]

    assert commands
    assert all(make == "make" and target in make_targets() for make, target in commands)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_code_blocks_can_be_read(page: Path) -> None:
    for code in blocks(page, "python"):
        compile(code, page.name, "exec")
    for code in blocks(page, "json"):
        json.loads(code)
    for code in blocks(page, "sh"):
        subprocess.run(["sh", "-n"], input=code, text=True, check=True)


def test_every_relative_link_leads_somewhere() -> None:
    broken = []
    for page, target in links():
        name, _, anchor = target.partition("#")
        goal = (page.parent / name) if name else page
        if not goal.exists() or (anchor and anchor not in anchors(goal)):
            broken.append(f"{page.relative_to(ROOT)}: {target}")

    assert not broken


def test_the_readme_shows_the_client_block_that_is_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show_connect.main()
    printed = re.findall(r"^\{.*?^\}$", capsys.readouterr().err, re.MULTILINE | re.DOTALL)
    shown = [block.strip() for block in blocks(ROOT / "README.md", "json")]
    place = "/path/to/zapomni/.venv/bin/zapomni-mcp"

    assert shown == [block.replace(str(show_connect.COMMAND), place) for block in printed]


def test_the_readme_shows_what_the_demo_says() -> None:
    (shown,) = blocks(ROOT / "README.md", "text")[:1]
    said = (*demo.MEMORIES, *demo.QUESTIONS, f"What do we know about {demo.NAME}?")

    assert not [text for text in said if text not in shown]


def test_no_file_names_a_machine_or_a_package_registry() -> None:
    own = [re.escape(str(place)) for place in (ROOT, Path.home()) if len(place.parts) > 1]
    places = [rf"(?<![\w.~-])(?:{'|'.join(own)}|/(?:home|Users)/(?!user\b)\w+)(?![\w-])"]
    registries = [r"\b(?:pypi|pythonhosted|npmjs)\.\w+", r"https?://\S+/simple\b", "index[-_]url"]
    forbidden = re.compile("|".join(places + registries))
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in kept_files()
        for match in forbidden.finditer(path.read_text(encoding="utf-8", errors="replace"))
    ]

    assert not found
