"""What counts how much in a ranking: one readable table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from zapomni_core.retrieval.confidence import Confidence, Likelihood
from zapomni_core.retrieval.strands import Context

__all__ = ["Recipe", "recipe_for"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """The weights of a ranking. Both legs are stretched to 0..1 before they are weighed.

    `vector_weight` is for texts that stand alone, `talk_weight` for turns of a conversation, where
    few words are repeated, and `code_weight` for source code, where the words of a question are
    rarely those of the answer. `foreign_weight` replaces them for a script that the model cannot
    read.
    `speaker` is for what somebody said whom the query names, `asker` for what the user said if
    the query speaks of "me", `named` for what names the same things as the query.
    """

    vector_weight: float
    talk_weight: float
    foreign_weight: float
    code_weight: float
    context: Context
    speaker: float
    asker: float
    period: float
    named: float
    confidence: Confidence

    def weight(self, query: str, code_share: float, talk_share: float) -> float:
        """Return what the vectors count; the words count the rest."""
        letters = [character for character in query if character.isalpha()]
        latin = sum(character < "\u0250" for character in letters)
        if 2 * latin < len(letters):
            return self.foreign_weight
        prose = self.vector_weight + talk_share * (self.talk_weight - self.vector_weight)
        return prose + code_share * (self.code_weight - prose)


_CONTEXT: Final = Context(before=0.15, after=0.25, second=0.1, thread=0.4)
# Chosen on public sets, where the values around these do nearly as well (docs/benchmarks.md).
_BUILT_IN: Final = Recipe(
    vector_weight=0.5,
    talk_weight=0.6,
    foreign_weight=0.2,
    code_weight=0.9,
    context=_CONTEXT,
    speaker=0.2,
    asker=0.5,
    period=0.15,
    named=0.1,
    confidence=Confidence(
        hit=Likelihood(bias=-7.65, nearness=5.53, coverage=2.98),
        lead=4.34,
        any_hit=Likelihood(bias=-21.14, nearness=34.43, coverage=3.09),
        enough=0.4,
    ),
)
# Their similarities are not calibrated: the words tell what they can, and nothing is ruled out.
_ENGLISH_MODELS: Final = replace(
    _BUILT_IN,
    vector_weight=0.5,
    confidence=Confidence(
        hit=Likelihood(bias=-4.5, nearness=0.0, coverage=1.4),
        lead=4.5,
        any_hit=Likelihood(bias=3.0, nearness=0.0, coverage=0.0),
        enough=0.4,
    ),
)
_OTHER_MODELS: Final = replace(_ENGLISH_MODELS, foreign_weight=0.6)
_RECIPES: Final = {"zapomni-small-2": _BUILT_IN, "all-MiniLM-L6-v2": _ENGLISH_MODELS}


def recipe_for(model_id: str) -> Recipe:
    """Return the weights that suit a model."""
    return _RECIPES.get(model_id, _OTHER_MODELS)
