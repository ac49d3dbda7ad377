"""What is no definition is answered with the lines that name it."""

from pathlib import Path

import pytest

from zapomni_core import MemoryEngine

pytestmark = pytest.mark.anyio

CONSTANTS = {
    "a.py": ("def f():\n    return MAX_TRIES\n\n\nMAX_TRIES = 5\n", "MAX_TRIES", "a.py:5:"),
    "a.rs": ("fn f() -> u8 { MOST }\npub const MOST: u8 = 3;\n", "MOST", "a.rs:2:"),
    "a.go": (
        "package a\nfunc f() error { return ErrGone }\nvar ErrGone = x()\n",
        "ErrGone",
        "a.go:3:",
    ),
    "a.ts": ("f(LIMIT)\nexport const LIMIT = 3\n", "LIMIT", "a.ts:2:"),
    "a.rb": ("class A\n  def f; title; end\n  attr_reader :title\nend\n", "title", "a.rb:3:"),
}


@pytest.mark.parametrize("path", CONSTANTS)
async def test_a_constant_is_answered_with_where_it_is_set(
    engine: MemoryEngine, tmp_path: Path, path: str
) -> None:
    text, name, place = CONSTANTS[path]
    (tmp_path / path).write_text(text)
    await engine.index_codebase(str(tmp_path))

    view = await engine.get_symbol(name)
    graph = await engine.get_call_graph(f"mod.{name}", "impact")

    for notice in (view.notice, graph.notice):
        assert f"these lines name it: {place}" in str(notice)


async def test_what_stands_nowhere_is_not_said_to_stand_somewhere(
    engine: MemoryEngine, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text("MAX_TRIES = 5\n")
    (tmp_path / "secrets.yml").write_text("hidden_name: horse\n")
    await engine.index_codebase(str(tmp_path))

    for name in ("unheard_of", "hidden_name", "what is this?"):
        view = await engine.get_symbol(name)
        assert "these lines" not in str(view.notice)
