"""Things without a name that facts are about: what someone likes, plays, studies or is."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["CONCEPT", "OCCUPATION", "is_telling"]

# Words that begin nothing one could like, or that end a phrase.
_STOP: Final = (
    "a an the and or but nor so yet to of in on at by for from with without about as than "
    "into onto over under after before since until till while when where which who whom whose "
    "what why how if that this these those there here it its him her his them their they he "
    "she i we us me my mine our your yours you not no never is are was were am be been being "
    "do does did have has had will would can could should may might must too also very really "
    "much more most even just only all any some each every both either neither one ones "
    "another other others because though although like unlike up down out off back away again "
    "now then today tonight tomorrow yesterday lately recently especially particularly such "
    "seeing hearing knowing having getting making giving taking going doing thinking feeling "
    "looking saying telling letting finding showing bringing putting keeping trying spending "
    "sharing helping using something anything nothing everything everyone someone anyone "
    "stuff things thing lot lots way ways bit kind sort idea ideas thought time times day "
    "days moment moments part i'm it's during around along through between among always often "
    "sometimes together first last next same own new old great good nice cool amazing awesome "
    "beautiful still definitely absolutely anyway tho lol haha btw well yeah yes cause 'cause "
    "myself yourself himself herself themselves ourselves ever let lets okay ok alright fine "
    "few couple love loves several many get go do be make take see keep"
)
_STOPS: Final = "|".join(sorted(set(map(re.escape, _STOP.split())), key=len, reverse=True))
_WORD: Final = (
    rf"(?!(?:{_STOPS})(?![\w'-]))(?!\w{{3,}}(?<!fami)ly(?!\w))[a-z][a-z'-]*[a-z](?![\w'-])"
)
_AFTER: Final = (
    r"(?=\s*(?:[.,;:!?)\"”–—]|\s-|$|(?:and|or|but|in|on|at|with|for|because|since|when|while"
    r"|as|so|too|a_lot|lately|recently|together|especially|every|these|this|to_relax|after"
    r"|before|during|from|by)(?!\w)))"
).replace("_", r"\s+")
CONCEPT: Final = rf"(?P<c>{_WORD}(?:\s+{_WORD}){{0,2}}){_AFTER}"
OCCUPATION: Final = (
    r"(?P<c>(?:[a-z][a-z-]*\s+){0,2}[a-z-]*(?:er|or|ist|ian|ant|ent|eer|ress|man|woman|nurse|chef"
    r"|coach|attorney|pilot|architect|analyst|barista|actor|model|clerk|cop|scout))"
    r"(?=\s*(?:[.,;!?)]|$|(?:and|but|in|at|for|with|by|who|from|since|now|here)(?!\w)))"
)
_NO_JOB: Final = re.compile(
    r"\b(?:believer|lover|supporter|beginner|loner|member|winner|person|parent|student|patient"
    r"|better|bigger|other|another|never|over|ever|mother|father|brother|sister|daughter|number"
    r"|matter|center|different|important|excellent|brilliant|recent|great|perfect|human|woman|man"
    r"|grandmother|grandfather|stepfather|stepmother|survivor|newcomer|outsider|starter|killer"
    r"|reminder|factor|error|disaster|wonder|winter|summer|corner|power|paper|letter|chapter|major"
    r"|minor|junior|senior|super|former|partner|owner|descendant|veteran|collector|stranger"
    r"|gamer|fighter|talent|gender|hater|helper|listener|learner|early riser|giver|keeper|event)$"
)


_NATION: Final = re.compile(
    r"(?:[aeiou]n|ish|ese|[rtfv]ic|ench|[aeq]i|iss|utch|eek|zech|urk|hai)$"
)
_NO_PASTIME: Final = (
    "help hear see say playing watching working making creating learning improving challenges"
    " opportunity change"
    " person people place places work life success support progress"
)
_HAPPENING: Final = re.compile(
    r"(?:ing|party|conference|convention|parade|festival|concert|class|workshop|interview|game"
    r"|tournament|competition|event|fair|show|trip|ceremony|wedding|retreat|race|dinner|school"
    r"|work|bed|point|doctor)$"
)
_NO_DEED: Final = (
    "difference differences decision decisions mistake mistakes change changes plan plans friend"
    " friends point progress place event effort choice connection connections impact deal list"
    " promise bunch step steps move comeback game games call calls bits journey chat conversation"
    " goal goals team life living lives future start end top next note"
)
_NO_NATION: Final = (
    "republican christian lutheran anglican presbyterian roman latin african asian european"
    " olympian victorian edwardian catholic protestant parliamentarian women men"
)


def is_telling(predicate: str, phrase: str) -> bool:
    """Tell whether a phrase can be what the predicate says."""
    match predicate:
        case "likes" | "dislikes" | "prefers" | "practices":
            return phrase not in _NO_PASTIME.split()
        case "made" | "attended" | "started" | "completed" | "organised":
            return phrase.rsplit(maxsplit=1)[-1] not in _NO_DEED.split()
        case "visited":
            return _HAPPENING.search(phrase) is None and phrase not in _NO_DEED.split()
        case "did":
            return phrase.split(maxsplit=1)[0].endswith("ing")
        case "occupation":
            return _NO_JOB.search(phrase) is None
        case "nationality":
            return _NATION.search(phrase) is not None and phrase not in _NO_NATION.split()
        case _:
            return True
