"""The code outside of definitions is found if it says something."""

from pathlib import Path

import pytest

from zapomni_core import MemoryEngine
from zapomni_core.code.parsing.worker import report_on

pytestmark = pytest.mark.anyio

SAYING = {
    "a.py": "LIMIT = 3\n\n\ndef f():\n    return 1\n",
    "b.c": "int global_counter = 0;\nint f(void) { return 1; }\n",
    "c.py": "def f(): return 1\nregister(f)\n",
    "d.go": "package m\n\nvar MaxBurst = 3\n\nfunc f() {}\n",
    "e.ts": "export const LIMIT = 3\nexport function f() {}\n",
    "f.sh": "LIMIT=3\nf() { echo; }\n",
    "g.rs": "const MAX: u8 = 3;\nfn f() {}\n",
}
SILENT = {
    "a.py": "import os\n\n\n@os.x(3)\ndef f(x=3):\n    return 1\n",
    "b.js": "function f() { return x(1) }\nmodule.exports = f\n",
    "g.js": "const x = require('x')\nfunction f() { return x(1) }\n",
    "c.go": "package m\n\nfunc f() { g() }\n",
    "d.js": "const f = () => { return 1 }\nexport { f }\n",
    "e.java": "package a;\nclass A { int x = 3; }\n",
    "f.py": '__all__ = ["f"]\n\n\ndef f():\n    return 1\n',
}


def kinds(root: Path, path: str, text: str) -> set[str]:
    (root / path).write_text(text)
    return {*report_on(str(root), path).symbols.kinds}


@pytest.mark.parametrize("path", SAYING)
def test_a_value_or_a_call_outside_of_definitions_makes_a_module(
    tmp_path: Path, path: str
) -> None:
    assert "module" in kinds(tmp_path, path, SAYING[path])


@pytest.mark.parametrize("path", SILENT)
def test_imports_and_exports_alone_make_no_module(tmp_path: Path, path: str) -> None:
    assert "module" not in kinds(tmp_path, path, SILENT[path])


@pytest.mark.parametrize("name", ["global_counter", "MaxBurst"])
async def test_a_short_constant_is_found_by_its_name(
    engine: MemoryEngine, tmp_path: Path, name: str
) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    for path, text in SAYING.items():
        (root / path).write_text(text)
    await engine.index_codebase(str(root))

    found = await engine.search_code(name)

    assert name in found.hits[0].source


async def test_a_module_does_not_hide_what_a_memory_means(
    engine: MemoryEngine, tmp_path: Path
) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    (root / "save.py").write_text("LIMIT = 3\n\n\nclass Store:\n    def save(self): ...\n")
    await engine.index_codebase(str(root))
    await engine.add_memory("Bob wrote `save` in one night.")

    (hit,) = (await engine.search_memory("Bob")).results

    assert [(each.path, each.line) for each in hit.code] == [("save.py", 5)]
