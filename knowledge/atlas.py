"""The Atlas: who the agent is and what it knows, handed to every decision and answer."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field


def datetime_reference(now: datetime | None = None) -> dict[str, str]:
    """Return a time (the present in local time, unless given) as the agent is told it."""
    now = now or datetime.now().astimezone()
    return {
        "current_datetime": now.isoformat(timespec="seconds"),
        "current_day": now.strftime("%A"),
        "current_time_of_day": now.strftime("%H:%M"),
    }


class Atlas(BaseModel):
    """Agent identity and knowledge context."""

    model_config = ConfigDict(extra="forbid")

    style: str = Field(
        default="Professional and brief. Quote the manuals and cite the page of every statement.",
        description="The writing style of the agent.",
    )
    agent_description: str = Field(
        default="You answer questions of field engineers from the equipment manuals in their "
        "library, and from nothing else.",
        description="The description of the process the agent follows and of what it knows.",
    )
    end_goal: str = Field(
        default="The engineer has the information and has seen the page it stands on, or "
        "knows that the manuals do not have it.",
        description="A short description of the overall goal.",
    )
    datetime_reference: dict[str, str] = Field(
        default_factory=datetime_reference,
        description="Current date and time, for questions that depend on them.",
    )
