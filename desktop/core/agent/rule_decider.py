"""The decider of the Lite profile: fixed rules, and requests told by their wording alone.

Only wordings that cannot mean anything else. A question that a manual answers is left to the
search; a request that a tool answers by itself ("show me page 12") is recognised here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.core.agent.decision import Decision
from desktop.core.question.tokens import STOPWORDS
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.agent.tool import Tool
    from desktop.core.agent.tree_data import TreeData

_MANUALS = r"(?:manuals|documents|handbooks|pdfs|pdf files)"
_MANUALS_DE = r"(?:handbücher|anleitungen|dokumente|betriebsanleitungen|pdfs|pdf-dateien)"
_LABEL = r"(?:[a-z]{1,3}[-.]?)?\d{1,4}(?:[-–./]\d{1,4}){0,2}[a-z]?|[ivxlc]{1,7}"

_LISTS = (
    rf"(?:which|what) {_MANUALS} (?:do (?:i|we|you) (?:have|know)|have (?:i|we|you)(?: got)?)"
    r"(?: here| in (?:the|this|my|your) library)?",
    rf"(?:which|what) {_MANUALS} are (?:there|here|available|loaded|installed|known|indexed"
    r"|in (?:the|this|my|your) library|(?:there|available|loaded) in (?:the|this) library)",
    rf"how many {_MANUALS} (?:do (?:i|we|you) have|are there|are in (?:the|this|my) library)"
    r"(?: in (?:the|this|my) library)?",
    rf"(?:list|show)(?: me)?(?: all)?(?: of)?(?: the| my| your| our| available)* {_MANUALS}"
    r"(?: in (?:the|this|my) library)?",
    rf"welche {_MANUALS_DE} (?:habe ich|haben wir|hast du|kennst du|gibt es|liegen vor"
    r"|sind (?:da|hier|vorhanden|verfügbar|geladen|eingelesen|in der bibliothek))"
    r"(?: hier| in der bibliothek)?",
    rf"wie viele {_MANUALS_DE} (?:habe ich|haben wir|gibt es|sind (?:da|vorhanden|geladen))"
    r"(?: hier| in der bibliothek)?",
    rf"(?:zeige?|liste)(?: mir)?(?: alle)?(?: die| meine| unsere)? {_MANUALS_DE}(?: auf| an)?",
)
_PAGES = (
    r"(?:(?:show|open|read|display|give|go to|turn to|jump to)(?: me)?(?: the)? )?"
    rf"page (?P<page>{_LABEL})"
    r"(?: (?:of|in|from) (?:the |my |our )?(?P<document>\S.{0,120}))?",
    r"(?:(?:zeige?|öffne|lies|gehe? (?:zu|auf)|springe? (?:zu|auf))(?: mir)?(?: die)? )?"
    rf"seite (?P<page>{_LABEL})"
    r"(?: (?:aus|in|von|vom|des|der|im)(?: (?:der|dem|den|des|meiner|meinem))?"
    r" (?P<document>\S.{0,120}?))?(?: (?:an|vor))?",
)
_POLITE = (
    r"^(?:please|bitte|can you|could you|kannst du|können sie)(?: bitte| please)? "
    r"|,? bitte\b|,? please$"
)
_END = " .!?"


SEARCH = "fast_vector_search"
RESPONSE = "text_response"
MANUALS = "list_manuals"
PAGE = "read_page"


def plain_request(prompt: str) -> Decision | None:
    """Return the step that shows a list or a page, None for every other question."""
    asked = " ".join(prompt.casefold().split()).strip(_END)
    asked = re.sub(_POLITE, "", asked).strip(_END)
    if any(re.fullmatch(pattern, asked) for pattern in _LISTS):
        return _shown(MANUALS, said("This is about the manuals themselves."))
    for pattern in _PAGES:
        found = re.fullmatch(pattern, asked)
        if found is not None:
            document = (found["document"] or "").strip(_END)
            reasoning = said("Ask for a page by its number.")
            return _shown(PAGE, reasoning, page=found["page"], document=document)
    return None


def _shown(tool: str, reasoning: str, **inputs: str) -> Decision:
    return Decision(
        tool=tool, inputs={"as_answer": True, **inputs}, reasoning=reasoning, should_end=True
    )


_FIRST_SEARCH = said("Look for the words and the meaning of the question.")
_NEXT_SEARCH = said("Look for the question on its own, and as a follow-up to the one before.")
_SPACES = str.maketrans("-./", "   ")


class RuleDecider:
    """Search, search once more in other words if that failed, then answer.

    What is plainly asked of the library itself, a list or a page, is shown without a search.
    """

    async def decide(self, tree_data: TreeData, available: Sequence[Tool]) -> Decision:
        """Choose the next step; see `Decider.decide`."""
        names = {tool.name for tool in available}
        shown = plain_request(tree_data.user_prompt)
        if shown and shown.tool in names and not tree_data.errors.get(shown.tool):
            return shown
        if not tree_data.environment.is_empty() and RESPONSE in names:
            return Decision(
                tool=RESPONSE,
                reasoning=said("Pages were found; answer from them."),
                should_end=True,
            )
        if SEARCH not in names:
            return _give_up(said("There is nothing to search."))
        question = tree_data.own_words
        failures = len(tree_data.errors.get(SEARCH, []))
        if failures == 0:
            follows = bool(tree_data.conversation_history)
            return _search(question, _NEXT_SEARCH if follows else _FIRST_SEARCH)
        wording = reworded(question)
        if failures == 1 and wording:
            return _search(wording, said("The first search failed; try the words that matter."))
        return _give_up(said("The search found nothing."))


def _search(query: str, reasoning: str) -> Decision:
    return Decision(tool=SEARCH, inputs={"query": query}, reasoning=reasoning)


def _give_up(reasoning: str) -> Decision:
    return Decision(tool=RESPONSE, reasoning=reasoning, should_end=True, impossible=True)


def reworded(question: str) -> str:
    """Return the words that carry the question, codes also in other spellings.

    "Where is the fuse F-12?" gives "fuse F-12 F12 F 12". Returns "" when that is
    nothing new.
    """
    words = [
        word.rstrip(".'’-/")
        for word in re.findall(r"[\w°µΩ%+][\w°µΩ%+./'’-]*", question, re.UNICODE)
    ]
    kept: list[str] = []
    for word in words:
        if word.casefold() in STOPWORDS:
            continue
        kept.append(word)
        if re.match(r"(?=.*\d)(?=.*[-./])[\w./-]+$", word, re.UNICODE):
            parts = word.translate(_SPACES)
            kept += [parts.replace(" ", ""), parts]
    wording = " ".join(dict.fromkeys(kept))
    return "" if wording.casefold() == " ".join(words).casefold() else wording
