"""The analyst, who reads the sources and drafts the answer, and the writer, who reports it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from desktop.core.agent.rule_decider import reworded
from desktop.core.answering.selection import chosen_units
from desktop.core.claims.comparison import amounts_differ
from desktop.core.events import LIKELY
from desktop.core.language.untrusted_text import neutral
from desktop.core.question.tokens import index_term_set, query_terms
from desktop.core.research.base_agent import BaseReasoningAgent, source_names
from desktop.core.research.critic import (
    objections,
    page_numbers,
    pages_for,
    unanswered_parts,
    whole_texts,
    without_faults,
)
from desktop.core.research.monitor import claim_lines, compared, monitor_draft, settled_by_model
from desktop.core.research.proposal import claim_of as claim_in
from desktop.core.research.proposal import research_proposal
from desktop.core.research.report import (
    OTHER_VALUE,
    UNCONFIRMED,
    UNDECIDED,
    DraftSentence,
    on_one_line,
    read_draft,
    write_draft,
)
from desktop.core.research.sources import tier_of_item

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.core.answering.answer import Answer
    from desktop.core.reader.evidence import Evidence
    from desktop.core.research.handler import ResearchHandler
    from desktop.core.research.monitor import ComparedPair, Verdict
    from desktop.core.research.sources import Confidence, TemporalContext

_SHARE_OF_CONTEXT = 0.55
_PAIRS_AT_ONCE = 12
_SHARE_OF_TIME = 0.8
"""Of the analyst's time that comparing takes at most: what is compared by then is reported."""


class AnalystAgent(BaseReasoningAgent):
    """Drafts by the language model. In monitor mode it judges pairs of statements.

    comparisons: what the last monitor research came to. left: statements of the site that it had
    no time for.
    """

    cached = True

    def __init__(self, handler: ResearchHandler) -> None:
        super().__init__(handler, "analyst", handler.settings.analyst_timeout)
        self.comparisons: tuple[ComparedPair, ...] = ()
        self.left = 0

    async def research(
        self,
        query: str,
        context: Sequence[Mapping[str, Any]],
        mode: str,
        temporal_context: TemporalContext | None = None,
    ) -> dict[str, Any]:
        """Draft an answer from numbered sources. Raises: as `ask`."""
        if mode == "monitor":
            return await self._monitored(context)
        return await self.ask(
            "AnalystAgentPrompt",
            {
                "question": query,
                "mode": mode,
                "temporal_context": str(temporal_context.told) if temporal_context else "",
                "sources": self.sources_in_prompt(context, _SHARE_OF_CONTEXT),
            },
        )

    async def revise(
        self, draft: str, review: Mapping[str, Any], context: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        """Work a review into a draft. Raises: as `ask`."""
        return await self.ask(
            "AnalystRevisePrompt",
            {
                "draft_to_revise": draft,
                "review": review_text(review),
                "sources": self.sources_in_prompt(context, _SHARE_OF_CONTEXT),
            },
        )

    async def _monitored(self, context: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Compare, and ask the model about the pairs that are left open."""
        end = perf_counter() + _SHARE_OF_TIME * self.timeout
        found, self.left = await asyncio.to_thread(
            compared,
            context,
            self.handler.sources,
            self.handler.settings,
            self.handler.comparison,
            _SHARE_OF_TIME / 2 * self.timeout,
        )
        open_pairs = [each for each in found if each.verdict == "open"]
        verdicts: dict[int, Verdict] = {}
        for first in range(0, len(open_pairs), _PAIRS_AT_ONCE):
            batch = open_pairs[first : first + _PAIRS_AT_ONCE]
            try:
                async with asyncio.timeout(end - perf_counter()):
                    judged = await self._judged([(p.site.text, p.official.told) for p in batch])
                    turned = await self._judged(
                        [(p.official.told, p.site.text) for p in reversed(batch)]
                    )
            except TimeoutError:
                break  # what the model was too slow for stays open
            for position, verdict in judged.items():
                # a model that is not sure says something else when it is asked the other way round
                if turned.get(len(batch) - 1 - position) == verdict:
                    verdicts[first + position] = verdict
        self.comparisons = settled_by_model(found, verdicts)
        told = f"{len(found)} pairs compared, {len(open_pairs)} by the model."
        return _ready(monitor_draft(self.comparisons), told)

    async def _judged(self, pairs: Sequence[tuple[str, str]]) -> dict[int, Verdict]:
        """Return what the model says about pairs, by position from 0."""
        told = "\n".join(
            f"{number}. A: “{neutral(one)}” B: “{neutral(other)}”"
            for number, (one, other) in enumerate(pairs, 1)
        )
        reply = await self.ask("MonitorAgentPrompt", {"pairs": told})
        return {
            each["pair"] - 1: each["verdict"]
            for each in reply["verdicts"]
            if each["pair"] <= len(pairs)
        }


def review_text(review: Mapping[str, Any]) -> str:
    """Return a review as a prompt words it."""
    gaps = "\n".join(f"- {gap}" for gap in review.get("logical_gaps", ()))
    advice = "\n".join(f"- {each}" for each in review.get("suggestions", ()))
    parts = (
        str(review.get("critique", "")),
        gaps and f"Faults:\n{gaps}",
        advice and f"Do:\n{advice}",
    )
    return "\n".join(part for part in parts if part)


_ABOUT_QUESTION = 0.6
_MOST_FURTHER = 4
_MOST_READ = 12
_DOUBTFUL = 3


class RuleAnalyst:
    """Satisfies the same as `AnalystAgent`: an extractive summary, or the lists of monitor mode."""

    agent_name = "analyst"

    def __init__(self, handler: ResearchHandler) -> None:
        self.handler = handler
        self.last_prompt: dict[str, Any] = {}
        self.comparisons: tuple[ComparedPair, ...] = ()
        self.left = 0
        self._searched: set[str] = set()
        self._query = ""
        self._mode = ""

    async def research(
        self,
        query: str,
        context: Sequence[Mapping[str, Any]],
        mode: str,
        temporal_context: TemporalContext | None = None,
    ) -> dict[str, Any]:
        """Quote what answers the question, or ask once to search in other words."""
        self.last_prompt = {"prompt": "rules", "question": query, "mode": mode}
        self._query, self._mode = query, mode
        if mode == "monitor":
            return await asyncio.to_thread(self._monitored, context)
        return await asyncio.to_thread(self._quoted, query, context)

    async def revise(
        self, draft: str, review: Mapping[str, Any], context: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        """Leave out what the rules object to, and quote what answers parts that were left out."""
        self.last_prompt = {"prompt": "rules", "draft": draft}

        monitored = self._mode == "monitor"

        def revised() -> str:
            found = objections(
                draft,
                context,
                "monitor" if monitored else "discovery",
                self.handler.comparison,
                "",
                whole_texts(self.handler, context),
            )
            kept = without_faults(draft, found)
            missing = [] if monitored else self._of_missing_parts(draft, context)
            return write_draft([*kept, *missing])

        return _ready(await asyncio.to_thread(revised), "Sentences that no source carries are out.")

    def _of_missing_parts(
        self, draft: str, context: Sequence[Mapping[str, Any]]
    ) -> list[DraftSentence]:
        numbers = page_numbers(self.handler, context)
        found: list[DraftSentence] = []
        for part in unanswered_parts(self.handler, self._query, draft, context):
            pages = pages_for(self.handler, part, context)
            answer = self.handler.answerer.answer(part, pages)
            found += _statements(answer, numbers) if answer.found else []
        return [_marked(each, context) for each in found]

    def _monitored(self, context: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        settings = self.handler.settings
        found, self.left = compared(
            context,
            self.handler.sources,
            settings,
            self.handler.comparison,
            _SHARE_OF_TIME * settings.analyst_timeout,
        )
        self.comparisons = tuple(found)
        return _ready(monitor_draft(found), f"{len(found)} statements of the site were compared.")

    def _quoted(self, query: str, context: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        numbers = page_numbers(self.handler, context)
        claim = claim_in(query) if research_proposal(query) else ""
        pages = pages_for(self.handler, claim or query, context)
        sentences: list[DraftSentence] = []
        if claim:
            sentences = claim_lines(claim, context, self.handler.sources, self.handler.comparison)
        answer = self.handler.answerer.answer(claim or query, pages)
        wording = reworded(query)
        if not answer.found and not sentences and wording and wording not in self._searched:
            self._searched.add(wording)
            return {
                "status": "SEARCH_REQUIRED",
                "new_queries": [wording],
                "draft": "",
                "reasoning_chain": "No source says enough; the words that matter are searched.",
            }
        if claim and not sentences:  # what the sources say of it is quoted, and left to the person
            sure = answer.found and answer.confidence >= LIKELY
            differ = sure and amounts_differ(claim, answer.statements[0].quote)
            sentences = [DraftSentence(OTHER_VALUE if differ else UNDECIDED, (), False, True, 0)]
        sentences += _statements(answer, numbers)
        sentences += self._further(query, context, sentences, pages)
        marked = [_marked(each, context) for each in sentences]
        return _ready(write_draft(marked), answer.reason)

    def _further(
        self,
        query: str,
        context: Sequence[Mapping[str, Any]],
        said: Sequence[DraftSentence],
        pages: Sequence[Evidence],
    ) -> list[DraftSentence]:
        """Return the best statement of other sources that are about the question too.

        pages: of the library, as they were read for it; what the reader ranks far below
        the best answer is left out.
        """
        chosen = chosen_units(pages, most=_MOST_READ)
        near = {(each.page.document_id, each.page.page) for each in chosen}
        asked = query_terms(query)
        cited = {number for sentence in said for number in sentence.cited}
        found: list[tuple[float, DraftSentence]] = []
        for number, item in enumerate(context, 1):
            source = self.handler.sources.of(item)
            if source is None or number in cited or source.evidence.contents:
                continue
            best = max(
                (
                    (sum(not index_term_set(u.text).isdisjoint(group) for group in asked), u.text)
                    for u in source.evidence.passages
                    if u.kind in ("paragraph", "item")
                ),
                default=(0, ""),
            )
            place = (source.evidence.document_id, source.evidence.page)
            own = source.note is not None or source.elsewhere is not None
            likely = own or not near or place in near
            if likely and best[0] >= _ABOUT_QUESTION * max(1, len(asked)):
                text = on_one_line(best[1])
                found.append((best[0], DraftSentence(text, (number,), True, False, number)))
        found.sort(key=lambda each: -each[0])
        return [sentence for _, sentence in found[:_MOST_FURTHER]]


def bare_draft(handler: ResearchHandler, context: Sequence[Mapping[str, Any]]) -> str:
    """Return the first words of each source: what is left when there was time for nothing else."""
    found = []
    for number, item in enumerate(context[: _MOST_FURTHER + 1], 1):
        source = handler.sources.of(item)
        units = source.evidence.passages if source is not None else ()
        text = next((u.text for u in units if u.kind in ("paragraph", "item", "row")), "")
        if text:
            found.append(DraftSentence(on_one_line(text), (number,), True, False, number))
    return write_draft([_marked(each, context) for each in found])


def _statements(answer: Answer, numbers: Mapping[tuple[int, int], int]) -> list[DraftSentence]:
    """Return what the answer says."""
    found = []
    for line, statement in enumerate(answer.statements, 1_000):
        number = numbers.get((statement.source.document_id, statement.source.page))
        if number is not None:
            found.append(DraftSentence(on_one_line(statement.text), (number,), True, False, line))
    return found


def _marked(sentence: DraftSentence, context: Sequence[Mapping[str, Any]]) -> DraftSentence:
    """Mark what no reliable source says as not confirmed."""
    tiers = [tier_of_item(context[number - 1]) for number in sentence.cited]
    if not tiers or min(tiers) < _DOUBTFUL or UNCONFIRMED in sentence.text:
        return sentence
    text = f"{sentence.text.rstrip('. ')} ({UNCONFIRMED})."
    return replace(sentence, text=text)


def _ready(draft: str, reasoning: str) -> dict[str, Any]:
    return {
        "status": "DRAFT_READY",
        "new_queries": [],
        "draft": draft,
        "reasoning_chain": reasoning,
    }


_BEST, _GOOD = 1, 2
_MOSTLY = 0.5


class WriterAgent(BaseReasoningAgent):
    """Writes by the language model; without one it leaves the draft's words as they are."""

    def __init__(self, handler: ResearchHandler) -> None:
        super().__init__(handler, "writer", handler.settings.writer_timeout)

    async def compose(
        self, draft: str, review: Mapping[str, Any], context: Sequence[Mapping[str, Any]], mode: str
    ) -> dict[str, Any]:
        """Write the report; in monitor mode the lists stay as they are. Raises: as `ask`."""
        if mode == "monitor" or self.handler.language() is None:
            self.last_prompt = {"prompt": "rules"}
            return composed_by_rules(draft, review, context, mode)
        return await self.ask(
            "WriterAgentPrompt",
            {
                "reviewed_draft": draft,
                "review": review_text(review),
                "mode": mode,
                "source_names": source_names(context),
            },
            level="low",
        )


def composed_by_rules(
    draft: str, review: Mapping[str, Any], context: Sequence[Mapping[str, Any]], mode: str
) -> dict[str, Any]:
    """Return the draft as a report: its words, the names it cites, how sure it is."""
    sentences = read_draft(draft)
    cited = list(dict.fromkeys(n for each in sentences for n in each.cited))
    known = [number for number in cited if 1 <= number <= len(context)]
    tiers = [tier_of_item(context[number - 1]) for number in known]
    is_open = any(each.heading and each.text in (UNDECIDED, OTHER_VALUE) for each in sentences)
    if mode == "monitor":  # what the site believes is not what the report relies on
        tiers = [tier for tier in tiers if tier <= _GOOD]
    return {
        "final_report": write_draft(sentences) or "Nothing was found.",
        "sources_used": list(dict.fromkeys(str(context[n - 1].get("name", "")) for n in known)),
        "confidence_level": "Low" if is_open else confidence_of(review, tiers),
    }


def confidence_of(review: Mapping[str, Any], tiers: Sequence[int]) -> Confidence:
    """Return how sure a report is: by its review and by the tiers of what it cites."""
    if not tiers or review.get("status") == "REJECT":
        return "Low"
    good = sum(tier <= _GOOD for tier in tiers) / len(tiers)
    if review.get("status") == "PASS" and min(tiers) == _BEST and good == 1:
        return "High"
    return "Medium" if good >= _MOSTLY else "Low"
