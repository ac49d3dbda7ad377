"""Decide whether a text is source code."""

import re
from itertools import islice

from zapomni_core.chunking.lines import read_lines

# Short names that are also codes of human languages (cs, pl, ml) are left out on purpose.
_PROGRAMMING_NAMES = (
    "ada asm assembly awk bash batch c c# c++ clojure cmake cobol coffeescript cpp crystal css"
    " csharp cuda cython d dart dockerfile elixir elm erlang f# fish fortran fsharp glsl go"
    " golang gradle graphql groovy haskell hcl hlsl java javascript js json jsonc json5 jsx"
    " julia kotlin less lisp lua makefile matlab nim nix objective-c objectivec ocaml pascal"
    " perl php powershell prolog protobuf purescript py python r racket ruby rust scala scheme"
    " scss shell solidity sql starlark svelte swift tcl terraform ts tsx typescript vala vb"
    " verilog vhdl vim vue wgsl zig zsh"
)
_MARKUP_NAMES = "adoc asciidoc markdown md mdx org plain plaintext prose rst text txt"
_PROGRAMMING = frozenset(_PROGRAMMING_NAMES.split())
_MARKUP = frozenset(_MARKUP_NAMES.split())

_SAMPLE_CHARS = 20_000
_SAMPLE_LINES = 200
_SAMPLE_WIDTH = 200
_FEWEST_LINES = 3
_CODE_SHARE = 0.5

_FENCE = re.compile(r"```|~~~")
_COMMENT = re.compile(r"//|/\*|\*/|\*\s|\#|--\s|<!--|\"\"\"|'''")
_STRUCTURE = re.compile(
    r".*(?:[;{}]|\) =>|[)}\]],)\Z"
    r"|(?:(?:export|public|private|protected|static|async|pub|abstract|final|inline)\s++)*+"
    r"(?:def|class|function|func|fn|struct|enum|interface|impl|trait|namespace|module)\s++"
    r"[\w$<]++.*[({:]\Z"
    r"|import\s++[\w.{*\"'/@]++\s*+(?:as\s+\w+|from\s+\S+)?\Z"
    r"|from\s++[\w.]++\s++import\s"
    r"|\"[^\"]*+\"\s*+:"
    r"|def\s++\w++\(|@[\w.]++(?:\(.*\))?\Z"
)
_STATEMENT = re.compile(
    r"(?:(?:const|let|var|val|auto|int|float|double|bool|char|string)\s++)?+"
    r"[\w.$\[\]'\"]++\s*+(?::\s*+[\w\[\], |.]++)?+[-+*/|&%:]?=(?!=)"
    r"|(?:if|elif|for|while|with|try|except|else|switch|match|case|return|raise|throw|yield|await)"
    r"\b.*[:)\]}({]\Z"
    r"|(?:return|raise|throw|yield|await|break|continue|pass)(?:\s[\w.\[\]()'\"]+)?\Z"
    r"|[\w.$]++\(.*\)?\Z"
    r"|[\w.]++\s*+:\s*+[\w\[\]., |]++,\Z"
    r"|[})\]]"
)


def is_code(text: str, language: str | None) -> bool:
    """Trust a known language name, otherwise judge the first lines of the text."""
    name = (language or "").strip().lower()
    if name in _PROGRAMMING:
        return True
    return name not in _MARKUP and _looks_like_code(text)


def _looks_like_code(text: str) -> bool:
    if text.startswith("#!"):
        return True
    lines = _sample(text)
    if any(_FENCE.match(line) for line in lines):
        return False
    telling = [line for line in lines if not _COMMENT.match(line)]
    structure = sum(_STRUCTURE.match(line) is not None for line in telling)
    statements = sum(_STATEMENT.match(line) is not None for line in telling)
    both = sum(
        _STRUCTURE.match(x) is not None and _STATEMENT.match(x) is not None for x in telling
    )
    marked = structure + statements - both
    return structure >= 1 and marked >= max(_FEWEST_LINES, _CODE_SHARE * len(telling))


def _sample(text: str) -> list[str]:
    end = min(len(text), _SAMPLE_CHARS)
    lines = (line for line in read_lines(text, 0, end) if not line.is_blank)
    return [
        text[line.first : min(line.end, line.first + _SAMPLE_WIDTH)].rstrip()
        for line in islice(lines, _SAMPLE_LINES)
    ]
