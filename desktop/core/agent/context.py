"""What a question is told beside the manuals: who asks and where, and what the site knows."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from desktop.core.agent.notes import keep_notes
from desktop.core.conversations.values import resolved
from desktop.core.errors import LibraryError
from desktop.core.language.untrusted_text import neutral
from desktop.core.library.places import Place
from desktop.core.problems import failure_place
from desktop.sentences import said
from knowledge.errors import KnowledgeError
from knowledge.provider import FeedConflictResolution, KnowledgeSource, resolve_knowledge

if TYPE_CHECKING:
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.notes.search import FoundNote
    from knowledge.atlas import Atlas

logger = logging.getLogger(__name__)

Told = str | Callable[[str], str]
"""A text, or what returns it for a question, blocking; a `KnowledgeBase` does."""
FindNotes = Callable[[str, Place], "Sequence[FoundNote]"]
"""Finds the notes that a question is about, for somebody at a place; blocking."""
NOT_READ = said("The notes of the site could not be read; only the manuals are asked.")
_LONGEST_SECTION = 2_000
KNOWN_FIELDS = {
    "user_profile": "user_profile",
    "instructions": "site_rules",  # a signature's own instructions have the other name
    "context": "context",
    "skills": "skills",
}
"""The info_types that have a field of their own in every prompt, and its name."""


class MakesAtlas(Protocol):
    """Makes the Atlas of a question; blocking, on any thread."""

    def __call__(self, *, user_profile: str, context: str) -> Atlas:
        """Return who the agent is, with what it is told about the person and the place."""


def text_of(told: Told, question: str) -> str:
    """Return the text, asking for it if it has to be asked for."""
    return (told(question) if callable(told) else told).strip()


def context_at(place: Place, context: str) -> str:
    """Return what is said about the place: where the person is, then what they wrote."""
    return " ".join(part for part in (_where(place), context) if part)


def _where(place: Place) -> str:
    if place.site and place.asset:
        return f"The engineer is at {place.site}, working on {place.asset}."
    if place.site:
        return f"The engineer is at {place.site}."
    return f"The engineer is working on {place.asset}." if place.asset else ""


class SiteKnowledge:
    """Tells a question what is known.

    provider: none, asked with each question, or always the same; by info_type. resolution:
    what happens to a value that was given and is known, too. notes: finds what may be cited.
    """

    def __init__(
        self,
        provider: KnowledgeSource = None,
        resolution: FeedConflictResolution = FeedConflictResolution.FEED_ONLY,
        notes: FindNotes | None = None,
    ) -> None:
        self._provider = provider
        self._resolution = resolution
        self._notes = notes

    def tell(self, tree_data: TreeData) -> str:
        """Put what is known into the state of a question. Blocks.

        Returns: what went wrong, "" usually; the question goes on without.
        """
        question = resolved(tree_data.user_prompt, tree_data.conversation_history)
        try:
            known = resolve_knowledge(self._provider, question)
            if self._notes is not None:
                place = Place(tree_data.site, tree_data.asset)
                find = self._notes
                found = find(question, place)
                keep_notes(tree_data.environment, found, lambda text: find(text, place))
        except (KnowledgeError, LibraryError) as error:
            logger.warning("notes are not read: %s", failure_place(error))
            return NOT_READ
        given = {"user_profile": tree_data.user_profile, "context": tree_data.context}
        left, tree_data.knowledge = divided(given, known, self._resolution)
        tree_data.user_profile, tree_data.context = left["user_profile"], left["context"]
        return ""


def divided(
    given: Mapping[str, str], known: Mapping[str, str], resolution: FeedConflictResolution
) -> tuple[dict[str, str], dict[str, str]]:
    """Return what stays of the given values, and what is known.

    They stand apart in a prompt: what is given is the same for every question, what is known
    is not.
    """
    left = dict(given)
    told = {name: text for name, text in known.items() if text.strip()}
    for name in [name for name in told if left.get(name, "").strip()]:
        if resolution is FeedConflictResolution.FEED_ONLY:
            left[name] = ""
        elif resolution is FeedConflictResolution.ATTRIBUTE_ONLY:
            del told[name]
    return left, told


def known_text(knowledge: Mapping[str, str]) -> str:
    """Return what is known for a prompt, a section an info_type, whatever its name.

    Every line of a section is indented: no note can pass for a section, a field of the
    prompt or a control token of a model.
    """
    sections = []
    for name in sorted(knowledge):
        title = " ".join(neutral(name).split())
        sections.append(f"{title}:\n{_section(knowledge[name])}")
    return "\n".join(sections)


def known_fields(knowledge: Mapping[str, str], own: Collection[str] = ()) -> dict[str, str]:
    """Return what is known for the fields of a prompt, a field an info_type.

    own: fields that a prompt has for info_types beside the `KNOWN_FIELDS` ("lessons_learned" for
    "lessons learned"). Whatever has no field stands in "site_knowledge", under its name.
    """
    fields = dict.fromkeys((*KNOWN_FIELDS.values(), *own), "")
    rest: dict[str, str] = {}
    for name, text in knowledge.items():
        field = re.sub(r"\W+", "_", name.strip().casefold())
        field = KNOWN_FIELDS.get(field, field)
        if field in fields:
            fields[field] = _section(text)
        else:
            rest[name] = text
    return {**fields, "site_knowledge": known_text(rest)}


def _section(text: str) -> str:
    text = neutral(text)
    if len(text) > _LONGEST_SECTION:
        text = text[:_LONGEST_SECTION].rsplit(None, 1)[0] + " …"
    return "\n".join(f"  {line}" for line in text.splitlines())
