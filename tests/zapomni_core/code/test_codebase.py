"""Code that is indexed, searched and asked about, through the engine."""

import asyncio
import os
from pathlib import Path

import pytest

from tests.folders import fresh_settings
from tests.zapomni_core.code.stored import callers
from zapomni_core import MemoryEngine, ValidationError

pytestmark = pytest.mark.anyio

LONG_AGO = 1_500_000_000
STORE = '''
"""Keep sessions."""


class SessionStore:
    """Saves sessions on disk."""

    def save_session(self, session):
        """Write a session down so that it survives a restart."""
        self._write(encode_session(session))

    def _write(self, data):
        pass


def encode_session(session):
    return repr(session)
'''
APP = """
from store import SessionStore


def handle_request(request):
    store = SessionStore()
    store.save_session(request.session)


def main():
    handle_request(None)


if __name__ == "__main__":
    main()
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "store.py").write_text(STORE)
    (folder / "app.py").write_text(APP)
    return folder


def change(file: Path, old: str, new: str) -> None:
    file.write_text(file.read_text().replace(old, new))


def state_of(root: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in (root, *root.rglob("*"))}


async def names_found(engine: MemoryEngine, query: str) -> list[str]:
    found = await engine.search_code(query)
    return [hit.symbol.qualified_name for hit in found.hits]


async def test_a_folder_becomes_searchable_by_name_and_by_words(
    engine: MemoryEngine, root: Path
) -> None:
    indexed = await engine.index_codebase(str(root))

    assert (indexed.job.state, indexed.indexed, indexed.repository) == ("done", 2, "shop")
    assert indexed.languages == {"python": 2}
    assert (await names_found(engine, "encode_session"))[0] == "encode_session"
    assert "SessionStore.save_session" in await names_found(engine, "survives a restart")


async def test_code_is_found_by_meaning_once_it_is_embedded(
    engine: MemoryEngine, root: Path
) -> None:
    await engine.index_codebase(str(root))
    await engine.embed_code()

    (status,) = (await engine.code_status()).repositories
    found = await engine.search_code("persist user state to storage")

    assert status.to_embed == 0
    assert status.embedded > 0
    assert found.notice is None
    assert found.hits[0].symbol.path == "store.py"


async def test_filters_find_what_is_far_from_the_best(engine: MemoryEngine, root: Path) -> None:
    alike = "\n\n".join(f"def read_invoice_{n}(invoice):\n    read(invoice)" for n in range(1200))
    (root / "alike.py").write_text(alike)
    (root / "bills").mkdir()
    (root / "bills" / "one.py").write_text("def send_bill(bill):\n    return read(bill.invoice)\n")
    (root / "two.js").write_text("function payBill(bill) { return bank.pay(bill.invoice); }\n")
    await engine.index_codebase(str(root))

    in_folder = await engine.search_code("read an invoice", path="bills/**", limit=3)
    in_language = await engine.search_code("read an invoice", languages=["javascript"], limit=3)
    of_kind = await engine.search_code("read an invoice", kinds=["method"], path="*.py", limit=3)

    assert [hit.symbol.name for hit in in_folder.hits] == ["send_bill"]
    assert [hit.symbol.name for hit in in_language.hits] == ["payBill"]
    assert of_kind.hits == ()


async def test_calls_are_bound_through_imports_and_types(engine: MemoryEngine, root: Path) -> None:
    await engine.index_codebase(str(root))

    assert await callers(engine, "SessionStore.save_session") == ["handle_request"]
    impact = await engine.get_call_graph("encode_session", "impact")
    assert impact.files == ("store.py", "app.py")


async def test_a_symbol_is_shown_with_its_source_and_neighbours(
    engine: MemoryEngine, root: Path
) -> None:
    await engine.index_codebase(str(root))

    view = await engine.get_symbol("SessionStore")

    assert view.symbol is not None
    assert (view.symbol.kind, view.symbol.path) == ("class", "store.py")
    assert "def save_session" in view.source
    assert [member.name for member in view.members] == ["save_session", "_write"]


async def test_a_name_of_several_symbols_is_asked_back(engine: MemoryEngine, root: Path) -> None:
    (root / "other.py").write_text("def encode_session(x):\n    return x\n")
    await engine.index_codebase(str(root))

    view = await engine.get_symbol("encode_session")

    assert view.symbol is None
    assert {each.path for each in view.suggestions} == {"store.py", "other.py"}


async def test_only_changed_files_are_read_again(engine: MemoryEngine, root: Path) -> None:
    await engine.index_codebase(str(root))
    change(root / "store.py", "def encode_session", "def encode_state")
    (root / "new.py").write_text("def fresh():\n    pass\n")

    again = await engine.index_codebase(str(root))

    assert (again.indexed, again.unchanged, again.removed) == (2, 1, 0)
    assert (await names_found(engine, "encode_state"))[0] == "encode_state"
    assert (await names_found(engine, "fresh"))[0] == "fresh"
    assert (await engine.get_symbol("encode_session")).symbol is None


async def test_callers_elsewhere_follow_a_change(engine: MemoryEngine, root: Path) -> None:
    await engine.index_codebase(str(root))
    source = (root / "store.py").read_text()
    (root / "store.py").write_text("# moved down\n\n\n" + source)

    await engine.index_codebase(str(root))
    assert await callers(engine, "SessionStore.save_session") == ["handle_request"]

    change(root / "store.py", "def save_session", "def keep_session")
    await engine.index_codebase(str(root))
    assert await callers(engine, "SessionStore.keep_session") == []

    change(root / "store.py", "def keep_session", "def save_session")
    await engine.index_codebase(str(root))
    assert await callers(engine, "SessionStore.save_session") == ["handle_request"]


async def test_a_deleted_file_is_forgotten(engine: MemoryEngine, root: Path) -> None:
    await engine.index_codebase(str(root))
    (root / "app.py").unlink()

    again = await engine.index_codebase(str(root))

    assert again.removed == 1
    assert await callers(engine, "SessionStore.save_session") == []
    assert "handle_request" not in await names_found(engine, "handle_request")


async def test_one_changed_file_is_taken_in_without_a_walk(
    engine: MemoryEngine, root: Path
) -> None:
    await engine.index_codebase(str(root))
    change(root / "store.py", "def encode_session", "def encode_state")

    again = await engine.reindex_files(root, [root / "store.py"])

    assert (again.indexed, again.removed) == (1, 0)
    assert (await names_found(engine, "encode_state"))[0] == "encode_state"


async def test_a_run_without_changes_counts_what_single_files_brought(
    engine: MemoryEngine, root: Path
) -> None:
    (root / "notes.bin").write_bytes(b"\0")
    for name in ("notes.bin", "store.py", "app.py"):
        os.utime(root / name, (LONG_AGO, LONG_AGO))
    first = await engine.index_codebase(str(root))
    again = await engine.index_codebase(str(root))
    change(
        root / "store.py",
        "def encode_session",
        "def one_more():\n    pass\n\n\ndef encode_session",
    )
    os.utime(root / "store.py", (LONG_AGO, LONG_AGO))
    await engine.reindex_files(root, [root / "store.py"])
    last = await engine.index_codebase(str(root))

    assert (again.indexed, last.indexed) == (0, 0)
    assert (again.symbols, again.calls) == (first.symbols, first.calls)
    assert (again.languages, again.skipped) == (first.languages, first.skipped)
    assert first.languages == {"python": 2}
    assert sum(first.skipped.values()) == 1
    assert last.symbols == first.symbols + 1


async def test_an_answer_says_that_the_file_has_changed_since(
    engine: MemoryEngine, root: Path
) -> None:
    await engine.index_codebase(str(root))
    change(root / "store.py", "return repr", "return  repr")

    found = await engine.search_code("encode_session")

    assert found.hits[0].is_stale
    assert (await engine.get_symbol("encode_session")).is_stale


async def test_memories_are_joined_with_the_code_that_they_mention(
    engine: MemoryEngine, root: Path
) -> None:
    await engine.index_codebase(str(root))
    await engine.add_memory("We agreed that encode_session must stay compatible with 1.0.")

    view = await engine.get_symbol("encode_session")
    (hit,) = (await engine.search_memory("compatible with 1.0")).results

    assert ["must stay compatible" in each.text for each in view.memories] == [True]
    assert not view.memories[0].is_stale
    assert [(each.name, each.path, each.is_stale) for each in hit.code] == [
        ("encode_session", "store.py", False)
    ]


async def test_memories_of_code_that_changed_or_went_are_called_stale(
    engine: MemoryEngine, root: Path
) -> None:
    await engine.index_codebase(str(root))
    await engine.add_memory("We agreed that encode_session must stay compatible with 1.0.")
    await asyncio.sleep(0.01)  # the clock of the index counts milliseconds
    change(root / "store.py", "return repr(session)", "return str(session)")
    await engine.index_codebase(str(root))

    changed = (await engine.get_symbol("encode_session")).memories
    change(root / "store.py", "encode_session", "encode_state")
    await engine.index_codebase(str(root))
    gone = await engine.get_symbol("encode_session")
    (hit,) = (await engine.search_memory("compatible with 1.0")).results

    assert [(each.is_stale, str(each.why)[:14]) for each in changed] == [(True, "it has changed")]
    assert gone.symbol is None
    assert [str(each.why)[:10] for each in gone.memories] == ["it is gone"]
    assert [each.is_stale for each in hit.code] == [True]


async def test_memories_of_code_that_is_only_left_out_or_moved_are_not_called_stale(
    engine: MemoryEngine, root: Path
) -> None:
    await engine.index_codebase(str(root))
    await engine.add_memory("We agreed that encode_session must stay compatible with 1.0.")
    await asyncio.sleep(0.01)  # the clock of the index counts milliseconds

    async def is_stale(
        exclude: list[str] | None = None, languages: list[str] | None = None
    ) -> list[bool]:
        await engine.index_codebase(str(root), exclude=exclude, languages=languages)
        (hit,) = (await engine.search_memory("compatible with 1.0")).results
        return [each.is_stale for each in hit.code]

    assert await is_stale(exclude=["store.py"]) == []
    assert await is_stale(exclude=[], languages=["javascript"]) == []
    assert await is_stale(languages=[]) == [False]
    (root / "lib").mkdir()
    (root / "store.py").rename(root / "lib" / "store.py")
    assert await is_stale() == [False]
    (root / "lib" / "store.py").unlink()
    assert await is_stale() == [True]


async def test_a_folder_outside_of_the_allowed_ones_is_refused(
    engine: MemoryEngine, root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (root / "link").symlink_to(elsewhere)

    for path in (elsewhere, root / "link", root / ".." / ".." / elsewhere.name):
        with pytest.raises(ValidationError, match="ZAPOMNI_CODE_ROOTS"):
            await engine.index_codebase(str(path))
    assert (await engine.code_status()).repositories == ()


async def test_a_folder_that_the_user_has_named_is_allowed(
    memory_folder: Path, root: Path
) -> None:
    settings = fresh_settings(memory_folder)
    async with MemoryEngine(settings) as engine:
        await engine.allow_code([root])
        assert (await engine.index_codebase(str(root))).job.state == "done"


async def test_secrets_and_foreign_files_are_left_out_and_listed(
    engine: MemoryEngine, root: Path
) -> None:
    (root / ".env").write_text("TOKEN=ghp_0123456789abcdefghijklmnopqrstuvwxyzAB\n")
    (root / "picture.py").write_bytes(b"\x89PNG\0\0" + os.urandom(500))
    (root / "keys.py").write_text('TOKEN = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"\n' * 2)

    (root / "settings.yaml").write_text("user: ada\npassword: hunter2-and-some-more\n")

    indexed = await engine.index_codebase(str(root))
    shown = await engine.get_symbol("keys.py")
    settings = await engine.get_symbol("settings.yaml")

    assert "user: ada" in settings.source
    assert "hunter2" not in settings.source
    assert indexed.skipped == {"secret file": 1, "binary": 1}
    assert {each.path for each in indexed.skipped_examples} == {".env", "picture.py"}
    assert indexed.secrets_hidden == 3
    assert "ghp_" not in shown.source


async def test_what_is_wanted_is_remembered(engine: MemoryEngine, root: Path) -> None:
    (root / "page.js").write_text("function show() { return 1 }\n")

    first = await engine.index_codebase(str(root), languages=["python"], exclude=["app.py"])
    again = await engine.index_codebase(str(root))
    other = await engine.index_codebase(str(root), languages=["javascript"])
    everything = await engine.index_codebase(str(root), languages=[], exclude=[])

    assert (first.languages, again.languages) == ({"python": 1}, {"python": 1})
    assert (other.languages, other.removed) == ({"javascript": 1}, 1)
    assert everything.languages == {"javascript": 1, "python": 2}


async def test_an_unknown_language_or_repository_is_named_in_the_error(
    engine: MemoryEngine, root: Path
) -> None:
    with pytest.raises(ValidationError, match="'pyton'; did you mean python"):
        await engine.index_codebase(str(root), languages=["pyton"])
    await engine.index_codebase(str(root))
    with pytest.raises(ValidationError, match="shop"):
        await engine.search_code("anything", repository="shopp")


async def test_an_overview_names_what_matters(engine: MemoryEngine, root: Path) -> None:
    await engine.index_codebase(str(root))

    seen = await engine.code_overview()
    short = await engine.code_overview("shop", 100)

    assert "main" in {each.name for each in seen.entry_points}
    assert seen.central
    assert len(short.central) + len(short.entry_points) < len(seen.central) + len(
        seen.entry_points
    )


async def test_a_new_process_knows_what_an_earlier_one_has_read(
    memory_folder: Path, root: Path
) -> None:
    settings = fresh_settings(memory_folder).model_copy(update={"code_roots": (root,)})
    async with MemoryEngine(settings) as first:
        await first.index_codebase(str(root))
    change(root / "app.py", "def main", "def begin")

    async with MemoryEngine(settings) as second:
        assert await callers(second, "SessionStore.save_session") == ["handle_request"]
        again = await second.index_codebase(str(root))
        assert (again.indexed, again.unchanged) == (1, 1)
        assert await callers(second, "handle_request") == ["begin"]


async def test_nothing_is_written_into_the_folder(engine: MemoryEngine, root: Path) -> None:
    before = state_of(root)

    await engine.index_codebase(str(root))

    assert state_of(root) == before
