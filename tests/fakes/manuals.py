"""Small manuals that tests ask questions of: two drawn ones, and pages of the samples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pymupdf

from desktop.core.paths import sample_manuals
from tests.fakes.bookcase import Sheet

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fakes.bookcase import Bookcase

WARNING = "WARNING: Switch the mains off before you open the housing."

PUMP = (
    Sheet()
    .heading("Power supply")
    .text("The pump needs a supply voltage of 24 V DC.", "It draws at most 1.5 Ampere.")
    .text("The backup battery keeps the clock running for 30 days.")
    .text(WARNING),
    Sheet()
    .heading("Fault finding")
    .rows(
        ("Symptom", "Cause", "Remedy"),
        ("No display", "Fuse F2 blown", "Replace fuse F2"),
        ("Noise in pipe", "Air in pump", "Bleed at valve V3"),
    ),
    Sheet()
    .heading("Bus")
    .text("The RS-485 bus is connected to terminal J1C.")
    .text("Order number of the cable: S-130."),
    Sheet().heading("Sensors").text("Order number of the level sensor: S-131."),
)
CRANE = (
    Sheet().heading("Hoist").text("The hoist lifts 500 kg. Its brake is tested every 6 months."),
    Sheet()
    .heading("Frequent questions")
    .text("How do I reset the crane?")
    .text("Press the red button for 5 seconds.")
    .text("How do I lower the hook by hand?")
    .text("Turn the brass wheel to the left."),
    Sheet().heading("Terminals").text("The crane has a terminal J9."),
)


def fill(bookcase: Bookcase) -> None:
    """Take both manuals in as pump.pdf and crane.pdf."""
    bookcase.add("pump.pdf", PUMP, title="P-7 Pump")
    bookcase.add("crane.pdf", CRANE, title="Crane 500")


TERMINALS, SCAN = 8, 16
"""Pages of the installation manual: the table of terminals and their torques, and a scan."""


def excerpt(path: Path, *pages: int, title: str = "") -> Path:
    """Write pages of the installation manual as a file of its own."""
    installation = next(each for each in sample_manuals() if "installation" in each.name)
    with pymupdf.open(installation) as whole, pymupdf.open() as short:
        for page in pages:
            short.insert_pdf(whole, from_page=page, to_page=page)
        entries = [(heading, number - 1) for _, heading, number in whole.get_toc()]
        short.set_toc([[1, said, pages.index(at) + 1] for said, at in entries if at in pages])
        if title:
            short.set_metadata({"title": title})
        short.save(path)
    return path
