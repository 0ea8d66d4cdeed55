"""Which language a text is in: the one place that tells languages.

Runs of bytes speak for languages, as py3langid has learnt them (Adrien Barbaresi, after langid.py
by Marco Lui). `scripts/learn_languages.py` keeps those that tell most; loading them takes 20 ms,
loading the library a second and 75 MB. Of 8,754 questions of the labels 0.94 are told rightly.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from desktop.resources import resource
from desktop.sentences import ENGLISH

# numpy only within functions: the window starts without it
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy as np
    from numpy.typing import NDArray

SPOKEN: Final = (ENGLISH, "de")
"""The languages that the program itself speaks."""
SEVERAL: Final = "mul"
"""The language of a page that is in several, by ISO 639-2."""
SURE: Final = 0.6
"""A question is told to be in a language that is as likely as this.

Among all languages 0.86 of the labels' questions are, of these 0.9985 rightly; among six of them
0.92, and 0.997; among two 0.98, and 0.994.
"""
_PREFERRED: Final = 0.8
"""For pages in one of a manual's languages to be preferred: "MPPT 75/50 lithium" asks in none."""
_SURE_OF_PAGE: Final = 0.9
_WORDS_OF_PIECE, _PIECES = 40, 8
_OF_ONE: Final = 0.75
"""A page is in one language if that is the language of so many of the pieces that tell one."""
_TOLD: Final = 0.5
"""Share of the pieces that must tell it: a head in Chinese says nothing of a table of codes."""
_LONGEST = 6  # bytes of a run

_own = ENGLISH


def fall_back_to(language: str) -> None:
    """Have the program speak this language, where it does, with whoever asks in none that it knows.

    language: that of the window, or of the command line.
    """
    global _own  # as Qt keeps the translators of the whole process
    _own = language if language in SPOKEN else ENGLISH


def language_in(text: str, among: Collection[str] = (), *, least: float = SURE) -> str:
    """Return the code of the language that a text is in ("fr"), "" if it does not tell.

    among: the languages that it may be in, all that are known if none is named.
    """
    learnt = _learnt()
    language, chance = learnt.likeliest(learnt.runs_in(text), among)
    return language if chance >= least else ""


def page_language(text: str) -> str:
    """Return the language of the text of a page, `SEVERAL` for two columns in two languages.

    "" if it has too few words.
    """
    told = _told_of(text)
    pieces = told.total()
    del told[""]
    if not told:
        return language_in(text, least=_SURE_OF_PAGE)
    language, count = told.most_common(1)[0]
    if count < _OF_ONE * told.total():
        return SEVERAL
    return language if count >= _TOLD * pieces else ""


def languages_on(text: str) -> frozenset[str]:
    """Return the languages of the text of a page that is in several."""
    return frozenset(_told_of(text)) - {""}


def _told_of(text: str) -> Counter[str]:
    """Return how many pieces of a text are in each language; "" for those that do not tell it."""
    words = text.split()
    pieces = [words[at : at + _WORDS_OF_PIECE] for at in range(0, len(words), _WORDS_OF_PIECE)]
    spread = pieces[:: math.ceil(len(pieces) / _PIECES) or 1]
    return Counter(language_in(" ".join(each), least=_SURE_OF_PAGE) for each in spread)


def language_among(question: str, languages: Collection[str]) -> str:
    """Return in which of the languages of a manual a question is, "" if in none or not told."""
    told = language_in(question)
    if told:
        return told if told in languages else ""
    return language_in(question, languages, least=_PREFERRED)


def language_of(question: str, *others: str) -> str:
    """Return the language in which the program speaks with whoever asks, one of `SPOKEN`.

    others: what tells the language of a question that does not, such as the passages that answer
    it; the first that tells it counts.
    """
    for text in (question, *others):
        learnt = _learnt()
        runs = learnt.runs_in(text)
        likeliest, chance = learnt.likeliest(runs, ())
        if chance >= SURE:
            return likeliest if likeliest in SPOKEN else _own
        language, chance = learnt.likeliest(runs, SPOKEN)
        if likeliest in SPOKEN and chance >= SURE:
            return language
    return _own


@dataclass(frozen=True, slots=True, eq=False)
class _Learnt:
    """runs: int64, sorted: up to 6 bytes. weights: uint8[runs, languages], logarithms in steps."""

    languages: tuple[str, ...]
    runs: NDArray[np.int64]
    weights: NDArray[np.uint8]
    step: float

    def runs_in(self, text: str) -> tuple[NDArray[np.intp], int]:
        """Return the longest known run that ends at each byte of a text, and its bytes."""
        import numpy as np

        plain = unicodedata.normalize("NFC", text.lower() if text.isupper() else text)
        data = np.frombuffer(plain.encode(errors="replace"), np.uint8).astype(np.int64)
        ending = np.full(len(data), -1)
        run = data
        for length in range(2, min(_LONGEST, len(data)) + 1):
            run = (run[:-1] << 8) | data[length - 1 :]
            place = np.searchsorted(self.runs, run)
            known = self.runs.take(place, mode="clip") == run
            ending[length - 1 :][known] = place[known]
        return ending[ending >= 0], len(data)

    def likeliest(
        self, runs: tuple[NDArray[np.intp], int], among: Collection[str]
    ) -> tuple[str, float]:
        """Return the language that is likeliest among some, and its chance; "", 0 for no run."""
        import numpy as np

        found, length = runs
        if not len(found):
            return "", 0.0
        kept: Sequence[int] = range(len(self.languages))
        if among:
            kept = [at for at in kept if self.languages[at] in among]
        if not kept:
            return "", 0.0
        each, counts = np.unique(found, return_counts=True)
        said = np.log1p(counts.astype(np.float32)) @ self.weights[each] * self.step
        said /= math.sqrt(length)  # which keeps the chances of long texts honest
        chances = np.exp(said[kept] - said[kept].max())
        best = int(chances.argmax())
        return self.languages[kept[best]], float(chances[best] / chances.sum())


@cache
def _learnt() -> _Learnt:
    import numpy as np

    with np.load(resource("languages.npz"), allow_pickle=False) as data:
        languages = tuple(data["languages"].tolist())
        return _Learnt(languages, data["runs"], data["weights"], float(data["step"]))
