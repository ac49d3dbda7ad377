"""How a symbol is named in an answer."""

from __future__ import annotations

from collections.abc import Sequence

from zapomni_mcp.schemas import CodeCallSite, CodeSymbol

__all__ = ["called", "not_known", "placed"]


def placed(symbol: CodeSymbol) -> str:
    """Name a symbol and the place where it stands."""
    lines = f"{symbol.line}-{symbol.end_line}"
    return f"{symbol.kind} {symbol.qualified_name} ({symbol.path}:{lines}, {symbol.repository})"


def called(site: CodeCallSite) -> str:
    """Tell one step of a call graph."""
    marks = [site.relation, f"line {site.line}"] if site.line else [site.relation]
    marks += [site.how] if site.how else []
    marks += [f"confidence {site.confidence:.2f}"] if site.confidence < 1 else []
    return f"{'  ' * (site.depth - 1)}- {placed(site.symbol)} [{'; '.join(marks)}]"


def not_known(suggestions: Sequence[CodeSymbol]) -> str:
    """Tell that a name stands for nothing, or for several."""
    if not suggestions:
        return (
            "No indexed repository defines that. search_code finds code by other words; "
            "index_codebase reads more of it."
        )
    is_enough = len({each.id for each in suggestions}) == len(suggestions)
    way = "by id" if is_enough else "by id and repository"
    return "\n".join(
        [f"Which of these is meant? Ask again {way}:"]
        + [f"- {each.id}: {placed(each)}" for each in suggestions]
    )
