"""Make the key of a name: the same for every way of writing it."""

import hashlib
import re
import unicodedata

__all__ = ["LONGEST_NAME", "TITLE", "entity_id", "name_key", "shown_name"]

LONGEST_NAME = 1000
# Characters that nobody sees: controls, formatting such as the direction of writing, halves of
# characters, and those without a meaning.
UNSEEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))
TITLE = re.compile(r"(?:mr|mrs|ms|mx|miss|dr|prof|professor|sir|rev)\.?\s+", re.IGNORECASE)
_BEFORE = "\"'“”‘’«»„`*,;:()[]{}<>| "
_AFTER = f"{_BEFORE}.~"
_THE = re.compile(r"the\s+", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s?$")
_DOTTED_LETTERS = re.compile(r"(?:\w\.){2,}\w?")
_INITIAL = re.compile(r"\b(\w)\.\s*(?=\w)")
_JOINTS = re.compile(r"[\s\u2010-\u2015-]+")
_LEGAL_FORM = re.compile(r",?\s(?:inc|ltd|llc|corp|gmbh|plc)\.?$")
_SCRIPT_END = re.compile(r"[ .]js$")
_ADDRESS = re.compile(r"[a-z]+://|www\.|[~./\\]|[a-z]:\\|\S+[@/\\]\S", re.IGNORECASE)
_HOST = re.compile(r"(?:https?://)?(?:www\.)?([^/?#]*)(.*)", re.IGNORECASE | re.DOTALL)
_WEB = re.compile(r"https?://|www\.", re.IGNORECASE)
_LATIN = re.compile(r"[a-z]", re.IGNORECASE)


def shown_name(written: str) -> str:
    """Return a name as it is shown: what can be seen of it, without what surrounds it."""
    name = _seen(written)
    while (bare := _bare(name)) and bare != name:
        name = bare
    return name[:LONGEST_NAME].rstrip() or "\N{REPLACEMENT CHARACTER}"


def name_key(name: str) -> str:
    """Return the key of a shown name; it never is empty."""
    if _ADDRESS.match(name) and " " not in name:
        return _address_key(name)
    key = _folded(name)
    without_title = TITLE.sub("", key, count=1)
    # "Dr. Marie Curie" is Marie Curie, but "Dr. Dre" is not Dre.
    key = without_title if " " in without_title else key
    if _DOTTED_LETTERS.fullmatch(key):
        return key.replace(".", "")
    key = _LEGAL_FORM.sub("", _INITIAL.sub(r"\1 ", key))
    key = _SCRIPT_END.sub("js", key)
    return _JOINTS.sub(" ", key).strip(" .")[:LONGEST_NAME] or name[:LONGEST_NAME]


def entity_id(key: str) -> str:
    """Return 32 hex digits that stand for a key."""
    return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _seen(written: str) -> str:
    """Write compatible characters alike; cut first, what is beyond is never shown."""
    composed = unicodedata.normalize("NFKC", written[: 4 * LONGEST_NAME])
    spaced = " ".join(composed.split())
    if spaced.isascii() and spaced.isprintable():
        return spaced
    visible = "".join(sign for sign in spaced if unicodedata.category(sign) not in UNSEEN)
    return " ".join(visible.split())


def _bare(name: str) -> str:
    """Drop one layer of what surrounds a name, but not the last point of "U.S."."""
    bare = name.lstrip(_BEFORE).rstrip(_AFTER)
    if _DOTTED_LETTERS.fullmatch(f"{bare}.") and f"{bare}." in name:
        return f"{bare}."
    return _POSSESSIVE.sub("", _THE.sub("", bare, count=1))


def _folded(name: str) -> str:
    """Drop the case, and the accents of Latin letters: people often leave those out."""
    folded = name.casefold()
    if folded.isascii():
        return folded
    return unicodedata.normalize("NFC", "".join(map(_unaccented, folded)))


def _unaccented(letter: str) -> str:
    parts = unicodedata.normalize("NFD", letter)
    return parts[0] if len(parts) > 1 and _LATIN.match(parts) else letter


def _address_key(name: str) -> str:
    """Keep the case of paths, which tells files apart; hosts and mail addresses have none."""
    if _WEB.match(name):
        match = _HOST.fullmatch(name)
        assert match is not None
        return (match[1].casefold() + match[2]).rstrip("/") or name
    return name.casefold() if "@" in name and "/" not in name else name
