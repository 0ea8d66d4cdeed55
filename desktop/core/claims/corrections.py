"""From findings to what stands in the answer instead: one round."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.claims.review import check_support
from desktop.core.sentences import said
from desktop.core.spoken import in_language, language_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.claims.cited import CheckedSentence, CitedPassage, PageQuote
    from desktop.core.claims.comparison import Comparison
    from desktop.core.claims.review import Finding


@dataclass(frozen=True, slots=True)
class Addition:
    """Words of a page that come behind a sentence. passage: the citation they belong to.

    lead: what is said before them; "" for a step, which stands on a line of its own.
    """

    quote: PageQuote
    passage: int
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Correction:
    """What becomes of a sentence.

    text: it from now on without marks, "" if it is withdrawn. cited: its citations from now
    on. unsupported: what stays in it and is marked. findings: why.
    """

    sentence: int
    text: str
    cited: tuple[int, ...]
    additions: tuple[Addition, ...] = ()
    unsupported: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def reason(self) -> str:
        """The findings in the critic's words."""
        return " ".join(finding.message for finding in self.findings)


def corrections_for(
    findings: Sequence[Finding],
    sentences: Sequence[CheckedSentence],
    passages: Sequence[CitedPassage],
    comparison: Comparison,
    question: str = "",
) -> tuple[Correction, ...]:
    """Return one correction for each sentence that something is wrong with, in their order.

    Blocks. Raises: ModelError.
    """
    of_sentence: dict[int, list[Finding]] = defaultdict(list)
    for finding in findings:
        of_sentence[finding.sentence].append(finding)
    said = {_folded(sentence.text) for sentence in sentences}
    corrections = []
    for index, found in sorted(of_sentence.items()):
        correction = _correction(
            index, found, sentences[index], passages, said, comparison, question
        )
        corrections.append(correction)
        said.add(_folded(correction.text))
    return tuple(corrections)


def _correction(
    index: int,
    findings: Sequence[Finding],
    sentence: CheckedSentence,
    passages: Sequence[CitedPassage],
    said: set[str],
    comparison: Comparison,
    question: str,
) -> Correction:
    text, cited = sentence.text, sentence.cited
    unsupported: tuple[str, ...] = ()
    additions = []
    for finding in findings:
        match finding.kind:
            case "missing_step" if finding.instead is not None:
                additions.append(Addition(finding.instead, finding.passage))
            case "contradiction" if finding.instead is not None:
                additions.append(
                    Addition(
                        finding.instead,
                        finding.passage,
                        in_language(_but(finding, passages), language_of(sentence.text)),
                    )
                )
            case "unsupported":
                cited = _that_carries(index, sentence, passages, comparison, question)
                text = text if cited else ""
                unsupported = () if cited else finding.unsupported
            case _ if finding.instead is not None:
                instead = finding.instead.told
                text = "" if _folded(instead) in said else instead
                cited = (finding.passage,)
            case _:
                unsupported = finding.unsupported
    return Correction(index, text, cited, tuple(additions), unsupported, tuple(findings))


def _that_carries(
    index: int,
    sentence: CheckedSentence,
    passages: Sequence[CitedPassage],
    comparison: Comparison,
    question: str,
) -> tuple[int, ...]:
    """Return another cited place that says the sentence, () if none does."""
    for passage in passages:
        if passage.number in sentence.cited or not passage.touched:
            continue
        if check_support(index, sentence, [passage], comparison, question) is None:
            return (passage.number,)
    return ()


def _but(finding: Finding, passages: Sequence[CitedPassage]) -> str:
    place = next((each.place for each in passages if each.number == finding.passage), "")
    return said("But {place} says:", place=place) if place else said("But another page says:")


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
