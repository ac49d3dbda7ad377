"""Zig, Solidity, SQL, GraphQL and Protocol Buffers."""

from __future__ import annotations

from typing import Final

from zapomni_core.code.parsing.chains import ChainRules
from zapomni_core.code.parsing.import_lines import imports_by_call, read_include
from zapomni_core.code.parsing.tables import Table, bases_in, name_in, reader_of

__all__ = ["read_graphql", "read_proto", "read_solidity", "read_sql", "read_zig"]

_NO_CHAINS: Final = ChainRules(
    names=frozenset({"identifier", "name", "named_type"}), members={}, calls={}
)

read_zig: Final = reader_of(
    Table(
        rules=ChainRules(
            names=frozenset({"identifier"}),
            members={"field_expression": ("object", "member")},
            calls={"call_expression": "function"},
            subscripts={"index_expression": "object"},
            # `!f(x)` is read as if `!f` was a type.
            wrappers={"error_union_type": "ok"},
        ),
        name=name_in("identifier", "string"),
        result_fields=("type",),
        imports=imports_by_call("import"),
    )
)

read_solidity: Final = reader_of(
    Table(
        rules=ChainRules(
            names=frozenset({"identifier"}),
            members={"member_expression": ("object", "property")},
            calls={"call_expression": "function"},
            wrappers={
                "expression": "",
                "inheritance_specifier": "",
                "unary_expression": "argument",
                "user_defined_type": "",
            },
        ),
        bases=bases_in("inheritance_specifier"),
        imports=read_include,
    )
)

read_sql: Final = reader_of(Table(rules=_NO_CHAINS, name=name_in("object_reference")))
read_graphql: Final = reader_of(
    Table(rules=_NO_CHAINS, name=name_in("name"), bases=bases_in("implements_interfaces"))
)
read_proto: Final = reader_of(
    Table(
        rules=_NO_CHAINS,
        name=name_in("message_name", "service_name", "enum_name", "rpc_name"),
        imports=read_include,
    )
)
