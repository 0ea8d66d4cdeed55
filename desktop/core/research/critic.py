"""The critic: judges a draft. What rules find wrong, no model can call right."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.core.claims.cited import CheckedSentence, CitedPassage
from desktop.core.claims.review import check_answer
from desktop.core.question.parts import possible_cuts
from desktop.core.question.tokens import index_term_set, query_terms
from desktop.core.research.base_agent import COMPLIES, VIOLATES, BaseReasoningAgent
from desktop.core.research.report import UNCONFIRMED, DraftSentence, read_draft
from desktop.core.research.sources import tier_of_item
from desktop.core.structure.units import as_read
from desktop.sentences import counted, joined, said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.core.claims.comparison import Comparison
    from desktop.core.claims.review import FindingKind
    from desktop.core.reader.evidence import Evidence
    from desktop.core.research.base_agent import ReviewStatus
    from desktop.core.research.handler import ResearchHandler

_DOUBTFUL = 3
_STRICT = 2
_GRAVE: frozenset[FindingKind] = frozenset({"unsupported", "value", "negation"})
_LONGEST = 600
_SAID = 0.6
"""The share of the words of a part of the question that a draft which answers it says."""


@dataclass(frozen=True, slots=True)
class Objection:
    """sentence: its index in the draft, -1 for the draft as a whole. grave: it may not stay."""

    sentence: int
    message: str
    grave: bool


def objections(
    draft: str,
    context: Sequence[Mapping[str, Any]],
    mode: str,
    comparison: Comparison,
    question: str = "",
    texts: Mapping[int, str] | None = None,
) -> list[Objection]:
    """Return what is wrong with a draft, in the order of its sentences.

    texts: all that a source says, by its number; its description otherwise. In monitor mode
    contradictions between sources are what is looked for, and no fault.
    """
    sentences = read_draft(draft)
    claims = [(index, each) for index, each in enumerate(sentences) if each.claims]
    if not claims and any(each.empty_list for each in sentences):
        return []
    if not claims:
        return [Objection(-1, said("The draft states nothing."), True)]
    found = [*_uncited(claims, len(context))]
    faulty = {each.sentence for each in found}
    known = [(index, each) for index, each in claims if index not in faulty]
    if mode != "monitor":  # there the code has put each quotation beside its source
        found += _unsupported(known, context, comparison, question, texts or {})
    found += _against_mode(known, context, mode)
    return sorted(found, key=lambda each: each.sentence)


def parts_asked(question: str) -> tuple[str, ...]:
    """Return the parts of a question that asks for several things, () if it asks for one."""
    cuts = possible_cuts(question)
    sure = next((cut.parts for cut in cuts if cut.sure or cut.comma), ())
    whole = (cut.parts for cut in cuts if all(len(query_terms(p)) > 1 for p in cut.parts))
    return sure or next(whole, ())


def unanswered_parts(
    handler: ResearchHandler, question: str, draft: str, context: Sequence[Mapping[str, Any]]
) -> list[str]:
    """Return the parts of a question that a draft says nothing about. Blocks: pages are read.

    It answers a part if it cites the page that the reader finds the answer on, or else says most
    of the part's words.
    """
    sentences = [each for each in read_draft(draft) if each.claims]
    cited = {number for each in sentences for number in each.cited}
    said = index_term_set("\n".join(each.text for each in sentences))
    numbers = page_numbers(handler, context)
    left = []
    for part in parts_asked(question):
        answer = handler.answerer.answer(part, pages_for(handler, part, context))
        places = {(each.source.document_id, each.source.page) for each in answer.statements[:1]}
        if answer.found and any(numbers.get(place) in cited for place in places):
            continue
        words = query_terms(part)
        shared = sum(not said.isdisjoint(group) for group in words)
        if shared < _SAID * len(words):
            left.append(part)
    return left


def pages_for(
    handler: ResearchHandler, question: str, context: Sequence[Mapping[str, Any]]
) -> Sequence[Evidence]:
    """Return the sources that are pages of the library, read as answers to a question. Blocks."""
    sources = (handler.sources.of(item) for item in context)
    pages = [s.evidence for s in sources if s and s.note is None and s.elsewhere is None]
    return handler.together(question, pages)


def page_numbers(
    handler: ResearchHandler, context: Sequence[Mapping[str, Any]]
) -> dict[tuple[int, int], int]:
    """Return the number of each page, by document and page."""
    found: dict[tuple[int, int], int] = {}
    for number, item in enumerate(context, 1):
        source = handler.sources.of(item)
        if source is not None and source.note is None:
            found.setdefault((source.evidence.document_id, source.evidence.page), number)
    return found


def reviewed(found: Sequence[Objection], draft: str) -> dict[str, Any]:
    """Return a review made of objections: rejected if one is grave."""
    sentences = read_draft(draft)
    grave = [each for each in found if each.grave]
    mode = [each for each in found if each.message.startswith(_MODE)]
    status: ReviewStatus = "REJECT" if grave else "WARN" if found else "PASS"
    critique = said("Every sentence is supported by the source it cites.")
    if found:
        count = len(found)
        found_out = counted(count, "1 objection", "{n} objections")
        critique = said(
            "{found_out} to {sentences} sentences.", found_out=found_out, sentences=len(sentences)
        )
    return {
        "status": status,
        "critique": critique,
        "suggestions": [
            said("Correct or leave out: “{text}”", text=sentences[each.sentence].text)[:_LONGEST]
            if each.sentence >= 0
            else said("Say what the sources say about the question.")
            for each in grave[:20]
        ],
        "mode_compliance": VIOLATES if mode else COMPLIES,
        "logical_gaps": [each.message[:_LONGEST] for each in found[:40]],
    }


def without_faults(draft: str, found: Sequence[Objection]) -> list[DraftSentence]:
    """Return the sentences of a draft that may stay."""
    faulty = {each.sentence for each in found if each.grave}
    return [each for index, each in enumerate(read_draft(draft)) if index not in faulty]


_MODE = "In "


def _uncited(claims: Sequence[tuple[int, DraftSentence]], sources: int) -> list[Objection]:
    found = []
    for index, sentence in claims:
        named = ", ".join(f"[{n}]" for n in sentence.cited if not 1 <= n <= sources)
        if named:
            message = said("There is no source {named}: “{text}”", named=named, text=sentence.text)
            found.append(Objection(index, message, True))
        elif not sentence.cited:
            message = said("No source is cited: “{text}”", text=sentence.text)
            found.append(Objection(index, message, True))
    return found


def _unsupported(
    claims: Sequence[tuple[int, DraftSentence]],
    context: Sequence[Mapping[str, Any]],
    comparison: Comparison,
    question: str,
    texts: Mapping[int, str],
) -> list[Objection]:
    checked = [CheckedSentence(sentence.text, sentence.cited) for _, sentence in claims]
    cited = {number for _, sentence in claims for number in sentence.cited}
    passages = [
        CitedPassage.of_text(
            number, texts.get(number) or str(item.get("description", "")), str(item.get("name", ""))
        )
        for number, item in enumerate(context, 1)
        if number in cited
    ]
    return [
        Objection(claims[finding.sentence][0], finding.message, finding.kind in _GRAVE)
        for finding in check_answer(checked, passages, comparison, question)
        if finding.sentence < len(claims)
    ]


def _against_mode(
    claims: Sequence[tuple[int, DraftSentence]], context: Sequence[Mapping[str, Any]], mode: str
) -> list[Objection]:
    found = []
    for index, sentence in claims:
        tiers = [tier_of_item(context[number - 1]) for number in sentence.cited]
        if mode == "strict" and any(tier > _STRICT for tier in tiers):
            message = said("In strict mode this must not be cited: “{text}”", text=sentence.text)
            found.append(Objection(index, message, True))
        unsure = mode == "discovery" and bool(tiers) and min(tiers) >= _DOUBTFUL
        if unsure and UNCONFIRMED not in sentence.text:
            message = said(
                "In discovery mode the answer must say this is {unconfirmed}: “{text}”",
                unconfirmed=said(UNCONFIRMED),
                text=sentence.text,
            )
            found.append(Objection(index, message, False))
    return found


_SHARE_OF_CONTEXT = 0.5
_MOST_MISSING = 3
_WORSE = {"PASS": 0, "WARN": 1, "REJECT": 2}


class CriticAgent(BaseReasoningAgent):
    """Judges by the language model and by rules; the worse verdict counts. Without one, by rules.

    missing: what the last review found nothing about, to be searched for.
    """

    cached = True

    def __init__(self, handler: ResearchHandler) -> None:
        super().__init__(handler, "critic", handler.settings.critic_timeout)
        self.missing: tuple[str, ...] = ()
        self._told: set[str] = set()

    async def review(
        self, draft: str, query: str, mode: str, context: Sequence[Mapping[str, Any]] | None = None
    ) -> dict[str, Any]:
        """Judge a draft, checking its values against the sources in `context`. Raises: as `ask`."""
        if self.handler.language() is None:
            self.last_prompt = {"prompt": "rules", "draft": draft, "mode": mode}
            review, self.missing = await asyncio.to_thread(
                self._by_rules, draft, query, mode, context or ()
            )
            return review
        by_model = await self.ask(
            "CriticAgentPrompt",
            {
                "question": query,
                "mode": mode,
                "draft_to_judge": draft,
                "sources": self.sources_in_prompt(context or (), _SHARE_OF_CONTEXT),
            },
        )
        gaps = by_model["logical_gaps"] if by_model["status"] == "REJECT" else []
        self.missing = tuple(gaps[:_MOST_MISSING])
        if context is None:
            return by_model
        by_rules, parts = await asyncio.to_thread(self._by_rules, draft, query, mode, context)
        self.missing = (*parts, *gaps)[:_MOST_MISSING]
        return both_reviews(by_model, by_rules)

    def _by_rules(
        self, draft: str, query: str, mode: str, context: Sequence[Mapping[str, Any]]
    ) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Return the review that rules give, and the parts of the question to be searched for.

        An unanswered part is rejected once, then only mentioned. Blocks.
        """
        handler = self.handler
        texts = whole_texts(handler, context)
        found = objections(draft, context, mode, handler.comparison, query, texts)
        parts = unanswered_parts(handler, query, draft, context) if mode != "monitor" else []
        new = tuple(part for part in parts if part not in self._told)
        self._told.update(new)
        found += [
            Objection(-1, said("Not answered: “{part}”", part=part), part in new) for part in parts
        ]
        return reviewed(found, draft), new


def whole_texts(handler: ResearchHandler, context: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """Return all that each source says, by its number: more than a prompt has room for."""
    found = {}
    for number, item in enumerate(context, 1):
        source = handler.sources.of(item)
        if source is not None:
            passage = source.passage(number)
            rows = [unit for unit in passage.units if unit.kind == "row"]
            told = map(as_read, rows)
            contexts = dict.fromkeys(unit.context for unit in passage.units)
            found[number] = "\n".join((*passage.lines, *told, *contexts))
    return found


def both_reviews(by_model: dict[str, Any], by_rules: dict[str, Any]) -> dict[str, Any]:
    """Return both reviews as one; the worse verdict counts."""
    worse = max(by_model["status"], by_rules["status"], key=lambda status: _WORSE[status])
    violates = VIOLATES in (by_model["mode_compliance"], by_rules["mode_compliance"])
    return {
        **by_model,
        "status": worse,
        "critique": joined(
            [part for part in (by_model["critique"], by_rules["critique"]) if part], "\n"
        ),
        "suggestions": [*by_rules["suggestions"], *by_model["suggestions"]][:20],
        "logical_gaps": [*by_rules["logical_gaps"], *by_model["logical_gaps"]][:40],
        "mode_compliance": VIOLATES if violates else by_model["mode_compliance"],
    }
