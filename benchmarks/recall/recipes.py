"""Rankings to compare: each leg alone, and everything minus one ingredient."""

from __future__ import annotations

from dataclasses import fields, replace

from zapomni_core.retrieval.recipe import Recipe
from zapomni_core.retrieval.strands import Context

__all__ = ["EVERYTHING", "HYBRID", "ablations", "hybrid", "legs"]

EVERYTHING = "everything"
HYBRID = "simple hybrid"
_NO_CONTEXT = Context(before=0.0, after=0.0, second=0.0, thread=0.0)


def hybrid(recipe: Recipe) -> Recipe:
    """Return vectors and words with their weights, and nothing else."""
    return replace(recipe, context=_NO_CONTEXT, speaker=0.0, asker=0.0, period=0.0, named=0.0)


def legs(recipe: Recipe) -> dict[str, Recipe]:
    """Return each leg alone, and both together."""
    return {
        "vectors alone": _weighted(hybrid(recipe), 1.0),
        "words alone": _weighted(hybrid(recipe), 0.0),
        HYBRID: hybrid(recipe),
    }


def ablations(recipe: Recipe) -> dict[str, Recipe]:
    """Return everything minus each ingredient that counts for something.

    Without a weight of its own, talk, code or a foreign script is weighed as all other text is.
    """
    without = {
        "context": replace(recipe, context=_NO_CONTEXT),
        **{
            part.name: replace(recipe, context=replace(recipe.context, **{part.name: 0.0}))
            for part in fields(Context)
        },
        "speaker": replace(recipe, speaker=0.0),
        "asker": replace(recipe, asker=0.0),
        "period": replace(recipe, period=0.0),
        "named": replace(recipe, named=0.0),
        "talk_weight": replace(recipe, talk_weight=recipe.vector_weight),
        "code_weight": replace(recipe, code_weight=recipe.vector_weight),
        "foreign_weight": replace(recipe, foreign_weight=recipe.vector_weight),
    }
    return {f"without {name}": less for name, less in without.items() if less != recipe}


def _weighted(recipe: Recipe, weight: float) -> Recipe:
    return replace(
        recipe,
        vector_weight=weight,
        talk_weight=weight,
        foreign_weight=weight,
        code_weight=weight,
    )
