"""What the agent is told beside the manuals: the notes of the site."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from desktop.core.settings.sections import Section


class KnowledgeSettings(Section):
    """How notes enter answers and prompts."""

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
