"""The chunker's front door."""

from collections.abc import Callable, Iterator

from zapomni_core.chunking.code import split_top_blocks
from zapomni_core.chunking.language import is_code
from zapomni_core.chunking.lines import trimmed_end
from zapomni_core.chunking.measuring import Measurer
from zapomni_core.chunking.packing import Packer
from zapomni_core.chunking.pieces import Grain, Kind, Piece, Rank
from zapomni_core.chunking.prose import split_prose
from zapomni_core.chunking.ruler import Ruler
from zapomni_core.chunking.spans import ChunkLimits, Span


def split_text(
    text: str,
    count_tokens: Callable[[str], int],
    limits: ChunkLimits,
    language: str | None = None,
) -> list[Span]:
    """Split text into chunks that follow its structure and fit the limits.

    Every visible character lies in a span; starts and ends strictly increase. A single
    character is never divided, even where it alone exceeds the limits.

    Args:
        count_tokens: Additive over words, or an estimate; it must give equal results for
            equal text. It is called on pieces of at most `limits.max_chars` characters.
        language: Name of a programming or markup language; other names and None let the
            text speak for itself.
    """
    end = trimmed_end(text, 0, len(text))
    start = end - len(text[:end].lstrip())
    if start == end:
        return []
    ruler = Ruler(text, count_tokens)
    if end - start <= limits.max_chars and ruler.measure(start, end) <= limits.max_tokens:
        return [Span(start, end)]
    split = _split_code if is_code(text, language) else split_prose
    measured = Measurer(ruler, limits).measure(split(text, start, end))
    return list(Packer(ruler, limits).pack(measured))


def _split_code(text: str, start: int, end: int) -> Iterator[Piece]:
    for block_start, block_end in split_top_blocks(text, start, end):
        yield Piece(block_start, block_end, Rank.PARAGRAPH, Kind.CODE, Grain.OUTER_BLOCK)
