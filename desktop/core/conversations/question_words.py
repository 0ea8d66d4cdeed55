"""The words of a question by what they do in it (English, German)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from desktop.core.retrieval.stopwords import STOPWORDS

ASKING = frozenset(
    "what which where when why who whose how was welche welcher welches welchen welchem wo woher"
    " wohin wann warum wieso weshalb wer wessen wem wie wieviel womit wofür woran".split()
)
AUXILIARIES = frozenset(
    "is are was were be am do does did can could should must may might shall will would has have"
    " had need ist sind war waren wird werden wurde kann können muss müssen soll sollen darf"
    " dürfen hat haben".split()
)
PREPOSITIONS = frozenset(
    "for of in on at with without from to by after before under over between during für von vom"
    " in im am an auf bei beim mit ohne aus zu zum zur nach vor unter über zwischen".split()
)
MEASURES = frozenset(
    "long often far big large tall high heavy wide deep thick fast hot cold old exactly else"
    " lange oft weit groß gross hoch schwer breit tief schnell heiß kalt viel viele genau sonst"
    " there then here same dort dann first next ok okay please bitte now jetzt nun weiter"
    " tun machen happens passiert".split()
)
"""They ask how much of something, or point: they name nothing."""

LEADS = re.compile(
    r"^\W*(?:(?:and|or|but|also|so|ok|okay|well|then|und|oder|aber|auch|also|dann)\b[\s,]*)*"
    r"(?:(?:what|how) about\b|what if it is\b|was ist (?:denn )?(?:mit|bei)\b"
    r"|wie (?:ist|sieht|steht) (?:es|das) (?:denn )?(?:mit|bei|für)\b)?\s*",
    re.IGNORECASE,
)
"""What a follow-up begins with: "and", "what about", "und", "wie ist es bei"."""

_WORD = re.compile(r"[^\W_](?:[\w°µΩ%+./'’:-]*[\w°µΩ%+])?", re.UNICODE)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a question in their order, with their spelling.

    content: those that carry meaning. subject: those of them that name something.
    """

    all: tuple[str, ...]
    content: tuple[str, ...]
    subject: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Words:
        """Read a question."""
        words = tuple(_WORD.findall(text))
        content = tuple(dict.fromkeys(word for word in words if carries_meaning(word)))
        return cls(words, content, tuple(w for w in content if w.casefold() not in MEASURES))

    @property
    def asks(self) -> bool:
        """Whether it says itself what is asked for, and is not a piece of a sentence."""
        first = self.all[0].casefold() if self.all else ""
        folded = [word.casefold() for word in self.all]
        return first in AUXILIARIES or any(word in ASKING for word in folded)

    @property
    def is_sentence(self) -> bool:
        """Whether it has a verb of those that can be known without a dictionary."""
        folded = {word.casefold() for word in self.all}
        return bool(folded & AUXILIARIES - {"was"}) or bool(folded & {"i", "ich", "you", "we"})


def words_in(text: str) -> list[str]:
    """Return the words and codes of a text with their spelling."""
    return _WORD.findall(text)


def carries_meaning(word: str) -> bool:
    """Whether a word says something by itself; numbers and codes do."""
    folded = word.casefold().replace("ß", "ss")
    return folded not in STOPWORDS and folded not in ("one", "ones", "about", "denn")


def without_lead(prompt: str) -> str:
    """Return a question without the "and" or "what about" that it begins with."""
    rest = LEADS.sub("", prompt.strip(), count=1)
    return rest or prompt.strip()
