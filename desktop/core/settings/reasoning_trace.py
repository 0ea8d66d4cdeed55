"""The settings of the reasoning trace and of the critic that writes into it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from desktop.core.settings.sections import Section


class ReasoningTraceSettings(Section):
    """What is written down about how an answer was reached."""

    enabled: bool = Field(
        default=True,
        title="Record how answers were reached",
        description="Decisions, searches, checks and corrections of every question, kept with "
        "the conversation in the library. Passwords and keys are left out.",
    )
    in_prompts: Literal["off", "corrections", "all"] = Field(
        default="corrections",
        title="What a language model is told of it",
        description="'corrections' tells what was corrected earlier in the conversation, 'all' "
        "the last steps too. More takes longer to read.",
    )
    critic: Literal["auto", "model", "rules", "off"] = Field(
        default="auto",
        title="Check answers before they stand",
        description="'rules' compares every sentence with the cited words. 'auto' also asks the "
        "language model, where there is one, if the rules found something wrong, or if the answer "
        "is a procedure or cites several pages. 'model' asks it about every answer, which takes "
        "longer.",
    )
