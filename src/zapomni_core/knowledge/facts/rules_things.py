"""How texts say what works, places, organisations and software are."""

from __future__ import annotations

from typing import Final

from zapomni_core.knowledge.facts.phrases import Rule, rules

__all__ = ["THINGS"]

_WORK: Final = "work technology"
_MADE: Final = "work technology event organisation"
_MAKER: Final = "person organisation"
_ANY_WORK: Final = (
    "novel|book|poem|play|essay|story|article|paper|memoir|biography|series|trilogy|novella"
    "|short_story|comic|manga|textbook|autobiography"
)
_BUILT: Final = "developed|created|designed|invented|made|produced|manufactured|built"
_PLACE: Final = (
    "city|town|village|municipality|commune|district|suburb|neighborhood|neighbourhood|county"
    "|province|region|river|lake|mountain|island|borough|settlement|hamlet|community|township"
    "|parish|state|park|station|museum|university|school|college|hospital|airport|company|bank"
    "|stadium"
)
_SONG: Final = "song|single|album|track|ep|record|debut_album|studio_album|ballad"

_WORKS: Final = (
    *rules(
        "written_by",
        _WORK,
        _MAKER,
        "S IS? written|co-written|penned|authored WHEN? by * O",
        f"S IS a|an|the * {_ANY_WORK} by * O",
        f"O 's * {_ANY_WORK} ,? S",
        "O , author|the_author|writer of * S",
        f"S , a|an|the * {_ANY_WORK} by * O",
        f"O wrote|penned|authored the|a|an? * {_ANY_WORK}? S",
    ),
    *rules(
        "directed_by",
        _WORK,
        "person",
        "S IS? directed WHEN? by * O",
        "S IS a|an|the * film|movie|drama|comedy|thriller|documentary directed by * O",
        "O directed the|a? * S",
        "O 's * film|movie|documentary ,? S",
        "S , a|an|the * film|movie directed by * O",
        "S IS a|an * * film|movie|drama|comedy * * directed by * O",
    ),
    *rules(
        "performed_by",
        _WORK,
        _MAKER,
        f"S IS a|an|the * * {_SONG} by|from * * O",
        f"S , a|an|the * {_SONG} by * O",
        "S IS? sung|performed|recorded WHEN? by * O",
        f"S IS the * * {_SONG} of * O",
        f"S IS O 's * * {_SONG}",
        f"O 's * {_SONG} ,? S",
        f"O released|recorded his|her|their|its|the|a * {_SONG} ,? S",
        "S IS a|an * * film|movie|comedy|drama|series starring * O",
        "S starring|stars|starred * O",
    ),
    *rules(
        "published_by",
        "work technology",
        "organisation person",
        "S IS? published WHEN? by * O",
        "S IS? developed and published WHEN? by * O",
        "O published S",
    ),
    *rules(
        "created_by",
        _MADE,
        _MAKER,
        "S IS? created|developed|designed|invented|built WHEN? by * O",
        f"S IS a|an|the * * {_BUILT} WHEN? by * O",
        "O created|invented|developed|designed the|a? * S",
        "O , creator|the_creator|inventor|developer of * S",
    ),
    *rules("produced_by", _WORK, _MAKER, "S IS? produced WHEN? by * O"),
)
_ORDER: Final = (
    *rules(
        "founded_on",
        "organisation place",
        "date",
        "S IS founded|established|formed|incorporated|created on|in O",
        "S , founded|established|formed in|on O",
        "S ( founded|established|formed in? O",
        "S IS founded|established|formed in|at L on|in|, O",
        "founded|established|formed in|on O , S",
    ),
    *rules(
        "owned_by",
        "organisation work technology place",
        _MAKER,
        "S IS? owned|acquired|bought WHEN? by * O",
        "S IS a|an|the * subsidiary|subsidiaries|division of O",
        "S , a|an|the? * subsidiary|division of O",
        "O owns|acquired|bought|purchased S",
        "S IS owned and|& operated by * O",
        aspect="state",
    ),
    *rules(
        "part_of",
        "organisation place work technology event",
        "organisation place work technology event",
        "S IS a|an? part of * O",
        "S forms part of * O",
        "S belongs to * O",
        "S , part of * O",
        "S IS a|an|the * * track|single|song|episode from|on|of * O",
        "S IS a|an|the * department|unit|branch|faculty of O",
    ),
    *rules(
        "located_in",
        "place organisation",
        "place",
        "S IS? located|situated|headquartered|based in|at * O",
        "S IS? located|situated on * * of|in O",
        f"S IS a|an|the * * {_PLACE} * in|of * O",
        "S lies|stands|sits in * O",
        "S IS a|an|the * * in * * of O",
    ),
    *rules(
        "capital_of",
        "place",
        "place",
        "S IS the * capital|capital_city of O",
        "S , the? * capital|capital_city of O",
        "O 's capital ,? S",
        "the? capital of O IS S",
        "the? capital of O , S",
    ),
)
_SOFTWARE: Final = (
    *rules(
        "uses",
        "technology organisation work",
        "technology",
        "S uses|runs_on|relies_on|leverages * O",
        "S IS built|written|implemented with|on|in|using * O",
        aspect="state",
        confidence=0.85,
    ),
    *rules(
        "uses",
        "person",
        "technology",
        "S use|uses|am_using|are_using|is_using|rely_on * O",
        aspect="state",
        confidence=0.85,
    ),
    *rules(
        "uses",
        "person organisation technology",
        "technology",
        "S HAS? switched|migrated|moved|upgraded * to O",
        "S HAS? switched|migrated|moved from T to O",
        "S HAS? adopted|started_using O",
        aspect="start",
        confidence=0.85,
    ),
    *rules(
        "uses",
        "person organisation technology",
        "technology",
        "S HAS? switched|migrated|moved from|away_from|off O",
        "S HAS? dropped|abandoned|stopped_using O",
        "S no_longer use|uses O",
        aspect="end",
        confidence=0.85,
    ),
    *rules(
        "depends_on",
        "technology organisation work",
        "technology organisation work",
        "S depends on * O",
        "S requires|needs * O",
        "S IS based on O",
        confidence=0.85,
    ),
)
THINGS: Final[tuple[Rule, ...]] = (*_WORKS, *_ORDER, *_SOFTWARE)
