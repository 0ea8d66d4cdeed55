"""Installation manual, chapter 6 and annex A: faults at the first start, accessories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .table import Table

if TYPE_CHECKING:
    from .manual import Manual


def write_faults(m: Manual) -> None:
    """Chapter 6."""
    m.chapter("6", "Faults during installation")
    m.section("6.1 What to check first")
    m.text(
        "Most faults at the first start come from wiring. The complete list of fault codes is in "
        "chapter 7 of the operator manual."
    )
    m.table(
        "Faults during the first start",
        Table(
            ("What you see", "Likely cause", "Remedy"),
            (2.0, 2.2, 2.8),
            (
                (
                    "Display stays dark",
                    "N missing at X1:4, or fuse F3 blown",
                    "Measure 230 V between X1:1 and X1:4. Replace F3 (T 2 A).",
                ),
                (
                    "E03 right after start",
                    "B1 not connected, or J3 open",
                    "Measure the loop: 4.0 mA at 0 bar. Close J3.",
                ),
                (
                    "E09 or E10, motor cold",
                    "PTC not connected",
                    "Connect the PTC or bridge X3:1-X3:2 and X3:3-X3:4.",
                ),
                (
                    "E17 and no pump starts",
                    "Input S-110 open",
                    "Bridge X7:3 to X7:4 when no switch is fitted.",
                ),
                (
                    "Pump runs, no pressure",
                    "Wrong direction of rotation",
                    "Run Menu 63. Swap two phases at X2.",
                ),
                (
                    "Pressure swings by more than 0.5 bar",
                    "B1 too close to a non-return valve",
                    "Move B1 to at least 300 mm behind the valve.",
                ),
                (
                    "Many starts in short time",
                    "Pre-charge of V1 lost or wrong",
                    "Set the pre-charge as in section 3.5.",
                ),
                (
                    "No answer on the bus",
                    "A and B swapped, wrong address",
                    "Swap X6:1 and X6:2. Check Menu 51 and Menu 52.",
                ),
            ),
        ),
    )
    m.section("6.2 Measuring a transmitter loop")
    m.steps(
        (
            "Disconnect the wire from X5:2 (B1) or X5:5 (B2).",
            "Connect a milliammeter between the wire and the terminal.",
            "Compare the current with Table 6-2. A deviation of 0.2 mA is permitted.",
        )
    )
    m.table(
        "Loop current and pressure",
        Table(
            ("Current", "B1, range 16 bar", "B2, range 10 bar"),
            (1, 1.4, 1.4),
            (
                ("4.0 mA", "0 bar", "0 bar"),
                ("8.0 mA", "4.0 bar", "2.5 bar"),
                ("12.0 mA", "8.0 bar", "5.0 bar"),
                ("16.0 mA", "12.0 bar", "7.5 bar"),
                ("20.0 mA", "16.0 bar", "10.0 bar"),
            ),
            look="open",
        ),
    )
    m.section("6.3 Taking the station out of service")
    m.steps(
        (
            "Set both selectors to 0, open Q1 and lock it. Wait 5 minutes.",
            "Take the fuse out of the battery box of G2 and pull the plug of G1.",
            "Close HV1 to HV4 and drain the station through DV1.",
        )
    )


def write_accessories(m: Manual) -> None:
    """Annex A."""
    m.chapter("A", "Accessories and assembly kits")
    m.section("A.1 Kits for the installer")
    m.table(
        "Assembly kits",
        Table(
            ("Part number", "Kit", "Content"),
            (1.1, 2.2, 3.4),
            (
                ("72-5001", "Flange kit DN 80", "2 gaskets EPDM, 8 bolts M16 × 70, nuts, washers"),
                ("72-5002", "Flange kit DN 65", "2 gaskets EPDM, 8 bolts M16 × 65, nuts, washers"),
                ("72-5010", "Anchor kit", "4 anchors M12 × 110, drill template"),
                ("72-5021", "Expansion joint DN 80", "Bellows EPDM, length 130 mm, PN 16"),
                ("72-5022", "Expansion joint DN 65", "Bellows EPDM, length 115 mm, PN 16"),
                (
                    "72-5035",
                    "External battery box G2",
                    "2 batteries 12 V 18 Ah, fuse 6 A, cable 5 m",
                ),
                ("72-5040", "Cable set for break tank", "Float switch S-130 with 10 m of cable"),
                ("72-5052", "Bus termination kit", "Plug with 120 Ω for lines without jumper J7"),
            ),
            look="banded",
        ),
    )
    m.section("A.2 Declaration of materials")
    m.text(
        "All parts in contact with water are of stainless steel 1.4301, EPDM or lead-free brass. "
        "The base frame is of galvanised steel."
    )
