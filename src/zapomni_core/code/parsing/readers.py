"""Which reader reads which language."""

from __future__ import annotations

from typing import Final

from zapomni_core.code.parsing.c_family import read_c, read_cpp, read_csharp, read_objc
from zapomni_core.code.parsing.dart import read_dart
from zapomni_core.code.parsing.declarative import (
    read_graphql,
    read_proto,
    read_solidity,
    read_sql,
    read_zig,
)
from zapomni_core.code.parsing.functional import (
    read_elixir,
    read_erlang,
    read_haskell,
    read_ocaml,
)
from zapomni_core.code.parsing.golang import read_go
from zapomni_core.code.parsing.java import read_java
from zapomni_core.code.parsing.javascript import read_javascript
from zapomni_core.code.parsing.jvm_and_apple import (
    read_groovy,
    read_kotlin,
    read_scala,
    read_swift,
)
from zapomni_core.code.parsing.python import read_python
from zapomni_core.code.parsing.reading import Reader
from zapomni_core.code.parsing.ruby import read_ruby
from zapomni_core.code.parsing.rust import read_rust
from zapomni_core.code.parsing.scripting import (
    read_bash,
    read_julia,
    read_lua,
    read_perl,
    read_php,
    read_powershell,
    read_r,
)

__all__ = ["LINE_COMMENTS", "READERS"]

READERS: Final[dict[str, Reader]] = {
    "bash": read_bash,
    "c": read_c,
    "cpp": read_cpp,
    "csharp": read_csharp,
    "dart": read_dart,
    "elixir": read_elixir,
    "erlang": read_erlang,
    "go": read_go,
    "graphql": read_graphql,
    "groovy": read_groovy,
    "haskell": read_haskell,
    "java": read_java,
    "javascript": read_javascript,
    "julia": read_julia,
    "kotlin": read_kotlin,
    "lua": read_lua,
    "objc": read_objc,
    "ocaml": read_ocaml,
    "perl": read_perl,
    "php": read_php,
    "powershell": read_powershell,
    "proto": read_proto,
    "python": read_python,
    "r": read_r,
    "ruby": read_ruby,
    "rust": read_rust,
    "scala": read_scala,
    "solidity": read_solidity,
    "sql": read_sql,
    "starlark": read_python,
    "swift": read_swift,
    "tsx": read_javascript,
    "typescript": read_javascript,
    "zig": read_zig,
}
LINE_COMMENTS: Final = {
    "bash": b"#",
    "elixir": b"#",
    "erlang": b"%",
    "graphql": b"#",
    "haskell": b"--",
    "julia": b"#",
    "lua": b"--",
    "perl": b"#",
    "powershell": b"#",
    "python": b"#",
    "r": b"#",
    "ruby": b"#",
    "sql": b"--",
    "starlark": b"#",
}
