"""A domain: the manuals of one product, what each is for, and how to search them."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Protocol

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from knowledge.cues import meets, words_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from knowledge.cues import Word

Line = Annotated[str, StringConstraints(strip_whitespace=True, max_length=300)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=4_000)]
Lines = Annotated[tuple[Line, ...], Field(max_length=100)]

# "How do I set..." says less about a question than "keypad" does.
_PHRASE_WEIGHT = 0.5
_CUE_WEIGHT = 1.0


class Manual(Protocol):
    """A manual of the library, as a domain looks at it."""

    @property
    def id(self) -> int:
        """The library's own number for it."""

    @property
    def name(self) -> str:
        """Its file name."""

    @property
    def title(self) -> str:
        """What it is called."""


@dataclass(frozen=True, slots=True)
class NamedManual:
    """A manual without a library."""

    id: int
    name: str
    title: str


class ManualProfile(BaseModel):
    """What one manual of a domain is for."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: Line = Field(default="", description="What people call the manual.")
    patterns: Lines = Field(
        min_length=1,
        description="File names or titles it may have; * stands for anything, case does not count.",
    )
    audience: Line = Field(default="", description="Who it was written for.")
    purpose: Text = Field(default="", description="What it is about.")
    use_for: Lines = Field(
        default=(), description="Beginnings of questions that it answers; they also route."
    )
    cues: Lines = Field(
        default=(), description="Words of questions that belong to this manual rather than another."
    )

    def covers(self, name: str, title: str) -> bool:
        """Whether a manual of this file name and title is the one that is meant."""
        candidates = (name.casefold(), PurePath(name).stem.casefold(), title.casefold())
        return any(
            fnmatchcase(candidate, pattern.casefold())
            for pattern in self.patterns
            for candidate in candidates
        )

    def called_for(self, words: Sequence[Word]) -> float:
        """Return how much a question's words speak for this manual; 0 if nothing does."""
        return _CUE_WEIGHT * sum(meets(cue, words) for cue in self.cues) + _PHRASE_WEIGHT * sum(
            meets(phrase, words) for phrase in self.use_for
        )


class Domain(BaseModel):
    """One product with its manuals. name: an id, also the name of its file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(
        pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$",
        description="A short name in small letters, digits and hyphens.",
    )
    title: Line = Field(min_length=1, description="The product, as people call it.")
    description: Text = Field(default="", description="Who the agent is and what it helps with.")
    manuals: tuple[ManualProfile, ...] = Field(min_length=1, max_length=50)
    search_strategy: Lines = Field(default=(), description="Which manual to search for what.")
    important: Text = Field(default="", description="How the manuals belong together.")
    components: Lines = Field(
        default=(), description="Parts that several of the manuals describe, each another side."
    )
    units: Lines = Field(default=(), description="Units of this product's values.")
    glossary: dict[Line, Lines] = Field(
        default={}, description="Terms of the manuals and other words for the same thing."
    )
    style: Text = Field(default="", description="How the agent writes; empty for the usual way.")
    end_goal: Text = Field(default="", description="What is to be reached; empty for the usual.")
    proposed: bool = Field(
        default=False, description="Made from the manuals by Groundwork, not yet looked at."
    )

    def covers(self, name: str, title: str) -> ManualProfile | None:
        """Return the profile of the manual with this file name or title, or None."""
        return next((each for each in self.manuals if each.covers(name, title)), None)

    def preferred(self, question: str, documents: Sequence[Manual]) -> Mapping[int, float]:
        """Return how well a question suits each manual of this domain, by document id.

        1 means that nothing speaks for another manual instead; a lower value, that
        something does, the lower the more. Several manuals with 1 should all be looked
        at: the question is about a part of which each describes another side, or cues
        speak for all of them. Empty if the question says nothing about which manual it
        is for.
        """
        words = words_of(question)
        covered = [(d.id, profile) for d in documents if (profile := self.covers(d.name, d.title))]
        calls = {document: profile.called_for(words) for document, profile in covered}
        most = max(calls.values(), default=0.0)
        if most > 0:
            sure = min(1.0, most)
            return {document: 1 - sure * (1 - call / most) for document, call in calls.items()}
        names_component = any(meets(component, words) for component in self.components)
        return dict.fromkeys(calls, 1.0) if names_component else {}
