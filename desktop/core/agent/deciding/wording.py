"""Other words for the same question, for a second search after a first one failed."""

from __future__ import annotations

import re

from desktop.core.retrieval.stopwords import STOPWORDS

_WORD = re.compile(r"[\w°µΩ%+][\w°µΩ%+./'’-]*", re.UNICODE)
_CODE = re.compile(r"(?=.*\d)(?=.*[-./])[\w./-]+$", re.UNICODE)
_CODE_MARKS = re.compile(r"[-./]")


def reworded(question: str) -> str:
    """Return the words that carry the question, codes also in other spellings.

    "Where is the fuse F-12?" gives "fuse F-12 F12 F 12". Returns "" when that is
    nothing new.
    """
    words = [word.rstrip(".'’-/") for word in _WORD.findall(question)]
    kept: list[str] = []
    for word in words:
        if word.casefold() in STOPWORDS:
            continue
        kept.append(word)
        if _CODE.match(word):
            kept += [_CODE_MARKS.sub("", word), _CODE_MARKS.sub(" ", word)]
    wording = " ".join(dict.fromkeys(kept))
    return "" if wording.casefold() == " ".join(words).casefold() else wording
