"""The invented manuals the text model learns from: passages and the questions they answer.

Written for this purpose, not taken from any manual. Passages of one manual are close neighbours
that speak of the same parts; each question is answered by one of them alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

FOLDER = Path(__file__).parent / "manuals"

_Text = Annotated[str, StringConstraints(min_length=1)]


class Passage(BaseModel):
    """A passage as it stands in a manual. A line of the files is one.

    context: title of the manual and headings, as they stand before the text of a window.
    q: questions in the manual's language. x: in the other one.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    manual: _Text
    lang: Literal["en", "de"]
    context: _Text
    text: _Text
    q: tuple[_Text, ...] = Field(default=())
    x: tuple[_Text, ...] = Field(default=())

    @property
    def read(self) -> str:
        """The text as the program embeds it."""
        return f"{self.context}\n{self.text}"


Manual = tuple[Passage, ...]


def read_manuals(folder: Path = FOLDER) -> list[Manual]:
    """Return the manuals, in the order of the files.

    Raises: OSError; pydantic.ValidationError, for a line that is not a passage.
    """
    manuals: dict[tuple[str, str], list[Passage]] = {}
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            passage = Passage.model_validate_json(line)
            manuals.setdefault((path.stem, passage.manual), []).append(passage)
    return [tuple(passages) for passages in manuals.values()]


def held_out_of(manuals: list[Manual], one_in: int) -> list[Manual]:
    """Return the manuals that are not learnt from, one in so many; none for 0."""
    return manuals[one_in // 2 :: one_in] if one_in else []
