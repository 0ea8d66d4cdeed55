"""Made-up page vectors for measuring a page search, in the proportions of ColQwen.

What makes real ones easy or hard to search is imitated: every manual speaks of some of the same
subjects; a page has a few of them, in runs of neighbouring patches that resemble each other and
drift slowly; a fifth of the patches are blank and nearly equal on all pages; all vectors lean
to one side. Made-up pages have no meaning: recall on them speaks for the stages against exact
MaxSim, not for the answers.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from desktop.models.roles import TextEmbedder


DIMENSION, PATCHES, BLANK = 128, 700, 140
TOKENS, FILLERS = 24, 8
_SUBJECTS, _PER_PAGE, _RUN = 2_000, 12, 10
_TEXT = PATCHES - BLANK
_WINDOW_WORDS, _WINDOWS = 90, 4


def unit(vectors: NDArray[np.floating]) -> NDArray[np.float32]:
    """Scale rows to unit length."""
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True), np.float32)


class Clusters:
    """Pages of subjects: directions that many pages share, each page with its own shade."""

    def __init__(self, seed: int = 0) -> None:
        """Draw the subjects that all pages have in common."""
        self._chance = np.random.default_rng(seed)
        spread = np.linspace(1.6, 0.4, DIMENSION)  # few strong directions, as after a projection
        self._side = unit(self._chance.standard_normal(DIMENSION)) * 0.35
        self._subjects = unit(self._chance.standard_normal((_SUBJECTS, DIMENSION)) * spread)
        self._blanks = unit(self._chance.standard_normal((32, DIMENSION)) + 6 * self._side)

    def page(self) -> NDArray[np.float32]:
        """Return one page, float32, shape (PATCHES, DIMENSION)."""
        chance = self._chance
        chosen = self._subjects[chance.integers(0, _SUBJECTS, _PER_PAGE)]
        shaded = unit(chosen + 0.4 * unit(chance.standard_normal(chosen.shape)))
        runs = -(-_TEXT // _RUN)
        of_run = shaded[np.sort(chance.integers(0, _PER_PAGE, runs))]
        of_run = unit(of_run + 0.4 * unit(chance.standard_normal(of_run.shape)))
        text = np.repeat(of_run, _RUN, axis=0)[:_TEXT]
        own = 0.7 * unit(chance.standard_normal(text.shape))
        text = unit(text + 0.4 * own + 0.4 * np.roll(own, 1, axis=0) + self._side)
        return np.concatenate([text, blank_patches(self._blanks, chance)])


class TokenStates:
    """Pages of MiniLM token states over real manuals, spliced to as many as are wanted.

    A page of real text comes as it is; a further one takes its text from four real pages, with
    a little noise.
    """

    def __init__(self, real: NDArray[np.float32], seed: int = 0) -> None:
        """Take real pages, float32, shape (n, _TEXT, DIMENSION)."""
        self._real = real
        self._given = 0
        self._chance = np.random.default_rng(seed)
        lean = unit(real.reshape(-1, DIMENSION).mean(axis=0))
        self._blanks = unit(unit(self._chance.standard_normal((32, DIMENSION))) + 0.5 * lean)

    def page(self) -> NDArray[np.float32]:
        """Return one page, float32, shape (PATCHES, DIMENSION)."""
        chance, real = self._chance, self._real
        if self._given < len(real):
            text = real[self._given]
        else:
            quarter = _TEXT // 4
            sources = zip(
                chance.integers(0, len(real), 4),
                chance.integers(0, _TEXT - quarter, 4),
                strict=True,
            )
            text = np.concatenate([real[page, at : at + quarter] for page, at in sources])
            text = unit(text + 0.03 * chance.standard_normal(text.shape))
        self._given += 1
        return np.concatenate([text, blank_patches(self._blanks, chance)])


def blank_patches(blanks: NDArray[np.float32], chance: np.random.Generator) -> NDArray[np.float32]:
    """Return the patches of margins: noisy copies of four of some vectors."""
    four = blanks[chance.choice(len(blanks), 4, replace=False)]
    noise = 0.025 * chance.standard_normal((BLANK, DIMENSION))
    return unit(four[chance.integers(0, 4, BLANK)] + noise)


def questions(pages: NDArray[np.float32], count: int, seed: int = 1) -> list[NDArray[np.float32]]:
    """Make questions of 24 vectors, each about one page.

    Sixteen are near vectors that lie together on it, mixed with vectors of other pages; eight
    are near the mean of all, as a model's filler tokens are.
    """
    chance = np.random.default_rng(seed)
    mean = unit(pages[:: max(1, len(pages) // 50)].reshape(-1, DIMENSION).mean(axis=0))
    found = []
    words = TOKENS - FILLERS
    for target in chance.integers(0, len(pages), count):
        start = int(chance.integers(0, _TEXT - 40))
        own = pages[target, start + np.sort(chance.choice(40, words, replace=False))]
        others = pages[chance.integers(0, len(pages), words), chance.integers(0, _TEXT, words)]
        mixed = 0.7 * own + 0.5 * others + 0.04 * chance.standard_normal(own.shape)
        filler = mean + 0.1 * chance.standard_normal((FILLERS, DIMENSION))
        found.append(np.concatenate([unit(mixed), unit(filler)]))
    return found


def token_states(folder: Path, embedder: TextEmbedder, pages: int) -> NDArray[np.float32]:
    """Embed the text of a folder's PDFs; return float32, shape (pages, _TEXT, DIMENSION).

    A page here is 360 words in four windows; states are projected to 128 dimensions by the
    directions in which they differ most.
    """
    import pymupdf

    words: list[list[str]] = []
    length = _WINDOW_WORDS * _WINDOWS
    for path in sorted(folder.glob("*.pdf")):
        with pymupdf.open(path) as document:
            text = re.sub(r"([^\w\s])\1{2,}", " ", " ".join(page.get_text() for page in document))
        all_words = text.split()
        words += [all_words[a:b] for a, b in pairwise(range(0, len(all_words), length))]
    order = np.random.default_rng(0).permutation(len(words))[:pages]
    states = np.stack([_states(embedder, words[place]) for place in order])
    mean = states.reshape(-1, states.shape[-1]).mean(axis=0)
    centred = states - 0.5 * mean
    sample = centred.reshape(-1, states.shape[-1])[:: max(1, centred.shape[0] * _TEXT // 8_000)]
    directions = np.linalg.svd(sample, full_matrices=False)[2][:DIMENSION]
    return unit(centred @ directions.T)


def _states(embedder: TextEmbedder, words: list[str]) -> NDArray[np.float32]:
    windows = [
        " ".join(words[at : at + _WINDOW_WORDS]) for at in range(0, len(words), _WINDOW_WORDS)
    ]
    states = np.concatenate(embedder.embed_tokens(windows))
    return states[np.arange(_TEXT) % len(states)]
