"""What the agent is told beside the manuals: who asks, and the notes of the site."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from desktop.core.settings.sections import AT_ONCE, HIDDEN, Section

_LONGEST_NAME = 80


class KnowledgeSettings(Section):
    """Who asks, and how notes enter answers and prompts."""

    person: str = Field(
        default="",
        max_length=_LONGEST_NAME,
        title="Your name",
        description="As notes and imported knowledge call you: “alice” is the person user:alice. "
        "Answers follow the rules and know the profile that are kept for you.",
        json_schema_extra=AT_ONCE,
    )
    role: str = Field(
        default="",
        max_length=_LONGEST_NAME,
        title="Your role",
        description="Such as “shift lead”: what is known for role:shift-lead is for you, too.",
        json_schema_extra=AT_ONCE,
    )
    site: str = Field(
        default="",
        max_length=_LONGEST_NAME,
        title="Your site",
        description="Where you are unless you choose another place: its notes are for you.",
        json_schema_extra=AT_ONCE,
    )
    asset: str = Field(
        default="",
        max_length=_LONGEST_NAME,
        title="Your equipment",
        description="What you work on unless you choose something else.",
        json_schema_extra=AT_ONCE,
    )
    team: list[str] = Field(
        default_factory=list,
        title="What your team shares",
        description="Addresses of the services that keep it, as `groundwork knowledge connect` "
        "sets them. Nothing is reached but by `groundwork knowledge sync`.",
        json_schema_extra=HIDDEN,
    )
    notes_in_answers: bool = Field(
        default=True,
        title="Cite notes in answers",
        description="Notes about the chosen asset and site stand below the manuals' answer, "
        "each with its date and its author's role.",
    )
    conflict: Literal["merge", "feed_only", "attribute_only"] = Field(
        default="merge",
        title="What you said and what notes say",
        description="About you and this place: 'merge' tells a language model both, 'feed_only' "
        "only the notes where there are any, 'attribute_only' only what stands in the settings.",
    )
