"""What a tool yields besides progress and text: a `Result`, or an `Error` to learn from."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


@dataclass(frozen=True, slots=True)
class Result:
    """Typed output of a tool.

    objects: plain values, one per item found. metadata: query, counts and the like.
    name: key in the environment. payload_type: a hint for whoever draws it.
    llm_message: what the next decision reads; placeholders are `{num_objects}`,
    `{name}`, `{page}` (of the first object), `{page_numbers}` and every metadata key.
    """

    objects: tuple[dict[str, Any], ...]
    metadata: Mapping[str, Any] = field(default_factory=dict)
    name: str = "result"
    payload_type: str = "result"
    llm_message: str = "{num_objects} objects in {name}."

    def message(self) -> str:
        """Return `llm_message` with its placeholders filled; unknown ones are left out."""
        values = self._placeholder_values()
        filled = _PLACEHOLDER.sub(
            lambda match: str(values.get(match.group(1), "")), self.llm_message
        )
        return " ".join(filled.split())

    def _placeholder_values(self) -> dict[str, Any]:
        pages = _page_labels(self.objects)
        values: dict[str, Any] = {
            "num_objects": len(self.objects),
            "name": self.name,
            "page_numbers": ", ".join(dict.fromkeys(pages)),
        }
        if pages:
            values["page"] = pages[0]
        return values | dict(self.metadata)


@dataclass(frozen=True, slots=True)
class Error:
    """A failure that informs the next decision instead of ending the question.

    recoverable: another try, or another tool, may succeed.
    suggestion: what to try next.
    """

    message: str
    recoverable: bool = True
    suggestion: str = ""

    def feedback(self) -> str:
        """Return what the next decision reads."""
        return f"{self.message} {self.suggestion}".strip()


def _page_labels(objects: Sequence[Mapping[str, Any]]) -> list[str]:
    labels = (found.get("label") or found.get("page") for found in objects)
    return [str(label) for label in labels if label is not None]
