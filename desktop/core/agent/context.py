"""What a question is told besides the manuals: who asks, where, and what the site knows."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from desktop.core.agent.notes import NOT_IN_TIME, keep_notes
from desktop.core.conversations.values import resolved, shortened
from desktop.core.errors import LibraryError
from desktop.core.language.own_thread import LimitedCalls
from desktop.core.language.untrusted_text import neutral
from desktop.core.library.places import Place
from desktop.core.problems import failure_place
from desktop.sentences import said
from knowledge.atlas import with_remarks
from knowledge.errors import KnowledgeError
from knowledge.provider import FeedConflictResolution, KnowledgeSource, resolve_knowledge

if TYPE_CHECKING:
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.notes.search import FoundNote
    from knowledge.atlas import Atlas

logger = logging.getLogger(__name__)

T = TypeVar("T")
Told = str | Callable[[str], str]
"""A text, or what returns it for a question, blocking; a `KnowledgeBase` does."""
FindNotes = Callable[[str, Place], "Sequence[FoundNote]"]
"""Finds the notes that a question is about, for somebody at a place; blocking."""
NOT_READ = said("The site notes could not be read; only the manuals are searched.")
WAIT_SECONDS = 5.0
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

    def __call__(self, *, user_profile: str, context: str, about: Collection[int]) -> Atlas:
        """Return who the agent is, with what it is told about the person and the place.

        about: ids of the manuals that it is asked about, () for all.
        """


def plain_atlas(*, user_profile: str, context: str, about: Collection[int]) -> Atlas:
    """Return the Atlas of an agent that is told of no manual; satisfies `MakesAtlas`."""
    return with_remarks(user_profile=user_profile, context=context)


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

    provider: none, asked with each question, or always the same; by info_type.
    resolution: what happens to a value that is both given and known. notes: finds what
    may be cited.
    seconds: how long a question waits for them; what takes longer is left out.
    """

    def __init__(
        self,
        provider: KnowledgeSource = None,
        resolution: FeedConflictResolution = FeedConflictResolution.FEED_ONLY,
        notes: FindNotes | None = None,
        seconds: float = WAIT_SECONDS,
    ) -> None:
        self._provider = provider
        self._resolution = resolution
        self._notes = notes
        self._calls = LimitedCalls(seconds, "groundwork-knowledge")

    async def tell(self, tree_data: TreeData, user_profile: Told, context: Told) -> list[str]:
        """Put what is told, of person and place, and known into a question's state.

        Returns: what went wrong, usually nothing; the question goes on without it.
        """
        prompt = tree_data.user_prompt
        question = resolved(prompt, tree_data.conversation_history)
        place = Place(tree_data.site, tree_data.asset)
        find = self._notes or (lambda _question, _place: ())

        def found() -> Sequence[FoundNote]:
            """What is known of the question by itself is not lost after the one before it."""
            told = {each.note.piece_id: each for each in find(question, place)}
            own = find(prompt, place) if question != prompt else ()
            told |= {e.note.piece_id: e for e in own if e.telling or e.note.piece_id not in told}
            return sorted(told.values(), key=lambda each: not each.telling)

        no_notes: Sequence[FoundNote] = ()
        nothing_known: dict[str, str] = {}
        notes, known, profile, here = await asyncio.gather(
            self._gathered(found, no_notes),
            self._gathered(lambda: resolve_knowledge(self._provider, question), nothing_known),
            self._told(user_profile, prompt),
            self._told(context, prompt),
        )

        async def find_more(text: str) -> Sequence[FoundNote]:
            return await self._calls.run(lambda: find(text, place))

        troubles = [each for each in (notes[1], known[1], profile[1], here[1]) if each]
        search = {} if NOT_IN_TIME in troubles else {"search": find_more}
        keep_notes(tree_data.environment, notes[0], **search)
        given = {"user_profile": profile[0], "context": context_at(place, here[0])}
        left, tree_data.knowledge = divided(given, known[0], self._resolution)
        tree_data.user_profile, tree_data.context = left["user_profile"], left["context"]
        return list(dict.fromkeys(troubles))

    async def _told(self, told: Told, question: str) -> tuple[str, str]:
        if not callable(told):
            return told.strip(), ""
        return await self._gathered(lambda: told(question).strip(), "")

    async def _gathered(self, gather: Callable[[], T], nothing: T) -> tuple[T, str]:
        """Return what is gathered in time, else nothing, and why."""
        try:
            return await self._calls.run(gather), ""
        except TimeoutError:
            logger.warning("notes took longer than %g s", self._calls.seconds)
            return nothing, NOT_IN_TIME
        except (KnowledgeError, LibraryError) as error:
            logger.warning("notes are not read: %s", failure_place(error))
            return nothing, NOT_READ


def divided(
    given: Mapping[str, str], known: Mapping[str, str], resolution: FeedConflictResolution
) -> tuple[dict[str, str], dict[str, str]]:
    """Return what remains of the given values, and what is known.

    They are kept apart in a prompt: what is given is the same for every question, what
    is known is not.
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
    """Return what is known for a prompt, one section per info_type, whatever its name.

    Every line of a section is indented: no note can pass for a section, a field of the
    prompt or a control token of a model.
    """
    sections = []
    for name in sorted(knowledge):
        title = " ".join(neutral(name).split())
        sections.append(f"{title}:\n{_section(knowledge[name])}")
    return "\n".join(sections)


def known_fields(knowledge: Mapping[str, str], own: Collection[str] = ()) -> dict[str, str]:
    """Return what is known for the fields of a prompt, one field per info_type.

    own: fields that a prompt has for info_types besides the `KNOWN_FIELDS`
    ("lessons_learned" for "lessons learned"). Whatever has no field stands in
    "site_knowledge", under its name.
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
    text = shortened(neutral(text), _LONGEST_SECTION)
    return "\n".join(f"  {line}" for line in text.splitlines())
