"""The pages that a question has found so far, kept in the hidden part of its environment."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.core.agent.environment import Environment
    from desktop.core.agent.tool import Search
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.question.query import Query
    from desktop.core.reader.evidence import Evidence

_KEY = "evidence"


@dataclass(frozen=True, slots=True)
class Gathering:
    """Pages, best first. query: the question that they are ranked for, "" if they are not ranked.

    searched: what was searched for, by people or models.
    """

    query: str
    found: tuple[Evidence, ...]
    searched: tuple[str, ...] = ()


def keep_evidence(environment: Environment, found: Iterable[Evidence]) -> None:
    """Keep pages that were not searched for in words, such as one that was asked for.

    Of several finds on one page only the first is kept: give each page once, with all its passages.
    """
    _kept(environment).append(Gathering("", tuple(found)))


def keep_search(
    tree_data: TreeData, search: Search, query: Query, found: list[Evidence]
) -> list[Evidence]:
    """Keep what a search found, ranked together with earlier searches' finds; return it.

    All of it is ranked as answers to the user's own words, whatever a model searched
    for: the model's words may find a page, but do not say which one answers. In a
    conversation, where the question may lean on what was said, its words count as well:
    whichever are surer of their answer.
    query: what was searched for, in text. Blocking. Raises: LibraryError, ModelError.
    """
    if not found:
        return found
    kept = _kept(tree_data.environment)
    before = [gathering for gathering in kept if gathering.query]
    questions = dict.fromkeys([tree_data.own_words])
    if tree_data.conversation_history:
        questions |= dict.fromkeys([*(each.query for each in before), query.text])
    searched = tuple(dict.fromkeys([*(s for g in before for s in g.searched), query.text]))
    pages = [page for gathering in before for page in gathering.found] + found
    if not before and list(questions) == [query.text] and found[0].asked is not None:
        ranked = Gathering(query.text, tuple(found), searched)
    else:
        queries = (
            replace(query, text=asked, before=tree_data.words_before(asked)) for asked in questions
        )
        rankings = (
            Gathering(each.text, tuple(search.together(each, pages)), searched) for each in queries
        )
        ranked = max(rankings, key=lambda each: each.found[0].chance if each.found else 0.0)
    kept[:] = [*(gathering for gathering in kept if not gathering.query), ranked]
    return found


def _kept(environment: Environment) -> list[Gathering]:
    kept: list[Gathering] = environment.hidden_environment.setdefault(_KEY, [])
    return kept


def gatherings(environment: Environment) -> tuple[Gathering, ...]:
    """Return the pages looked up one by one, and what all searches found, ranked together."""
    return tuple(environment.hidden_environment.get(_KEY, ()))


def kept_evidence(environment: Environment) -> tuple[Evidence, ...]:
    """Return every page found so far once, best first."""
    pages: dict[tuple[int, int], Evidence] = {}
    for gathering in gatherings(environment):
        for page in gathering.found:
            pages.setdefault((page.document_id, page.page), page)
    return tuple(pages.values())


def references_of_pages(environment: Environment) -> dict[tuple[int, int], str]:
    """Return the `_REF_ID` of the first object about each page, summed up or not."""
    references: dict[tuple[int, int], str] = {}
    for reference, found in environment.to_dict()["objects"].items():
        page = (found.get("document_id"), found.get("page"))
        if isinstance(page[0], int) and isinstance(page[1], int):
            references.setdefault(page, reference)
    return references
