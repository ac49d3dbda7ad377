"""Which language a file is written in, by its name or its first line."""

from __future__ import annotations

from posixpath import basename
from typing import Final

__all__ = [
    "CODE_LANGUAGES",
    "FILE_ENDINGS",
    "FILE_NAMES",
    "LANGUAGES",
    "PLAIN_LANGUAGES",
    "TEXT_LANGUAGES",
    "language_named",
    "language_of",
]

_CODE_EXTENSIONS: Final = {
    "astro": "astro",
    "bash": "sh bash zsh ksh bats",
    "c": "c h",
    "cpp": "cc cpp cxx c++ hh hpp hxx h++ ipp inl tpp cu cuh",
    "csharp": "cs csx",
    "dart": "dart",
    "elixir": "ex exs",
    "erlang": "erl hrl",
    "go": "go",
    "graphql": "graphql gql",
    "groovy": "groovy gradle",
    "haskell": "hs",
    "java": "java",
    "javascript": "js mjs cjs jsx es6",
    "julia": "jl",
    "kotlin": "kt kts",
    "lua": "lua luau",
    "objc": "m mm",
    "ocaml": "ml",
    "perl": "pl pm t",
    "php": "php php3 php4 php5 php7 phps phtml inc",
    "powershell": "ps1 psm1",
    "proto": "proto",
    "python": "py pyi pyw",
    "r": "r",
    "ruby": "rb rake gemspec ru",
    "rust": "rs",
    "scala": "scala sc sbt",
    "solidity": "sol",
    "sql": "sql ddl",
    "starlark": "bzl star bazel",
    "svelte": "svelte",
    "swift": "swift",
    "tsx": "tsx",
    "typescript": "ts mts cts",
    "vue": "vue",
    "zig": "zig zon",
}
_TEXT_EXTENSIONS: Final = {
    "asciidoc": "adoc asciidoc",
    "batch": "bat cmd",
    "clojure": "clj cljs cljc",
    "cmake": "cmake",
    "css": "css",
    "dockerfile": "dockerfile",
    "embedded_template": "erb ejs",
    "fortran": "f90 f95 f03 f08",
    "hcl": "tf hcl",
    "heex": "heex eex leex",
    "html": "html htm xhtml",
    "ini": "ini cfg conf editorconfig",
    "jinja2": "j2 jinja jinja2",
    "json": "json",
    "json5": "json5",
    "jsonc": "jsonc",
    "jsonnet": "jsonnet libsonnet",
    "just": "just",
    "kdl": "kdl",
    "latex": "tex sty cls",
    "make": "mk mak",
    "markdown": "md markdown mdx",
    "nix": "nix",
    "org": "org",
    "properties": "properties",
    "racket": "rkt",
    "rst": "rst",
    "scheme": "scm ss",
    "scss": "scss less sass",
    "text": "txt text",
    "toml": "toml",
    "typst": "typ",
    "vim": "vim",
    "wat": "wat wast",
    "xml": "xml xsd xsl xslt svg plist",
    "yaml": "yaml yml",
}
_NAMES: Final = {
    ".bash_profile": "bash",
    ".bashrc": "bash",
    ".profile": "bash",
    ".zshrc": "bash",
    "build": "starlark",
    "cmakelists.txt": "cmake",
    "containerfile": "dockerfile",
    "dockerfile": "dockerfile",
    "gemfile": "ruby",
    "gnumakefile": "make",
    "go.mod": "text",
    "guardfile": "ruby",
    "jenkinsfile": "groovy",
    "justfile": "just",
    "license": "text",
    "makefile": "make",
    "pkgbuild": "bash",
    "podfile": "ruby",
    "rakefile": "ruby",
    "readme": "text",
    "sconscript": "python",
    "sconstruct": "python",
    "vagrantfile": "ruby",
    "workspace": "starlark",
}
_INTERPRETERS: Final = {
    "ash": "bash",
    "bash": "bash",
    "bun": "typescript",
    "dash": "bash",
    "deno": "typescript",
    "elixir": "elixir",
    "escript": "erlang",
    "groovy": "groovy",
    "julia": "julia",
    "ksh": "bash",
    "lua": "lua",
    "luajit": "lua",
    "make": "make",
    "node": "javascript",
    "nodejs": "javascript",
    "perl": "perl",
    "php": "php",
    "pwsh": "powershell",
    "pypy": "python",
    "python": "python",
    "rscript": "r",
    "ruby": "ruby",
    "runghc": "haskell",
    "scala": "scala",
    "sh": "bash",
    "swift": "swift",
    "ts-node": "typescript",
    "tsx": "typescript",
    "zsh": "bash",
}
# What people say beside the names, the ends of files and the programs above.
_OTHER_NAMES: Final = {
    "c#": "csharp",
    "docker": "dockerfile",
    "golang": "go",
    "objective-c": "objc",
    "protobuf": "proto",
    "shell": "bash",
    "terraform": "hcl",
}
_BY_EXTENSION: Final = {
    extension: language
    for table in (_TEXT_EXTENSIONS, _CODE_EXTENSIONS)
    for language, extensions in table.items()
    for extension in extensions.split()
}

# In lower case, as those who compare names of files have to turn them.
FILE_ENDINGS: Final = frozenset(_BY_EXTENSION)
FILE_NAMES: Final = frozenset(_NAMES)
# Code is parsed for its definitions; text is searched as it is.
CODE_LANGUAGES: Final = tuple(sorted(_CODE_EXTENSIONS))
TEXT_LANGUAGES: Final = tuple(sorted(_TEXT_EXTENSIONS))
# Their values need no quotes.
PLAIN_LANGUAGES: Final = frozenset({"bash", "dockerfile", "ini", "make", "properties", "yaml"})
LANGUAGES: Final = tuple(sorted((*CODE_LANGUAGES, *TEXT_LANGUAGES)))


def language_named(name: str) -> str | None:
    """Tell which language people mean by a name, or None if it is not known."""
    folded = name.strip().lower().removeprefix(".")
    if folded in LANGUAGES:
        return folded
    tables = (_OTHER_NAMES, _BY_EXTENSION, _NAMES, _INTERPRETERS)
    return next((table[folded] for table in tables if folded in table), None)


def language_of(path: str, first_line: bytes = b"") -> str | None:
    """Tell the language of a file, or None if it is not known."""
    name = basename(path).lower()
    stem, dot, extension = name.rpartition(".")
    language = _NAMES.get(name) or (_BY_EXTENSION.get(extension) if dot else None)
    if language is None and stem in {"dockerfile", "containerfile", "makefile"}:
        language = _NAMES[stem]
    return language or _language_of_shebang(first_line)


def _language_of_shebang(first_line: bytes) -> str | None:
    if not first_line.startswith(b"#!"):
        return None
    words = first_line[2:].decode("utf-8", "replace").split()
    for word in words:
        program = basename(word).lower()
        if program == "env" or program.startswith("-") or "=" in program:
            continue
        return _INTERPRETERS.get(program) or _INTERPRETERS.get(program.rstrip("0123456789."))
    return None
