"""The one form in which research is handed on: an Item, its keys exactly these."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Confidence = Literal["High", "Medium", "Low"]
SITE = "Deep Research Module"
SITE_URL = "groundwork://research"


class ResearchReport(BaseModel):
    """What an Item of research tells about itself beside its text."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    type: Literal["ResearchReport"] = Field(default="ResearchReport", alias="@type")
    mode: Literal["strict", "discovery", "monitor"]
    iterations: int = Field(ge=0)
    sources_used: list[str] = Field(default_factory=list)
    confidence: Confidence
    total_sources_analyzed: int = Field(ge=0)


class Item(BaseModel):
    """A result: title, text and where it belongs. score: 0 to 100. description: Markdown."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    type: Literal["Item"] = Field(default="Item", alias="@type")
    url: str = Field(min_length=1)
    name: str = Field(min_length=1)
    site: str = Field(min_length=1)
    site_url: str = Field(min_length=1, alias="siteUrl")
    score: int = Field(ge=0, le=100)
    description: str
    schema_object: ResearchReport | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return it with the keys of the schema; without `schema_object` if it has none."""
        return self.model_dump(by_alias=True, exclude_none=True)


def assistant_result(items: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a message of Items for another program; every item is checked.

    Raises: pydantic.ValidationError, for an item that is none.
    """
    checked = [Item.model_validate(item).as_dict() for item in items]
    return {"message_type": "result", "content": checked}
