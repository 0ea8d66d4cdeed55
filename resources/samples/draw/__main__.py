"""Draw both manuals and write the questions about them."""

from __future__ import annotations

import sys

from .manuals import MANUALS_FOLDER, draw_installation_manual, draw_operator_manual, save


def main() -> None:
    """Write resources/samples/manuals and report the sizes."""
    MANUALS_FOLDER.mkdir(exist_ok=True)
    for manual in (draw_installation_manual(), draw_operator_manual()):
        path = save(manual, MANUALS_FOLDER)
        pages = len(manual.sheets)
        sys.stdout.write(f"{path.name}: {pages} pages, {path.stat().st_size // 1024} KiB\n")


if __name__ == "__main__":
    main()
