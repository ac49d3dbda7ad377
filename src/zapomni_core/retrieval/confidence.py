"""Say how likely a hit answers the question, and whether anything that is stored does."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Confidence", "Likelihood", "Signs"]

type Scores = NDArray[np.float32]

# Against so many of the best a hit has to stand out; where there are fewer, against nothing.
_RIVALS = 20
_USUAL_COVERAGE = 0.3


@dataclass(frozen=True, slots=True)
class Signs:
    """What the best candidates look like in absolute terms.

    `nearness` is the best cosine similarity, `coverage` the best word score as a share of the
    highest one possible.
    """

    nearness: float
    coverage: float


@dataclass(frozen=True, slots=True)
class Likelihood:
    """A logistic model over the signs of a question."""

    bias: float
    nearness: float
    coverage: float

    def of(self, signs: Signs, lead: Scores | float = 0.0) -> Scores:
        """Return the probability; `lead` is whatever else speaks for it."""
        signal = self.bias + self.nearness * signs.nearness + self.coverage * signs.coverage
        return np.asarray(1.0 / (1.0 + np.exp(-(signal + lead))), np.float32)


@dataclass(frozen=True, slots=True)
class Confidence:
    """How likely a hit is relevant, times how likely anything is.

    Within one answer it only grows with the rank score, so it never changes the order.
    """

    hit: Likelihood
    lead: float
    any_hit: Likelihood
    enough: float

    def of(self, scores: Scores, signs: Signs) -> Scores:
        """Return the probability of each hit, given the rank scores of all candidates."""
        best = np.sort(scores)[::-1][:_RIVALS]
        lead = self.lead * (scores - best.sum() / _RIVALS)
        return np.asarray(self.hit.of(signs, lead) * self.any_hit.of(signs), np.float32)

    def by_vector(self, similarity: float) -> float:
        """Return a rough probability for a hit of which only the similarity is known."""
        return 0.5 * float(self.any_hit.of(Signs(similarity, _USUAL_COVERAGE)))

    def is_enough(self, signs: Signs) -> bool:
        """Tell whether anything that is stored is likely to answer the question."""
        return float(self.any_hit.of(signs)) >= self.enough
