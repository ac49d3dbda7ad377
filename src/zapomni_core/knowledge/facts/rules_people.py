"""How texts say who people are: work, homes, lives and families."""

from __future__ import annotations

from typing import Final

from zapomni_core.knowledge.facts.phrases import Rule, rules

__all__ = ["PEOPLE"]

_GROUP: Final = "organisation technology"
_HEADS: Final = (
    "ceo|cto|cfo|coo|president|chairman|chairwoman|chairperson|chair|director|managing_director"
    "|executive_director|general_manager|head|leader|chief_executive|chief_executive_officer"
    "|prime_minister|governor|mayor|principal|dean|rector|editor-in-chief|captain|head_coach"
    "|general_secretary|secretary-general|king|queen|emperor|chancellor"
)
_WIFE: Final = "wife|husband|spouse|fiancé|fiancée|fiance"
_CHILD: Final = "son|daughter|child|stepson|stepdaughter"
_PARENT: Final = "mother|father|mom|dad|mum"
_SIBLING: Final = "brother|sister|twin_brother|twin_sister|half-brother|half-sister|sibling"
_PLAYER: Final = (
    "player|footballer|goalkeeper|midfielder|defender|striker|forward|pitcher|quarterback"
)
_DEGREE: Final = "degree|degrees|phd|doctorate|diploma|ph.d.|mba|bachelor's|master's"
_OLD: Final = (
    "younger|older|little|big|elder|eldest|oldest|youngest|only|twin|late|dear|baby|first|second"
    "|third"
)
_FRIEND: Final = "friend|best_friend|close_friend|old_friend|good_friend|bestie|buddy|pal"
_PET: Final = (
    "dog|cat|puppy|kitten|pup|kitty|hamster|parrot|rabbit|bunny|turtle|horse|guinea_pig|pet|fish"
    "|snake|lizard|bird|tortoise|ferret|retriever|labrador|poodle|beagle|shepherd"
)
_PETS: Final = "dogs|cats|puppies|kittens|pups|pets|kitties|turtles|birds|bunnies|rabbits|horses"

_WORK: Final = (
    *rules(
        "works_at",
        "person",
        _GROUP,
        "S work|works|working at|for O",
        "S BE working|employed at|for|by O",
        "S HAS been? working|worked at|for O",
        "S BE a|an|the * at O",
        "S , a|an|the? * at O ,",
        aspect="state",
    ),
    *rules(
        "works_at",
        "person",
        _GROUP,
        "S worked|interned at|for O",
        "S WAS employed by|at O",
        "S WAS a|an|the * at O",
        "S used_to work at|for O",
        aspect="past",
    ),
    *rules(
        "works_at",
        "person",
        _GROUP,
        "S HAS? joined O as a|an|its|their|the",
        "S HAS? started|begun|began working|work|a_job|my_job|a_new_job at|for O",
        "S HAS? got|landed|accepted|took|taken a|the|my * job|position|role at|with O",
        "S WAS hired|recruited by O",
        "S started at O",
        aspect="start",
    ),
    *rules(
        "works_at",
        "person",
        _GROUP,
        "S HAS? left O",
        "S HAS? quit|resigned|retired my|his|her|their? job? from|at O",
        "S WAS fired|laid_off from|by O",
        "S no_longer works|work at|for O",
        "S do|does not work at|for O anymore|any_more|any_longer",
        aspect="end",
        confidence=0.85,
    ),
    *rules(
        "leads",
        "person",
        "organisation place",
        f"S BE the|a|an? * {_HEADS} of O",
        f"S , the|a|an? * {_HEADS} of O",
        f"S BE O 's * {_HEADS}",
        aspect="state",
    ),
    *rules(
        "leads",
        "person",
        "organisation place",
        f"S WAS the|a|an? * {_HEADS} of O",
        f"S served|reigned|ruled as|for? the|a|an? * {_HEADS} of O",
        aspect="past",
    ),
    *rules(
        "leads",
        "person",
        "organisation place",
        f"S became|becoming the|a|an? * {_HEADS} of O",
        f"S WAS elected|appointed|named|crowned as? the|a|an? * {_HEADS} of O",
        aspect="start",
    ),
    *rules(
        "founded",
        "person",
        "organisation",
        "S founded|co-founded|cofounded|established O",
        "S HAS founded|co-founded|cofounded|established O",
        "O WAS founded|co-founded|established|created|started|formed WHEN? by * S",
        "O , founded|co-founded|established WHEN? by * S",
        "S , the? founder|co-founder|cofounder of O",
        "S IS the|a|one_of_the? * founder|co-founder|cofounder|founders of O",
        "S founded|co-founded the * company|startup|band|label|organization|studio|firm O",
    ),
    *rules(
        "plays_for",
        "person",
        "organisation place",
        "S plays|play|playing|played * for O",
        f"S BE a|an * {_PLAYER} for|with|at O",
        "S signed for|with O",
        aspect="state",
        confidence=0.85,
    ),
    *rules(
        "member_of",
        "person",
        "organisation",
        "S IS a|an|the * member|members of O",
        "S , a|an? * member of O",
        "S BE in the|a? band O",
        "S belongs|belonged to O",
        aspect="state",
    ),
    *rules(
        "member_of",
        "person",
        "organisation",
        "S HAS? joined O",
        "S became a|an * member of O",
        aspect="start",
        confidence=0.85,
    ),
    *rules(
        "member_of",
        "organisation place",
        "organisation",
        "S BE a|an * member of O",
        "S , a|an * member of O",
        aspect="state",
    ),
    *rules(
        "educated_at",
        "person",
        "organisation",
        "S graduated|graduating * from O",
        "S HAS? studied|studying|studies|study * at O",
        "S HAS? studied|studies * * at O",
        "S HAS? attended|attends|attending O",
        "S IS? educated at O",
        f"S HAS? earned|received|obtained|got a|an|his|her|my|their * * {_DEGREE} from|at O",
        "S HAS? received|earned|got|completed|obtained a|an|his|her|my * * of|in * * from|at O",
        "S BE a|an * student at O",
        "S enrolled|enrolling at|in O",
        aspect="event",
    ),
)
_HOME: Final = (
    *rules(
        "lives_in",
        "person",
        "place",
        "S live|lives|living|resides|reside in|at|near O",
        "S BE living|based|residing in O",
        "S HAS been? living|lived|resided in O",
        "S , a|an? * resident of O",
        aspect="state",
    ),
    *rules(
        "lives_in",
        "person",
        "place",
        "S lived|resided in O",
        "S used_to live in O",
        "S grew_up in O",
        "S WAS raised in O",
        "S WAS living in O",
        aspect="past",
    ),
    *rules(
        "lives_in",
        "person",
        "place",
        "S HAS? moved|relocated|emigrated|immigrated|returned_home|settled * to|in O",
        "S HAS? moved|relocated|emigrated|immigrated from the? L to O",
        "S HAS? moved with|and my|his|her * to O",
        "S emigrated with my|his|her * to O",
        aspect="start",
    ),
    *rules(
        "lives_in",
        "person",
        "place",
        "S HAS? moved|relocated|emigrated|immigrated * from O",
        "S no_longer live|lives in O",
        "S do|does not live in O anymore|any_more|any_longer",
        "S HAS? moved away|out from|of O",
        aspect="end",
    ),
    *rules(
        "visited",
        "person",
        "place",
        "S HAS? visited|toured O",
        "S HAS? went|gone|been|travelled|traveled|flew * to O",
        "S HAS? took|taken|been_on|went_on|made a|an * trip|vacation|holiday|journey to O",
        "S got|came back|home from|to? * O",
        "S just? returned|back from * trip|vacation|holiday? to|in? O",
        aspect="event",
        confidence=0.85,
    ),
    *rules(
        "nationality",
        "person",
        "place organisation work",
        "S IS a|an|the * N",
        "S , a|an * N",
    ),
    *rules(
        "citizen_of",
        "person",
        "place",
        "S BE a|an * citizen of O",
        "S BE originally? from O",
        "S came|comes|hails from O",
        aspect="state",
        confidence=0.6,
    ),
)
_LIFE: Final = (
    *rules(
        "born_in",
        "person",
        "place",
        "S WAS? born WHEN? in|at|near O",
        "S WAS? born WHEN? to|into * parents|family in O",
        "S WAS? born and raised in O",
        "S born WHEN? , O",
        "born WHEN? in|at O , S",
        "S ( born|b. WHEN? in|, O",
        "S ( WHEN? in|, O",
    ),
    *rules(
        "born_on",
        "person",
        "date",
        "S WAS? born on|in? O",
        "S ( born|b. on? O",
        "^ S ( O –|-|— D )",
        "S WAS? born in|at|, L on|in|, O",
        "S ( born|b. in|,? L on|,|in? O",
        "born on|in? O , S",
    ),
    *rules(
        "died_on",
        "person",
        "date",
        "S died|passed_away|was_killed|were_killed|was_assassinated on|in? O",
        "^ S ( D –|-|— O )",
        "S died|passed_away|was_killed in|at L on|in|, O",
        "S ( died on|in? O",
    ),
    *rules(
        "died_in",
        "person",
        "place",
        "S died|passed_away WHEN? in|at O",
        "S WAS killed WHEN? in|at O",
    ),
)
_FAMILY: Final = (
    *rules(
        "married_to",
        "person",
        "person",
        "S BE married|engaged to O",
        f"S's {_OLD}? {_WIFE} ,? O",
        f"O , S's {_OLD}? {_WIFE}",
        f"S , the? {_WIFE} of O",
        f"S IS the|a? {_WIFE} of O",
        f"O BE S's {_OLD}? {_WIFE}",
        f"S and his|her|my {_OLD}? {_WIFE} ,? O",
        f"S's {_WIFE} 's_name is|was O",
        aspect="state",
    ),
    *rules(
        "married_to",
        "person",
        "person",
        "S HAS? married|wed O",
        "S got|getting married to O",
        "S WAS married to O",
        aspect="start",
    ),
    *rules(
        "parent_of",
        "person",
        "person",
        f"S's {_OLD}? {_CHILD} ,? O",
        f"S's {_OLD}? sons|daughters|children|kids ,|are? O",
        f"S IS the? {_PARENT} of * O",
        f"S , the? {_PARENT} of * O",
        f"O BE S's {_OLD}? {_CHILD}",
        f"S and his|her|my {_OLD}? {_CHILD} O",
    ),
    *rules(
        "child_of",
        "person",
        "person",
        f"S's {_PARENT} ,? O",
        f"O , S's {_PARENT}",
        f"O BE S's {_PARENT}",
        f"S IS the|a? {_OLD}? {_CHILD} of * O",
        f"S ,? the|a? {_OLD}? {_CHILD} of * O",
        "S WAS born to O",
    ),
    *rules(
        "sibling_of",
        "person",
        "person",
        f"S's {_OLD}? {_OLD}? {_SIBLING} ,? O",
        f"O , S's {_OLD}? {_SIBLING}",
        f"S's {_OLD}? brothers|sisters|siblings ,|are? O",
        f"O BE S's {_OLD}? {_SIBLING}",
        f"S IS the|a? {_OLD}? {_SIBLING} of O",
        f"S , the|a? {_OLD}? {_SIBLING} of O",
        f"S and his|her|my {_OLD}? {_SIBLING} ,? O",
    ),
    *rules(
        "friend_of",
        "person",
        "person",
        f"S's {_FRIEND} ,? O",
        f"O , S's {_FRIEND}",
        f"O BE S's {_FRIEND}",
        f"S IS a|the? {_FRIEND} of O",
        "S BE * friends with O",
        "S became * friends with O",
        "S's friends|best_friends|close_friends ,|are|like? O",
        aspect="state",
    ),
    *rules(
        "has_pet",
        "person",
        "person organisation place work technology concept",
        f"S's {_OLD}? * {_PET} ,|is? O",
        f"S's {_PETS} ,|are? O",
        f"S's {_PET} 's_name is O",
        f"S HAS a|an * {_PET} named|called O",
        f"S HAS a|an * {_PET} , O",
        f"S HAS? got|adopted a|an * {_PET} named|called O",
        f"O , S's {_PET}",
        f"S HAS two|three|four * {_PETS} , O",
        aspect="state",
        confidence=0.85,
    ),
)
PEOPLE: Final[tuple[Rule, ...]] = (*_WORK, *_HOME, *_LIFE, *_FAMILY)
