"""What a question can ask to be delivered, and what a person is told when it was not."""

from __future__ import annotations

from typing import Final, Literal

Commitment = Literal[
    "answer", "cite_page", "show_figure", "list_all_steps", "export_report", "draft_email"
]

MISSING: Final[dict[Commitment, str]] = {
    "answer": "There is no answer.",
    "cite_page": "No page is cited: open the nearest pages and look there.",
    "show_figure": "No figure was shown: the cited pages have none. Ask for the page by its "
    "number to see it whole.",
    "list_all_steps": "The list of steps may not be whole: open the cited page and compare.",
    "export_report": "No report was saved: choose “Save report…” below the answer.",
    "draft_email": "No e-mail was drafted: choose “Draft e-mail…” below the answer.",
}
"""What is missing, and the next step, by the commitment."""
