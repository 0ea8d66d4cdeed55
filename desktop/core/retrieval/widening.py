"""A question in the words of the manuals: what people say, and the other language.

Of everything that means the same as a word of the question, the form that most pages print
counts as that word. Words of the manuals' own language are replaced only if no manual uses
them: whoever writes as the manual does needs no help, and near words would mislead. Words of the
other language are replaced if the question names such a manual, or those of its own language
know less than half of its words.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop.core.retrieval.lexical import pages_printing, pages_saying
from desktop.core.retrieval.tokens import LANGUAGES, asked_language, query_terms

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    import apsw

    from desktop.core.retrieval.glossary import Glossary, Mention
    from desktop.core.retrieval.question import Question, TermGroup
    from desktop.core.retrieval.routing import Route

_NAMED = 0.5
_KNOWN = 0.5


@dataclass(frozen=True, slots=True)
class Readable:
    """The manuals a question may be answered from, by language, and whether it names them."""

    by_language: Mapping[str, tuple[int, ...]]
    named: bool

    @classmethod
    def of(
        cls,
        languages: Mapping[int, str],
        routed: Mapping[int, Route],
        documents: Collection[int],
    ) -> Readable:
        """Return the manuals that are named, else all. documents: those searched, () for all."""
        searched = [each for each in routed if not documents or each in documents]
        named = [each for each in searched if routed[each].named >= _NAMED]
        found: defaultdict[str, tuple[int, ...]] = defaultdict(tuple)
        for each in named or searched:
            found[languages[each]] += (each,)
        return cls(dict(found), bool(named))


def widened(
    connection: apsw.Connection,
    question: Question,
    manuals: Readable,
    glossaries: Iterable[Glossary],
) -> Question:
    """Return the question as the manuals may say it."""
    asked = asked_language(question.text)
    if asked is not None and not manuals.named and _at_home(connection, question, manuals, asked):
        manuals = Readable({asked: manuals.by_language[asked]}, named=False)
    groups = question.groups
    told: list[str] = []
    for glossary in glossaries:
        for mention in glossary.mentions(question.text, [asked] if asked else LANGUAGES):
            own = query_terms(" ".join(mention.words))
            if own and set(own) <= set(groups):  # else small words alone, or told already
                forms = _printed(connection, mention, own, manuals)
                groups = _with_forms(groups, own, [query_terms(form) for form in forms])
                told += forms
    if not told:
        return question
    return replace(question, groups=groups, wording=f"{question.text} ({', '.join(told)})")


def _at_home(
    connection: apsw.Connection, question: Question, manuals: Readable, language: str
) -> bool:
    """Whether the manuals in the language of the question know enough of its words."""
    own = manuals.by_language.get(language, ())
    if not own or len(manuals.by_language) == 1:
        return bool(own)
    known = sum(pages_saying(connection, [group], own) > 0 for group in question.groups)
    return known >= _KNOWN * len(question.groups)


def _printed(
    connection: apsw.Connection, mention: Mention, own: Sequence[TermGroup], manuals: Readable
) -> list[str]:
    """Return what the manuals print for what is named, at most one form in each language."""
    same = manuals.by_language.get(mention.language, ())
    known = bool(same) and pages_saying(connection, own, same) > 0
    found = []
    for language, documents in manuals.by_language.items():
        parts = mention.parts
        if known and language == mention.language:
            parts = tuple(tuple(each for each in part if each.certain) for part in parts)
        forms = [
            _most_printed(
                connection,
                [form for entry in part for form in entry.forms.get(language, ())],
                language,
                documents,
            )
            for part in parts
        ]
        form = " ".join(forms) if all(forms) else ""
        if query_terms(form) not in ([], own):
            found.append(form)
    return found


def _most_printed(
    connection: apsw.Connection, forms: Sequence[str], language: str, documents: Sequence[int]
) -> str:
    """Return the form that most pages print, "" if none does."""
    counts = {form: pages_printing(connection, form, language, documents) for form in forms}
    best = max(counts, key=lambda form: counts[form], default="")
    return best if counts.get(best) else ""


def _with_forms(
    groups: tuple[TermGroup, ...], own: Sequence[TermGroup], forms: Sequence[Sequence[TermGroup]]
) -> tuple[TermGroup, ...]:
    """Return the groups with each word of the forms beside the words that they stand for."""
    if not forms:
        return groups
    said = [own, *forms]
    together = [
        tuple(dict.fromkeys(term for each in said for term in each[min(i, len(each) - 1)]))
        for i in range(max(len(each) for each in said))
    ]
    place = groups.index(own[0])
    kept = [[g for g in part if g not in own] for part in (groups[:place], groups[place:])]
    return tuple(dict.fromkeys([*kept[0], *together, *kept[1]]))
