"""The decider of the Lite profile: fixed rules, no language model."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from desktop.core.agent.deciding.plain_requests import ManualsRequest, PageRequest, plain_request
from desktop.core.agent.decision import Decision
from desktop.core.retrieval.stopwords import STOPWORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.agent.tool import Tool
    from desktop.core.agent.tree_data import TreeData

SEARCH = "fast_vector_search"
RESPONSE = "text_response"
MANUALS = "list_manuals"
PAGE = "read_page"
_FIRST_SEARCH = "Look for the words and the meaning of the question."
_NEXT_SEARCH = "Look for the question by itself, and as one that follows the question before."
_WORD = re.compile(r"[\w°µΩ%+][\w°µΩ%+./'’-]*", re.UNICODE)
_SPACES = str.maketrans("-./", "   ")
_CODE = re.compile(r"(?=.*\d)(?=.*[-./])[\w./-]+$", re.UNICODE)


class RuleDecider:
    """Search, search once more in other words if that failed, then answer.

    What is plainly asked of the library itself, a list or a page, is shown without a search.
    """

    async def decide(self, tree_data: TreeData, available: Sequence[Tool]) -> Decision:
        """Choose the next step; see `Decider.decide`."""
        shown = _shown(tree_data, {tool.name for tool in available})
        if shown is not None:
            return shown
        if not tree_data.environment.is_empty() and RESPONSE in {tool.name for tool in available}:
            return Decision(
                tool=RESPONSE, reasoning="Pages were found; answer from them.", should_end=True
            )
        if SEARCH not in {tool.name for tool in available}:
            return _give_up("There is nothing that can be searched.")
        question = tree_data.own_words
        failures = len(tree_data.errors.get(SEARCH, []))
        if failures == 0:
            follows = bool(tree_data.conversation_history)
            return _search(question, _NEXT_SEARCH if follows else _FIRST_SEARCH)
        wording = reworded(question)
        if failures == 1 and wording:
            return _search(wording, "The first search failed; try the words that matter.")
        return _give_up("Searching did not find anything.")


def _shown(tree_data: TreeData, available: set[str]) -> Decision | None:
    """Return the step that shows a list or a page, if that was asked for and can be done."""
    wanted: dict[str, Any] = {"as_answer": True}
    match plain_request(tree_data.user_prompt):
        case ManualsRequest():
            tool, reasoning = MANUALS, "The manuals themselves are asked for."
        case PageRequest(page, document):
            tool, reasoning = PAGE, "A page is asked for by its number."
            wanted |= {"page": page, "document": document}
        case None:
            return None
    if tool not in available or tree_data.errors.get(tool):
        return None
    return Decision(tool=tool, inputs=wanted, reasoning=reasoning, should_end=True)


def _search(query: str, reasoning: str) -> Decision:
    return Decision(tool=SEARCH, inputs={"query": query}, reasoning=reasoning)


def _give_up(reasoning: str) -> Decision:
    return Decision(tool=RESPONSE, reasoning=reasoning, should_end=True, impossible=True)


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
            parts = word.translate(_SPACES)
            kept += [parts.replace(" ", ""), parts]
    wording = " ".join(dict.fromkeys(kept))
    return "" if wording.casefold() == " ".join(words).casefold() else wording
