"""What each agent replies, checked: it may come from a model."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

ModeCompliance = Literal["符合", "違反"]
ReviewStatus = Literal["PASS", "WARN", "REJECT"]
COMPLIES: ModeCompliance = "符合"
VIOLATES: ModeCompliance = "違反"
"""Whether a draft keeps to its mode: the two words of the contract that other programs read."""

Query = Annotated[str, Field(min_length=1, max_length=300)]
Remark = Annotated[str, Field(max_length=600)]


class Reply(BaseModel):
    """Base of every reply: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid")


class AnalystReply(Reply):
    """A draft, or what is missing for one. draft: Markdown, its sentences cite sources: [2]."""

    status: Literal["SEARCH_REQUIRED", "DRAFT_READY"]
    new_queries: list[Query] = Field(default_factory=list, max_length=6)
    draft: str = Field(default="", max_length=20_000)
    reasoning_chain: str = Field(default="", max_length=8_000)


class PairVerdict(Reply):
    """What a model says of one pair of statements."""

    pair: int = Field(ge=1)
    verdict: Literal["agreement", "contradiction", "unrelated"]


class MonitorReply(Reply):
    """What a model says of pairs of statements."""

    verdicts: list[PairVerdict] = Field(default_factory=list, max_length=400)


class CriticReply(Reply):
    """A review. logical_gaps: each names what is wrong, a sentence each."""

    status: ReviewStatus
    critique: str = Field(default="", max_length=8_000)
    suggestions: list[Remark] = Field(default_factory=list, max_length=20)
    mode_compliance: ModeCompliance = COMPLIES
    logical_gaps: list[Remark] = Field(default_factory=list, max_length=40)


class WriterReply(Reply):
    """The report. final_report: Markdown. sources_used: names of sources, as they were given."""

    final_report: str = Field(min_length=1, max_length=40_000)
    sources_used: list[str] = Field(default_factory=list, max_length=200)
    confidence_level: Literal["High", "Medium", "Low"]


class ClarificationReply(Reply):
    """What can be meant, in the words of a person."""

    options: list[Annotated[str, Field(min_length=1, max_length=160)]] = Field(
        default_factory=list, max_length=6
    )
