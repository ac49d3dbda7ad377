"""Give each mention of a text its name, and find which names mean the same there."""

from collections.abc import Sequence

from zapomni_core.knowledge.model import Alias, EntityName, Mention
from zapomni_core.knowledge.names.aliases import Named, aliases_in
from zapomni_core.knowledge.names.keys import name_key, shown_name

__all__ = ["name_mentions"]


def name_mentions(text: str, mentions: Sequence[Mention]) -> tuple[list[EntityName], list[Alias]]:
    """Return the name of each mention, in order, and the aliases that the text shows."""
    names = [_name(text, mention) for mention in mentions]
    named = [Named(mention, name) for mention, name in zip(mentions, names, strict=True)]
    named.sort(key=lambda one: one.mention.start)
    return names, list(aliases_in(text, named))


def _name(text: str, mention: Mention) -> EntityName:
    if mention.type == "date" and mention.value:
        return EntityName(mention.value, mention.value)
    name = shown_name(mention.value or text[mention.start : mention.end])
    return EntityName(name_key(name), name)
