"""In which words a question is searched for: the user's own, and others after a search failed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.core.conversations.followup import question_before
from desktop.core.retrieval.stopwords import STOPWORDS

if TYPE_CHECKING:
    from desktop.core.agent.tree_data import TreeData

LONGEST_QUERY = 2_000
"""Characters of a pasted question that are searched for."""

_WORD = re.compile(r"[\w°µΩ%+][\w°µΩ%+./'’-]*", re.UNICODE)
_CODE = re.compile(r"(?=.*\d)(?=.*[-./])[\w./-]+$", re.UNICODE)
_CODE_MARKS = re.compile(r"[-./]")


def own_words(tree_data: TreeData) -> str:
    """Return the question as its user put it."""
    return tree_data.user_prompt.strip()[:LONGEST_QUERY]


def words_before(tree_data: TreeData, query: str) -> str:
    """Return the question before that of a person; what a model searches for stands alone."""
    is_own = " ".join(query.split()) == " ".join(own_words(tree_data).split())
    return question_before(tree_data.conversation_history) if is_own else ""


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
