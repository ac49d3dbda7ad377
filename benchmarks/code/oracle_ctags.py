"""Let universal-ctags judge which definitions are found in the other languages.

Only recall: ctags reads with simple means and names much that is no definition. What is known to
be its mistake is left out and counted. Packages and namespaces of C# are no definitions here.
"""

from __future__ import annotations

import functools
import json
import re
import subprocess
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.code.measures import Figure
from benchmarks.code.sources import files_of, project
from zapomni_core.code.model import Definition
from zapomni_core.code.parsing.extraction import extract

__all__ = ["CORPORA", "Corpus", "Tag", "figures", "is_mistake", "missed_tags"]

TARGET = 0.99


@dataclass(frozen=True, slots=True)
class Corpus:
    """Files of one language, and the kinds of tags that are definitions in it."""

    language: str
    parser: str
    kinds: str
    folders: tuple[tuple[str, str], ...]


CORPORA = (
    Corpus("bash", "Sh", "f", (("bats", ""), ("wandb", ""), ("react-native", "scripts"))),
    Corpus("c", "C", "dfgstu", (("uvloop", "vendor/libuv"), ("lupa", "third-party"))),
    Corpus(
        "cpp",
        "C++",
        "cdfgnstu",
        (("jpype1", "native"), ("react-native", "ReactCommon")),
    ),
    Corpus("csharp", "C#", "cgimps", (("pythonnet", "src"),)),
    Corpus(
        "go", "Go", "afinst", (("wandb", "core/internal"), ("wandb", "core/vendor/golang.org"))
    ),
    Corpus(
        "java",
        "Java",
        "acgim",
        (("jpype1", "native"), ("@capacitor/android", ""), ("react-native", "ReactAndroid")),
    ),
    Corpus("kotlin", "Kotlin", "Tcimo", (("react-native", "ReactAndroid"),)),
    Corpus("lua", "Lua", "f", (("lupa", "third-party"),)),
    Corpus("objc", "ObjectiveC", "IPim", (("react-native", "React"),)),
    Corpus("php", "PHP", "cfit", (("@wordpress/block-library", "src"),)),
    Corpus("ruby", "Ruby", "Scfm", (("react-native", ""),)),
    Corpus(
        "rust", "Rust", "MPfginst", (("pydantic-core", "src"), ("wandb", "parquet-rust-wrapper"))
    ),
)
SUFFIXES = {"c": (".c", ".h"), "objc": (".m", ".mm")}
# Words that cannot name a definition in any of these languages; ctags takes blocks for methods.
KEYWORDS = frozenset("if for while return else".split())
# Names that ctags gives to what has none, and assignments of lists in bash.
NOT_A_NAME = re.compile(r"__anon\w*|AnonymousClass\w+|<.*>\w*|\w+=|\w+\]")
# The bound of a type parameter in C#, which ctags takes for a property or another class.
BOUND = r"\bwhere {} ?:"
# What ctags takes for methods of Kotlin are also names of lambdas, loops and `when`.
KOTLIN_METHOD = re.compile(r"\b(fun|constructor)\b")
# A line that goes on is one of a macro, which defines nothing before it is used.
IN_A_MACRO = re.compile(r"\\\\\$/\Z")
# ctags takes every line of Lua with the word `function` for a definition: also those in strings,
# comments and calls, whose functions are handed over and named by nobody.
LUA_SILENT = re.compile(
    r"""--\[(=*)\[.*?\]\1\]|--[^\n]*|\[(=*)\[.*?\]\2\]|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Tag:
    """What ctags takes for a definition."""

    path: str
    name: str
    line: int
    kind: str
    text: str = ""


def is_mistake(corpus: Corpus, tag: Tag, macros: Collection[str]) -> bool:
    """Tell whether ctags is known to be wrong about such a tag.

    A function that a macro defines goes by the name of the macro there.
    """
    return (
        tag.name in KEYWORDS
        or NOT_A_NAME.fullmatch(tag.name) is not None
        or (tag.kind == "function" and tag.name in macros)
        or (corpus.language == "lua" and not _is_lua_function(tag))
        or (corpus.language == "kotlin" and not _is_kotlin_method(tag))
        or (corpus.language == "objc" and IN_A_MACRO.search(tag.text) is not None)
        or (tag.kind == "property" and re.search(BOUND.format(r"\w+"), tag.text) is not None)
        or (
            tag.kind == "class"
            and re.search(BOUND.format(re.escape(tag.name)), tag.text) is not None
        )
    )


def _is_kotlin_method(tag: Tag) -> bool:
    return tag.kind != "method" or KOTLIN_METHOD.search(tag.text) is not None


def _is_lua_function(tag: Tag) -> bool:
    name = re.escape(tag.name)
    held = rf"\b{name}\s*=\s*(?:[^(){{}},=]*\b(?:and|or)\s+)?function\b"
    return re.search(rf"\bfunction\s+[\w.:]*\b{name}\s*\(|{held}", tag.text) is not None


@dataclass(slots=True)
class _Counts:
    files: int = 0
    known: int = 0
    mistakes: int = 0
    missed: list[str] = field(default_factory=list)


def figures(show: int) -> Iterator[Figure]:
    """Yield the recall of every language."""
    for corpus in CORPORA:
        counts = _Counts()
        for name, part in corpus.folders:
            _count(corpus, project(name) / part, counts)
        for text in counts.missed[:show]:
            print(f"  missed {corpus.language}: {text}")
        yield Figure(
            f"{corpus.language} definitions recall",
            counts.known,
            1 - len(counts.missed) / max(counts.known, 1),
            TARGET,
            note=f"{counts.files} files, {counts.mistakes} known mistakes of ctags left out",
        )


def _count(corpus: Corpus, folder: Path, counts: _Counts) -> None:
    paths = _paths(folder, corpus.language)
    named = list(_tags(folder, paths, corpus))
    macros = {tag.name for tag in named if tag.kind == "macro"}
    tags = [tag for tag in named if not is_mistake(corpus, tag, macros)]
    found = {path: _definitions(folder, path, corpus.language) for path in paths}
    counts.files += len(paths)
    counts.known += len(tags)
    counts.mistakes += len(named) - len(tags)
    counts.missed.extend(
        f"{folder / tag.path}:{tag.line} {tag.kind} {tag.name}" for tag in missed_tags(tags, found)
    )


def missed_tags(tags: Iterable[Tag], found: dict[str, list[Definition]]) -> list[Tag]:
    """Return the tags without a definition of that name; each answers for one tag.

    A definition begins at the line of the tag, or, where a type stands above the name, spans it.
    """
    free: dict[tuple[str, str], list[Definition]] = defaultdict(list)
    for path, definitions in found.items():
        for each in definitions:
            # `namespace a::b` is one module here, and a tag for each of its parts there.
            for name in each.name.split(".") if each.kind == "module" else [each.name]:
                free[path, _squeezed(name)].append(each)
    missed, later = [], []
    for tag in tags:
        candidates = free[tag.path, _squeezed(tag.name)]
        exact = next((each for each in candidates if each.line == tag.line), None)
        if exact is None:
            later.append(tag)
        else:
            candidates.remove(exact)
    for tag in later:
        candidates = free[tag.path, _squeezed(tag.name)]
        around = [each for each in candidates if each.line <= tag.line <= each.end_line]
        if around:
            candidates.remove(max(around, key=lambda each: each.line))
        else:
            missed.append(tag)
    return missed


def _squeezed(name: str) -> str:
    return "".join(name.split())


def _paths(folder: Path, language: str) -> list[str]:
    suffixes = SUFFIXES.get(language)
    paths = [path for path, _ in files_of(folder, [language])]
    return [path for path in paths if suffixes is None or path.endswith(suffixes)]


def _definitions(folder: Path, path: str, language: str) -> list[Definition]:
    return list(extract((folder / path).read_bytes(), path, language).definitions)


def _tags(folder: Path, paths: list[str], corpus: Corpus) -> Iterator[Tag]:
    command = [
        "ctags",
        "--options=NONE",
        "--output-format=json",
        f"--language-force={corpus.parser}",
        f"--kinds-{corpus.parser}={corpus.kinds}",
        "--fields=+nK",
        "-f",
        "-",
        "-L",
        "-",
    ]
    try:
        done = subprocess.run(
            command, cwd=folder, input="\n".join(paths), capture_output=True, text=True, check=True
        )
    except FileNotFoundError as error:
        raise SystemExit("universal-ctags is not installed") from error
    for line in done.stdout.splitlines():
        row = json.loads(line)
        if row["_type"] == "tag":
            tag = Tag(row["path"], row["name"], row["line"], row["kind"], row.get("pattern", ""))
            yield _unqualified(folder, tag, corpus.language)


def _unqualified(folder: Path, tag: Tag, language: str) -> Tag:
    """Take off the tables in front of names of Lua and the interfaces in front of those of C#."""
    if language == "csharp":
        return replace(tag, name=tag.name.rpartition(".")[2])
    if language != "lua":
        return tag
    name = re.split(r"[.:]", tag.name)[-1]
    return replace(tag, name=name, text=_lua_lines(folder / tag.path)[tag.line - 1])


@functools.lru_cache(maxsize=1)
def _lua_lines(path: Path) -> list[str]:
    """Read the lines of a file without what stands in strings and comments."""
    text = path.read_text(encoding="utf-8", errors="replace")
    return LUA_SILENT.sub(lambda found: "\n" * found[0].count("\n"), text).split("\n")
