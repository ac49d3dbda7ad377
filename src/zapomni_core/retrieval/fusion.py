"""Join what the vectors say with what the words say into one score."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["SimilarityScale", "fuse", "similarity_scale"]

type Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SimilarityScale:
    """How a model's cosine similarity reads: where unrelated ends and where the same begins."""

    unrelated: float
    same: float
    vector_weight: float
    foreign_weight: float

    def weight(self, query: str) -> float:
        """Return what the vectors count: less in a script that the model cannot read."""
        letters = [character for character in query if character.isalpha()]
        latin = sum(character < "\u0250" for character in letters)
        return self.foreign_weight if 2 * latin < len(letters) else self.vector_weight

    def confidence(self, similarity: float) -> float:
        """Map a similarity to 0..1."""
        return float(np.clip((similarity - self.unrelated) / (self.same - self.unrelated), 0, 1))


# Read off the spread of each model's similarities on real conversations and documents.
_SCALES = {"e5-small-8bit": SimilarityScale(0.74, 0.90, vector_weight=0.7, foreign_weight=0.2)}
_OTHER_MODELS = SimilarityScale(0.30, 0.90, vector_weight=0.6, foreign_weight=0.6)


def similarity_scale(model_id: str) -> SimilarityScale:
    """Return how to read a model's similarities."""
    return _SCALES.get(model_id, _OTHER_MODELS)


def fuse(
    similarities: Scores, words: Scores, best_words: float, scale: SimilarityScale, query: str
) -> Scores:
    """Score candidates in 0..1 from cosine similarities and BM25 scores.

    Both legs are stretched over the candidates, because their absolute values mean little next
    to each other; the result is scaled by how good the best of each leg is in absolute terms.
    `best_words` is the highest BM25 score that the query could reach.
    """
    weight = scale.weight(query) if words.max(initial=0.0) > 0 else 1.0
    relative = weight * _stretched(similarities, float(similarities.min()))
    relative += (1.0 - weight) * _stretched(words, 0.0)
    vector_confidence = scale.confidence(float(similarities.max()))
    word_confidence = float(words.max()) / best_words if best_words > 0 else 0.0
    confidence = weight * vector_confidence + (1.0 - weight) * min(word_confidence, 1.0)
    return np.asarray(np.clip(relative * confidence, 0.0, 1.0), np.float32)


def _stretched(scores: Scores, floor: float) -> Scores:
    span = float(scores.max()) - floor
    if span <= 0:
        return np.ones_like(scores) if floor else np.zeros_like(scores)
    return np.asarray((scores - floor) / span, np.float32)
