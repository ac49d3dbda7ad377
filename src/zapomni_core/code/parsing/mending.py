"""Source that its grammar cannot parse, written in other words of the same length.

The grammar of TypeScript (tree-sitter-typescript 0.23) knows no variance, no types of other
modules with types of their own, no escapes in types that are templates, and no end of a line
between two call signatures. That of Kotlin (semble-grammars 0.1.2) gives up the file where an
annotated constructor begins on a line of its own, where a member of a class ends before the line
does or where a statement begins with a name like `open`, and takes most of what is annotated
outside of classes for an expression. To those of C
and C++ a macro in front of a declaration is its type, so that `ACME_BEGIN namespace a {` is a
function, and an `#if` inside of a declaration may cost the whole file. Places stay the same, so
that everything else is read out of the text as it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from tree_sitter import Node

__all__ = [
    "damage",
    "mended_c",
    "mended_kotlin",
    "mended_typescript",
    "parted_kotlin",
    "unconditional_c",
]

# `<in out A, out B extends C>`
_VARIANCE: Final = re.compile(
    rb"([<,]\s*(?:const\s+)?)((?:in\s+out|in|out)\b)"
    rb"(?=\s+(?!extends\b)[A-Za-z_$][\w$]*\s*(?:[,>=]|extends\b))"
)
_MODULE: Final = rb"\bimport\s*\(\s*(?:\"[^\"\n]*\"|'[^'\n]*')\s*\)"
_TYPE_OF_MODULE: Final = re.compile(rb"(?<=\btypeof\s)" + _MODULE)
_TYPE_IN_MODULE: Final = re.compile(
    _MODULE + rb"\s*\.(?=\s*[A-Za-z_$][\w$.]*\s*(?:[<>,;|&)\]}\[=]|$))", re.MULTILINE
)
# The end of a type, then the head of a call signature on a line of its own.
_NEXT_SIGNATURE: Final = re.compile(
    rb"(?:(?<=[\w$\])}\"'`])|(?<=[^=]>))(?<!\bextends)(?<!\breturn)(?<!\bkeyof)(?<!\bas)"
    rb"(?:[ \t]+//[^\n]*)?[ \t\r]*\n"
    # With comments between them, but not so many that to look for the head takes long.
    rb"(?=\s*(?:(?:/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*\n)\s*){0,20}"
    rb"(?:new\s*)?(?:<|\(\s*(?:(?:\.\.\.)?[\w$]+\s*\??\s*:|\)\s*:|[{\[])))"
)
_COMMENT: Final = re.compile(rb"(?<!:)//")

_KOTLIN_HEAD: Final = re.compile(
    rb"(?<=[\w>])[ \t\r]*\n\s*(?=(?:@[\w.:]+(?:\([^()]*\))?\s+){0,20}"
    rb"(?:(?:public|private|protected|internal|actual|expect)\s+){0,3}constructor\b)"
)
_KOTLIN_CLASS: Final = re.compile(rb"\bclass\s+\w+(?:<[^{}()\n]*>)?\Z")
_LONGEST_HEAD: Final = 400
_QUOTED: Final = rb"\"(?:\\.|[^\"\\\n])*\""
_GIVEN: Final = (
    rb"\((?:[^()\"]|" + _QUOTED + rb"|\((?:[^()\"]|" + _QUOTED + rb"|\([^()]*\))*\))*\)"
)
_KOTLIN_ANNOTATIONS: Final = re.compile(
    rb"^(?:@(?!file:)[\w.:]+(?:" + _GIVEN + rb")?\s+){1,20}"
    # The words in front of a declaration.
    rb"(?=(?:[a-z]+\s+){1,8}(?:class|interface|object|fun|val|var|typealias)\b)",
    re.MULTILINE,
)
# `val size` above `@JvmName("size")` above `get() = 1`
_KOTLIN_ACCESSOR: Final = re.compile(
    rb"^[ \t]*(?:@[\w.]+(?:" + _GIVEN + rb")?\s+){1,20}"
    rb"(?=(?:(?:public|private|protected|internal|inline)\s+){0,2}(?:get|set)[ \t]*\()",
    re.MULTILINE,
)
# Modifiers that are names: none of them stands in front of such a sign.
_KOTLIN_NAME: Final = re.compile(
    rb"\b(?:abstract|crossinline|external|final|infix|inline|internal|lateinit|noinline|open"
    rb"|override|private|protected|public|sealed|suspend|tailrec|vararg)\b"
    # `suspend (a: A) -> B` is a type.
    rb"(?=[ \t]*(?:[=.?!:;,)}\]\[+&|%-]|[*/]=)|(?<!suspend)\()"
)

_MACRO: Final = rb"[A-Z][A-Z0-9]*_[A-Z0-9_]+\b"
_MACRO_CALL: Final = _MACRO + rb"[ \t]*" + _GIVEN
# `template <typename T, ACME_ENABLE_IF(is_integral<T>::value)>`
_MACRO_PARAMETER: Final = re.compile(
    rb"(\btemplate\s*<[^;{}]{0,400}?,\s*)(" + _MACRO_CALL + rb")(?=\s*[,>])"
)
# Words in front of a declaration, or between `class` and its name. Those with arguments may stand
# for whole functions, unless it is clear that a declaration follows.
_DECLARES: Final = (
    rb"(?:auto|bool|char|class|const|constexpr|double|enum|explicit|extern|float|friend|inline|int"
    rb"|long|namespace|short|static|std|struct|template|typedef|typename|union|unsigned|using"
    rb"|virtual|void)\b"
)
_MACRO_IN_FRONT: Final = re.compile(
    rb"(?:^[ \t]*|(?<=\bclass\s)|(?<=\bstruct\s)|(?<=\bunion\s))"
    rb"(?:" + _MACRO + rb"\s+(?=[A-Za-z_~\[])|" + _MACRO_CALL + rb"\s+(?=" + _DECLARES + rb"))+",
    re.MULTILINE,
)
_MACRO_ACCESS: Final = re.compile(
    rb"^([ \t]*)(\w*(?:PRIVATE|PROTECTED|PUBLIC)\w*)(?=[ \t]*:\s)", re.MULTILINE
)
_CONDITION: Final = re.compile(
    rb"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|else|endif)\b(?:\\\r?\n|[^\n])*", re.MULTILINE
)


def mended_c(source: bytes) -> bytes:
    """Leave out macros in front of declarations, byte by byte."""
    source = _MACRO_PARAMETER.sub(
        lambda found: found[1] + b"int" + _written(b" ")(found)[len(found[1]) + 3 :], source
    )
    source = _MACRO_ACCESS.sub(lambda found: found[1] + b"public".ljust(len(found[2])), source)
    return _MACRO_IN_FRONT.sub(_written(b" "), source)


def unconditional_c(source: bytes) -> bytes:
    """Leave out conditions as well: what stands under them is there, whatever they say."""
    return _CONDITION.sub(_written(b" "), mended_c(source))


# The end of a member of a class, and the next one or the end of the class on the same line.
_KOTLIN_MEMBER_END: Final = re.compile(
    rb"(?<=[^\s{}(,;])[ \t](?=[ \t]*\})|(?<=\})[ \t](?=[ \t]*\})|"
    rb"(?<=\})[ \t](?=[ \t]*(?:(?:public|private|protected|internal|override|open|abstract|"
    rb"final|suspend|inline|operator|data|sealed|companion|const|lateinit)[ \t]+){0,8}"
    rb"(?:fun|val|var|class|object|interface|init)\b)"
)


def mended_typescript(source: bytes) -> bytes:
    """Write what the grammar does not know in another way, byte by byte."""
    source = source.replace(rb"\`", b"__")
    source = _VARIANCE.sub(lambda found: found[1] + b" " * len(found[2]), source)
    source = _TYPE_OF_MODULE.sub(_written(b"_"), source)
    source = _TYPE_IN_MODULE.sub(_written(b" "), source)
    return _NEXT_SIGNATURE.sub(_separated, source)


def mended_kotlin(source: bytes) -> bytes:
    """Put a constructor beside its class, leave annotations out, and rename modifiers.

    Only annotations at the margin and of accessors are left out, and only what is a name is
    renamed: `final = true`.
    """

    def join(found: re.Match[bytes]) -> bytes:
        front = source[max(0, found.start() - _LONGEST_HEAD) : found.start()]
        return b" " * len(found[0]) if _KOTLIN_CLASS.search(front) else found[0]

    unannotated = _KOTLIN_ANNOTATIONS.sub(_written(b" "), _KOTLIN_HEAD.sub(join, source))
    plain = _KOTLIN_ACCESSOR.sub(_written(b" "), unannotated)
    return _KOTLIN_NAME.sub(_written(b"x"), plain)


def parted_kotlin(source: bytes) -> bytes:
    """Put semicolons between the members of a class that stand on one line, and behind them."""
    return _KOTLIN_MEMBER_END.sub(b";", source)


def damage(root: Node) -> int:
    """Count the bytes that a grammar has given up; what is missing counts as one."""
    lost = 0
    waiting = [root] if root.has_error else []
    while waiting:
        node = waiting.pop()
        if node.is_error or node.is_missing:
            lost += max(node.end_byte - node.start_byte, 1)
        else:
            waiting += [child for child in node.children if child.has_error or child.is_missing]
    return lost


def _written(letter: bytes) -> Callable[[re.Match[bytes]], bytes]:
    return lambda found: re.sub(rb"[^\n]", letter, found[0])


def _separated(found: re.Match[bytes]) -> bytes:
    """Put a semicolon behind a type at the end of a line, unless it stands in a comment."""
    line = found.string[found.string.rfind(b"\n", 0, found.start()) + 1 : found.start()]
    return found[0] if _COMMENT.search(line) else b";".ljust(len(found[0]))
