"""PHP, Lua, Perl, R, Julia and the shells."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from zapomni_core.code.model import TRAIT
from zapomni_core.code.parsing.chains import ChainRules, read_chain
from zapomni_core.code.parsing.declared import declared_in_php
from zapomni_core.code.parsing.import_lines import (
    imports_by_call,
    read_module,
    read_perl_use,
    read_php_use,
)
from zapomni_core.code.parsing.tables import (
    Named,
    Table,
    bases_in,
    name_in,
    name_of,
    reader_of,
)
from zapomni_core.code.parsing.text import SourceText, child_at

__all__ = [
    "read_bash",
    "read_julia",
    "read_lua",
    "read_perl",
    "read_php",
    "read_powershell",
    "read_r",
]


_php_heads: Final = bases_in("base_clause", "class_interface_clause")


def _php_bases(node: Node, text: SourceText, rules: ChainRules) -> tuple[str, ...]:
    """Read what a class extends and implements, then the traits that it uses."""
    body = node.child_by_field_name("body")
    if body is None:
        return ()
    traits: list[str] = []
    # Traits in whose place another one is taken for some method.
    behind: set[str] = set()
    for used in body.named_children:
        for each in used.named_children if used.type == "use_declaration" else ():
            if each.type != "use_list":
                traits.append(read_chain(each, text, rules))
                continue
            chosen = (e for e in each.named_children if e.type == "use_instead_of_clause")
            behind.update(read_chain(e, text, rules) for one in chosen for e in one.children[2:])
    return (*_php_heads(node, text, rules), *sorted(traits, key=behind.__contains__))


def _php_words(node: Node, _text: SourceText) -> tuple[str, ...]:
    return (TRAIT,) if node.type == "trait_declaration" else ()


def _php_is_exported(node: Node, _named: Named, text: SourceText) -> bool:
    return not any(
        child.type == "visibility_modifier" and text.of(child) == "private"
        for child in node.named_children
    )


_PHP_RULES: Final = ChainRules(
    names=frozenset({"name", "variable_name", "qualified_name", "relative_scope"}),
    members={
        "class_constant_access_expression": ("", "-1"),
        "member_access_expression": ("object", "name"),
        "nullsafe_member_access_expression": ("object", "name"),
        "scoped_property_access_expression": ("scope", "name"),
    },
    calls={"function_call_expression": "function", "object_creation_expression": ""},
    method_calls={
        "member_call_expression": ("object", "name"),
        "nullsafe_member_call_expression": ("object", "name"),
        "scoped_call_expression": ("scope", "name"),
    },
    subscripts={"subscript_expression": ""},
    sigils="$",
    wrappers={"parenthesized_expression": ""},
)
read_php: Final = reader_of(
    Table(
        rules=_PHP_RULES,
        bases=_php_bases,
        decorators=_php_words,
        result_fields=("return_type",),
        imports=read_php_use,
        bindings=declared_in_php(_PHP_RULES),
        is_exported=_php_is_exported,
    )
)


def _lua_name(node: Node, text: SourceText) -> Named | None:
    named = node.child_by_field_name("name")
    if named is None and node.type == "assignment_statement":
        variables = child_at(node, 0)
        named = None if variables is None else child_at(variables, 0)
    return None if named is None else name_of(named, text)


read_lua: Final = reader_of(
    Table(
        rules=ChainRules(
            names=frozenset({"identifier"}),
            members={
                "dot_index_expression": ("table", "field"),
                "method_index_expression": ("table", "method"),
            },
            calls={"function_call": "name"},
            subscripts={"bracket_index_expression": "table"},
            wrappers={"parenthesized_expression": ""},
        ),
        name=_lua_name,
        imports=imports_by_call("require", "dofile"),
    )
)

read_perl: Final = reader_of(
    Table(
        rules=ChainRules(
            names=frozenset({"identifier", "package_name", "scalar_variable"}),
            members={"call_expression_with_bareword": ("package_name", "function_name")},
            calls={},
            method_calls={"method_invocation": ("", "function_name")},
            sigils="$",
        ),
        imports=read_perl_use,
    )
)


def _assigned_name(node: Node, text: SourceText) -> Named | None:
    left = node.child_by_field_name("lhs")
    if left is None or left.type not in {"identifier", "string"}:
        return None
    # A dot in a name of R separates nothing.
    return Named(text.of(left).strip("\"'`"), left.start_byte)


read_r: Final = reader_of(
    Table(
        rules=ChainRules(
            names=frozenset({"identifier"}),
            members={"namespace_operator": ("lhs", "rhs"), "extract_operator": ("lhs", "rhs")},
            calls={"call": "function"},
            subscripts={"subset": "function", "subset2": "function"},
        ),
        name=_assigned_name,
        imports=imports_by_call("library", "require", "source"),
    )
)


def _julia_name(node: Node, text: SourceText) -> Named | None:
    """Go down to the name: `function f(a)::T where T` is called f."""
    named: Node | None = node.child_by_field_name("name") or child_at(node, 0)
    for _ in range(8):
        if named is None or named.type in {"identifier", "operator"}:
            break
        if named.type == "field_expression":
            return name_of(named, text)
        named = child_at(named, 0)
    return None if named is None else name_of(named, text)


read_julia: Final = reader_of(
    Table(
        rules=ChainRules(
            names=frozenset({"identifier"}),
            members={"field_expression": ("value", "-1")},
            calls={"call_expression": ""},
            subscripts={"index_expression": ""},
        ),
        name=_julia_name,
        imports=read_module,
    )
)


def _word(node: Node, text: SourceText) -> Named | None:
    named = node.child_by_field_name("name")
    # `::` in a name of the shell separates nothing.
    return None if named is None else Named(text.of(named), named.start_byte)


_WORDS: Final = ChainRules(names=frozenset({"word", "command_name"}), members={}, calls={})

read_bash: Final = reader_of(
    Table(rules=_WORDS, name=_word, imports=imports_by_call("source", r"\."))
)
read_powershell: Final = reader_of(
    Table(rules=_WORDS, name=name_in("function_name", "simple_name"))
)
