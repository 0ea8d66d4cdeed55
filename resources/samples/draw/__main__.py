"""Draw both manuals and write the questions about them."""

from __future__ import annotations

import sys

from .gold import write_questions
from .manuals import MANUALS_FOLDER, draw_installation_manual, draw_operator_manual, save


def main() -> None:
    """Write resources/samples/manuals and report the sizes."""
    MANUALS_FOLDER.mkdir(exist_ok=True)
    installation, operation = draw_installation_manual(), draw_operator_manual()
    for manual in (installation, operation):
        path = save(manual, MANUALS_FOLDER)
        pages = len(manual.sheets)
        sys.stdout.write(f"{path.name}: {pages} pages, {path.stat().st_size // 1024} KiB\n")
    count = write_questions({"installation": installation, "operation": operation})
    sys.stdout.write(f"questions.json: {count} questions\n")


if __name__ == "__main__":
    main()
