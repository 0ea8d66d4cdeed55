"""The steps of an answer, as its trace has recorded them so far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.core.events import PageRegion, ResultEvent
from desktop.core.geometry import Box
from desktop.core.trace.reasoning_trace import REASONING_STAGES, OutcomeStatus, ReasoningStage
from desktop.sentences import Sentence, retold, said
from desktop.ui import wording
from desktop.ui.language import tr

if TYPE_CHECKING:
    from desktop.core.events import Event, ResearchStage
    from desktop.core.trace.reasoning_trace import ReasoningEntry, ReasoningTrace

    Scores = Mapping[tuple[int, int], float]


OUTCOME_ICONS = {
    OutcomeStatus.PENDING: "circle-dashed",
    OutcomeStatus.SUCCESS: "circle-check",
    OutcomeStatus.PARTIAL: "triangle-alert",
    OutcomeStatus.FAILED: "circle-x",
    OutcomeStatus.SKIPPED: "square",
}
OUTCOME_TINTS = {
    OutcomeStatus.PENDING: "muted",
    OutcomeStatus.SUCCESS: "good",
    OutcomeStatus.PARTIAL: "attention",
    OutcomeStatus.FAILED: "bad",
    OutcomeStatus.SKIPPED: "muted",
}
"""Tokens of the signs that say what came of a step."""


STAGE_TINTS = {
    ReasoningStage.PLANNING: "accent",
    ReasoningStage.EXECUTION: "good",
    ReasoningStage.VERIFICATION: "site",
    ReasoningStage.CORRECTION: "attention",
    ReasoningStage.FINALIZATION: "text",
}
"""Tokens of the stages' colours."""

_ANSWER = "text_response"  # importing the tool would load numpy
_ALWAYS = frozenset({"answer", "cite_page"})
"""What every question commits to: it says nothing about this one."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A page that a step found. score: of the search, None if none."""

    place: PageRegion
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """inputs: of a tool, by name. details: what was found or said, a line each.

    corrections: what to do otherwise. tokens: read and written by a language model.
    """

    stage: ReasoningStage
    title: str
    outcome: OutcomeStatus = OutcomeStatus.SUCCESS
    thought: str = ""
    inputs: tuple[tuple[str, str], ...] = ()
    details: tuple[str, ...] = ()
    corrections: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    milliseconds: float | None = None
    tokens: tuple[int, int] | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class Timeline:
    """The steps of a question, and what was promised and whether it was kept.

    asked_back: it ended with the agent asking, so what was promised may still come.
    not_found: everything was looked for, and the manuals do not answer.
    """

    steps: tuple[Step, ...] = ()
    promises: tuple[tuple[str, bool], ...] = ()
    finished: bool = False
    asked_back: bool = False
    not_found: bool = False


def stage_name(stage: ReasoningStage) -> str:
    """Return what a stage is called in the window."""
    return {
        ReasoningStage.PLANNING: tr("Plan"),
        ReasoningStage.EXECUTION: tr("Done"),
        ReasoningStage.VERIFICATION: tr("Check"),
        ReasoningStage.CORRECTION: tr("Correct"),
        ReasoningStage.FINALIZATION: tr("Finish"),
    }[stage]


def outcome_name(outcome: OutcomeStatus) -> str:
    """Return the wording for the end of a step."""
    return {
        OutcomeStatus.PENDING: tr("running"),
        OutcomeStatus.SUCCESS: tr("done"),
        OutcomeStatus.PARTIAL: tr("in part"),
        OutcomeStatus.FAILED: tr("failed"),
        OutcomeStatus.SKIPPED: tr("skipped"),
    }[outcome]


def promise_name(commitment: str) -> str:
    """Return the wording for a commitment of the trace."""
    names = {
        "show_figure": tr("show the figure"),
        "list_all_steps": tr("list all steps"),
        "export_report": tr("write a report"),
        "draft_email": tr("draft an e-mail"),
        "job_sheet": tr("write a job sheet"),
    }
    return names.get(commitment, commitment.replace("_", " "))


def tool_name(name: str) -> str:
    """Return what a tool is called in the window; one that was added later, by its own name."""
    names = {
        "ask_clarification": tr("Asked which one was meant"),
        "colqwen_visual_search": tr("Searched the page pictures"),
        "deep_research": tr("Researched"),
        "draft_email": tr("Drafted an e-mail"),
        "job_sheet": tr("Wrote a job sheet"),
        "export_report": tr("Wrote the report"),
        "fast_vector_search": tr("Searched your manuals"),
        "list_manuals": tr("Listed the manuals"),
        "read_page": tr("Read a page"),
        "summarize": tr("Kept the best of what was found"),
        _ANSWER: tr("Put the answer together"),
        "visual_interpretation": tr("Looked at the page"),
    }
    return names.get(name, name.replace("_", " ").capitalize())


def plain(text: str) -> str:
    """Return a sentence of the trace in the window's language.

    What is worded for a language model is said in plain words.
    """
    return retold(text, _plain_template)


def _plain_template(template: str) -> str:
    match template:
        case "VLM analyzed {num_objects} pages. Summary: {summary}":
            return tr("Looked at the page pictures ({num_objects}): {summary}")
        case "VLM analyzed {num_objects} pages. Summary: {summary} Not all pages: {failed}":
            return tr("Looked at the page pictures ({num_objects}): {summary} Not all: {failed}")
        case "Try fast_vector_search for text content":
            return tr("Search the text instead")
        case "Or try fast_vector_search for text content.":
            return tr("Or search the text instead.")
        case "No visual pages to interpret":
            return tr("No page pictures to look at")
        case "Environment summarized due to size. Key points preserved.":
            return tr("Shortened to fit")
    return tr(template)


def input_name(name: str) -> str:
    """Return what an input of a tool is called, "" for one that says nothing to a person."""
    names = {
        "answers_back": tr("answers back"),
        "as_answer": tr("as the answer"),
        "document": tr("document"),
        "iteration": tr("round"),
        "limit": tr("at most"),
        "max_summary_tokens": tr("longest summary, in tokens"),
        "mode": tr("mode"),
        "note": tr("note"),
        "options": tr("options"),
        "page": tr("page"),
        "query": tr("searched for"),
        "question": tr("question"),
        "recipient": tr("recipient"),
        "subject": tr("subject"),
    }
    return names.get(name, "")


def input_value(value: object) -> str:
    """Return an input as it is shown."""
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if isinstance(value, list | tuple):
        return "; ".join(map(str, value))
    return str(value)


LONGEST = 300


def scores_in(events: Iterable[Event]) -> dict[tuple[int, int], float]:
    """Return how a search scored each page (document id, page)."""
    found: dict[tuple[int, int], float] = {}
    for event in events:
        for each in event.objects if isinstance(event, ResultEvent) else ():
            place, score = place_of(each), each.get("score")
            if place is not None and isinstance(score, int | float):
                found.setdefault((place.document_id, place.page), float(score))
    return found


def place_of(found: Mapping[str, Any]) -> PageRegion | None:
    """Read the page of a result's object; None when it is not a page."""
    try:
        boxes = tuple(Box(*map(float, corners)) for corners in found.get("regions", ()))
        return PageRegion(
            int(found["document_id"]),
            str(found.get("document", "")),
            int(found["page"]),
            str(found.get("label", "")),
            boxes,
        )
    except (KeyError, TypeError, ValueError):
        return None


def inputs_of(values: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return the inputs of a tool as they are shown."""
    return tuple(
        (shown, input_value(value)[:LONGEST])
        for name, value in values.items()
        if (shown := input_name(str(name)))
    )


def research_stage(stage: ResearchStage, iteration: int) -> str:
    """Return what a stage of research is called. iteration: its round, 0 before the first."""
    names = {
        "gather": tr("Search manuals and notes"),
        "filter": tr("Choose the sources"),
        "analyst": tr("Read and draft"),
        "search": tr("Search for what is missing"),
        "critic": tr("Check the draft"),
        "writer": tr("Write the report"),
    }
    if iteration == 0:
        return names[stage]
    return tr("{stage}, round {n}").format(stage=names[stage], n=iteration)


_ASKING_BACK = "ask_clarification"
"""The tool that ends a question by asking one."""


def timeline_of_trace(trace: ReasoningTrace, scores: Scores) -> Timeline:
    """Return the timeline of a trace. scores: of pages; a trace keeps only the best."""
    from desktop.core.agent.question_trace import NOT_FOUND

    entries = [each for each in trace.entries if not _says_nothing(each)]
    entries = [each for each in entries if not _is_for_models(each)]
    not_found = bool(entries) and entries[-1].thought == NOT_FOUND
    steps = [_step(entry, scores, refused=not_found) for entry in entries]
    chosen = {at for at in range(len(entries) - 1) if _repeats(entries[at], entries[at + 1])}
    steps = [step for at, step in enumerate(steps) if at not in chosen]  # the tool says the same
    wished = [each for each in trace.commitments if each not in _ALWAYS]
    promises = tuple((promise_name(each), each in trace.fulfilled) for each in wished)
    finished = trace.outcome is not OutcomeStatus.PENDING
    asked_back = any(each.action == _ASKING_BACK for each in entries)
    return Timeline(tuple(steps), promises, finished, asked_back, not_found)


def _says_nothing(entry: ReasoningEntry) -> bool:
    """Whether it is a plan to do what is done for every question, or the end that is seen above."""
    from desktop.core.agent.question_trace import ANSWERED

    if entry.thought == ANSWERED:
        return _always_done().issuperset(entry.evidence)
    return bool(entry.commitments) and _ALWAYS.issuperset(entry.commitments) and not entry.evidence


def _always_done() -> set[str]:
    from desktop.core.agent.question_trace import DELIVERED

    return {said(DELIVERED, what=each) for each in _ALWAYS}


def _is_for_models(entry: ReasoningEntry) -> bool:
    """Whether it keeps how a call succeeded: the call itself is shown."""
    return bool(entry.corrections) and all(map(_is_learned, entry.corrections))


def _is_learned(correction: str) -> bool:
    from desktop.core.agent.question_trace import LEARNED

    return isinstance(correction, Sentence) and correction.template == LEARNED


def _repeats(before: ReasoningEntry, entry: ReasoningEntry) -> bool:
    return (
        before.stage is ReasoningStage.PLANNING
        and entry.stage is ReasoningStage.EXECUTION
        and before.action == entry.action
        and before.thought == entry.thought
    )


def _step(entry: ReasoningEntry, scores: Scores, *, refused: bool) -> Step:
    """refused: whether the question was not answered, so that none of the pages did."""

    metrics = entry.metrics
    tokens = None
    if "tokens_in" in metrics or "tokens_out" in metrics:
        tokens = (int(metrics.get("tokens_in", 0)), int(metrics.get("tokens_out", 0)))
    evidence, files = _attached(entry.attachments, scores)
    title, thought = _title(entry)
    always = _always_done()
    details = [each for each in entry.evidence if each not in always]
    if refused and entry.action == _ANSWER and evidence:
        from desktop.core.reader.contributions import AGAINST_ANSWER  # which loads numpy

        pages = (wording.short_page(each.place.label, each.place.page) for each in evidence)
        title = tr("None of the nearest pages answers: {pages}").format(pages=", ".join(pages))
        thought = ""
        details = [each for each in details if getattr(each, "template", "") == AGAINST_ANSWER]
    return Step(
        entry.stage,
        title,
        entry.outcome,
        thought=thought,
        inputs=inputs_of(entry.parameters),
        details=(*map(_detail, details), *files),
        corrections=tuple(map(plain, entry.corrections)),
        evidence=tuple(evidence),
        milliseconds=metrics.get("milliseconds"),
        tokens=tokens,
        error=plain(entry.error or ""),
    )


def _title(entry: ReasoningEntry) -> tuple[str, str]:
    """Return a step's heading, and the thought that is left to say below it."""
    if entry.action in REASONING_STAGES:  # an agent of a research
        round_now = int(entry.parameters.get("iteration", 0))
        return research_stage(entry.action, round_now), plain(entry.thought)
    if entry.action is None or entry.stage is ReasoningStage.VERIFICATION:
        return plain(entry.thought), ""
    if entry.action == _ANSWER and (entry.attachments or entry.metrics.get("notes")):
        written = "tokens_out" in entry.metrics
        notes = entry.metrics.get("notes", 0)
        quoted = tr("Quoted the manuals")
        if notes:
            alone = entry.metrics.get("hits", 0) <= notes
            quoted = tr("Quoted site notes") if alone else tr("Quoted the manuals and site notes")
        return tr("Wrote the answer") if written else quoted, plain(entry.thought)
    return tool_name(entry.action), plain(entry.thought)


def _detail(text: str) -> str:
    """Return a line of evidence as it is worded here; a commitment in it goes by its name."""
    from desktop.core.agent.question_trace import DELIVERED

    if isinstance(text, Sentence) and text.template == DELIVERED:
        return tr(DELIVERED).format(what=promise_name(str(text.values["what"])))
    return plain(text)


def _attached(
    attachments: Sequence[Mapping[str, Any]], scores: Scores
) -> tuple[list[Evidence], list[str]]:
    """Return the pages, each once, and the files that a step found or made."""
    pages: dict[tuple[int, int], Evidence] = {}
    files = []
    for each in attachments:
        if each.get("type") == "file":
            files.append(tr("file: {name}").format(name=each.get("path", "")))
            continue
        place = place_of(each)
        if place is None:
            continue
        key = (place.document_id, place.page)
        if key not in pages or (place.regions and not pages[key].place.regions):
            pages[key] = Evidence(place, scores.get(key))
    return list(pages.values()), files
