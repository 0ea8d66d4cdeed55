"""Whether a question means several things that the library tells apart: only if the evidence is
really split, because asking back costs a person more than a second answer on the page.
"""  # noqa: D205

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Literal

from desktop.core.answering.selection import one_product
from desktop.core.events import ClarificationChoice, ClarificationEvent
from desktop.core.library.editions import product_name
from desktop.core.quantities import order_of, quantities_in
from desktop.core.question.tokens import STOPWORDS, index_term_set
from desktop.core.reader.evidence import question_asked
from desktop.core.structure.sentences import sentence_spans, words_in
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from desktop.core.library.units import Passage
    from desktop.core.library.values import DocumentRecord
    from desktop.core.question.query import Question
    from desktop.core.reader.evidence import Evidence

AmbiguityKind = Literal["product", "revision", "term"]

_AS_LIKELY = 0.85  # of the first page's score
_COVERED = 0.75  # of the question's words, in one passage and its headings
_LOOKED_AT = 6
_PASSAGES = 12
_FEWEST_WORDS = 2
_MOST = 4
_NOT_SAID = frozenset({"window", "heading", "label"})


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """What a question can mean. event: the question to ask back, and what a person chooses from."""

    kind: AmbiguityKind
    event: ClarificationEvent


def ambiguity_of(
    question: str, evidence: Sequence[Evidence], documents: Iterable[DocumentRecord]
) -> Ambiguity | None:
    """Return what a question can mean, None if it means one thing.

    Pages that are about equally likely must each give a different value, in a passage
    that has nearly all words of the question. evidence: best first.
    """
    parsed = question_asked(question, evidence)
    if len(parsed.groups) < _FEWEST_WORDS or not evidence or question.count("?") > 1:
        return None
    least = evidence[0].score * _AS_LIKELY
    near = [page for page in evidence[:_LOOKED_AT] if page.score >= least]
    answers = [
        (page, passage)
        for page in near
        for whole in page.passages[:_PASSAGES]
        if _answers(parsed, whole)  # what it lacks, none of its sentences has
        for passage in _sentences(whole)
        if _answers(parsed, passage)
    ]
    if len(answers) < _FEWEST_WORDS:
        return None
    by_id = {each.id: each for each in documents}
    return _two_terms(question, answers, by_id) or _two_manuals(question, answers, by_id)


def _sentences(passage: Passage) -> Iterator[Passage]:
    """Yield what is said one by one: a paragraph may speak of both things that can be meant."""
    if passage.kind in _NOT_SAID:
        return
    if passage.kind == "row":
        yield passage
        return
    for sentence in _sentences_of(passage.text):
        yield replace(passage, text=sentence)


@lru_cache(maxsize=512)  # every step of a question looks at the same passages again
def _sentences_of(text: str) -> tuple[str, ...]:
    words = text.split()
    spans = sentence_spans(words)
    return tuple(dict.fromkeys(" ".join(words[first:last]) for first, last in spans))


def _answers(parsed: Question, passage: Passage) -> bool:
    terms = index_term_set(f"{passage.text}\n{passage.context}")
    covered = sum(any(term in terms for term in group) for group in parsed.groups)
    enough = covered >= _COVERED * len(parsed.groups)
    return enough and any(each.unit for each in quantities_in(passage.text))


def _two_terms(
    question: str,
    answers: Sequence[tuple[Evidence, Passage]],
    documents: Mapping[int, DocumentRecord],
) -> Ambiguity | None:
    """Return the two things of one name that passages of one product speak of.

    A word before the name tells them apart: the "internal" and the "external" battery.
    """
    asked = frozenset(_names(question))
    for (page, first), (other_page, second) in combinations(answers, 2):
        if not _differ(first, second) or not one_product(page, other_page):
            continue
        for name in sorted(asked - STOPWORDS):
            one, other = _before(first.text, name), _before(second.text, name)
            if len(one) != 1 or len(other) != 1 or one == other or (one | other) & asked:
                continue
            words = [word for (word,) in (one, other)]
            choices = tuple(
                _choice(
                    f"{question.rstrip(' ?.')} ({word} {name})?",
                    [each for each, passage in answers if _before(passage.text, name) == {word}],
                    documents,
                )
                for word in words
            )
            labels = tuple(f"the {word} {name}" for word in words)
            which = said("Which {name} do you mean?", name=name)
            return Ambiguity("term", ClarificationEvent(which, labels, choices))
    return None


def _two_manuals(
    question: str,
    answers: Sequence[tuple[Evidence, Passage]],
    documents: Mapping[int, DocumentRecord],
) -> Ambiguity | None:
    """Return the products, or revisions of one, whose manuals give different answers."""
    best: dict[int, tuple[Evidence, Passage]] = {}
    for page, passage in answers:
        best.setdefault(page.document_id, (page, passage))
    kept = [pair for key, pair in best.items() if key in documents]
    pairs = [
        (one, other)
        for one, other in combinations(kept, 2)
        if _differ(one[1], other[1]) and not one[0].named and not other[0].named
    ]
    if not pairs:
        return None
    split = {id(page): page for pair in pairs for page, _ in pair}
    pages = list(split.values())[:_MOST]
    revisions = {documents[page.document_id].revision for page in pages}
    same = all(one_product(one, other) for one, other in combinations(pages, 2))
    if same and (len(revisions) < len(pages) or "" in revisions):
        return None  # two manuals of one product, which contradict each other
    if not same and any(one_product(one, other) for one, other in combinations(pages, 2)):
        return None
    kind: AmbiguityKind = "revision" if same else "product"
    labels = tuple(_label(documents[page.document_id], kind) for page in pages)
    if len(set(labels)) < len(labels):
        return None
    which = said("Which revision do you mean?") if same else said("Which product do you mean?")
    choices = tuple(_choice(question, [page], documents) for page in pages)
    return Ambiguity(kind, ClarificationEvent(which, labels, choices))


def _choice(
    prompt: str, pages: Sequence[Evidence], documents: Mapping[int, DocumentRecord]
) -> ClarificationChoice:
    ids = tuple(dict.fromkeys(page.document_id for page in pages))
    manuals = tuple(documents[each].title for each in ids if each in documents)
    return ClarificationChoice(prompt, ids, manuals)


def _label(document: DocumentRecord, kind: AmbiguityKind) -> str:
    if kind == "product":
        return product_name(document.title)
    of = f", {document.revision_date}" if document.revision_date else ""
    return f"{product_name(document.title)}, {document.revision}{of}"


def _differ(one: Passage, other: Passage) -> bool:
    """Whether two passages give values of the same kind, and none in common."""
    ours = [each for each in quantities_in(one.text) if each.unit]
    theirs = [each for each in quantities_in(other.text) if each.unit]
    orders = {order_of(mine, each) for mine in ours for each in theirs} - {""}
    return bool(orders) and "=" not in orders


def _before(text: str, name: str) -> frozenset[str]:
    """Return the words that stand directly before a name."""
    before = (one for one, other in pairwise(_names(text)) if other == name)
    return frozenset(before) - STOPWORDS


def _names(text: str) -> list[str]:
    """Return the words of a text; "G2" is no name "g" with a number."""
    return [word.casefold() for word in words_in(text) if word.isalpha()]
