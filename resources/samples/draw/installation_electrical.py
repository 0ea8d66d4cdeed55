"""Installation manual, chapter 4: cables, terminals, wiring diagram, jumpers, bus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .figure_board import draw_board, draw_bus
from .figure_wiring import draw_wiring
from .table import Table

if TYPE_CHECKING:
    from .manual import Manual

_TERMINALS: tuple[tuple[str, ...], ...] = (
    ("X1  Mains supply",),
    ("X1:1", "L1", "400 V AC", "brown", "Through Q1 to both drives"),
    ("X1:2", "L2", "400 V AC", "black", "Through Q1 to both drives"),
    ("X1:3", "L3", "400 V AC", "grey", "Through Q1 to both drives"),
    ("X1:4", "N", "0 V", "blue", "Supplies the CU-20; must be connected"),
    ("X1:PE", "PE", "-", "green-yellow", "M8 stud beside the strip"),
    ("X2  Pump motors",),
    ("X2:1 to X2:3", "P1 U V W", "0 to 400 V", "black 1 2 3", "Output of drive U1"),
    ("X2:4 to X2:6", "P2 U V W", "0 to 400 V", "black 1 2 3", "Output of drive U2"),
    ("X2:PE", "PE", "-", "green-yellow", "Shield clamps for both cables"),
    ("X3  Motor temperature",),
    ("X3:1, X3:2", "PTC P1", "2.5 V", "white, brown", "Bridge when not used"),
    ("X3:3, X3:4", "PTC P2", "2.5 V", "white, brown", "Bridge when not used"),
    ("X4  24 V circuits",),
    ("X4:1", "G2 +", "24 V DC", "red", "External battery, fuse 6 A in the battery box"),
    ("X4:2", "G2 -", "0 V", "black", "External battery"),
    ("X4:3", "+24 V", "24 V DC", "-", "Auxiliary output, at most 200 mA"),
    ("X4:4", "0 V", "0 V", "-", "Auxiliary output"),
    ("X5  Pressure transmitters",),
    ("X5:1", "B1 +", "24 V DC", "brown", "Loop supply, discharge pressure"),
    ("X5:2", "B1 signal", "4 to 20 mA", "green", "Range 0 to 16 bar"),
    ("X5:3", "B1 shield", "-", "braid", "Connect at this end only"),
    ("X5:4", "B2 +", "24 V DC", "brown", "Loop supply, inlet pressure"),
    ("X5:5", "B2 signal", "4 to 20 mA", "green", "Range 0 to 10 bar"),
    ("X5:6", "B2 shield", "-", "braid", "Connect at this end only"),
    ("X6  RS-485",),
    ("X6:1", "A (+)", "±5 V", "white", "Modbus RTU"),
    ("X6:2", "B (-)", "±5 V", "brown", "Modbus RTU"),
    ("X6:3", "GND", "0 V", "green", "Reference, isolated from X4"),
    ("X6:4", "Shield", "-", "braid", "Through 1 nF to PE"),
    ("X7  Digital inputs, 24 V, closed in normal state",),
    ("X7:1, X7:2", "S-130", "24 V DC", "-", "Dry-run float switch"),
    ("X7:3, X7:4", "S-110", "24 V DC", "-", "External off; bridged when delivered"),
    ("X7:5, X7:6", "S-140", "24 V DC", "-", "Flow switch"),
    ("X7:7, X7:8", "spare", "24 V DC", "-", "Not evaluated"),
    ("X8  Relay outputs",),
    ("X8:1", "K1 COM", "230 V, 2 A", "-", "Collective fault"),
    ("X8:2", "K1 NO", "230 V, 2 A", "-", "Closed while there is no fault"),
    ("X8:3", "K1 NC", "230 V, 2 A", "-", "Closed in fault and without power"),
    ("X8:4", "K2 COM", "230 V, 2 A", "-", "Run message, function in Menu 53"),
    ("X8:5", "K2 NO", "230 V, 2 A", "-", "Closed while a pump runs"),
)


def write_electrical(m: Manual) -> None:
    """Chapter 4."""
    m.chapter("4", "Electrical installation")
    m.section("4.1 Before you connect")
    m.notice(
        "DANGER",
        "Electric shock. Isolate the supply cable at the distribution board, secure it against "
        "switching on, and check all poles before you open the cabinet A1.",
    )
    m.bullets(
        (
            "Lead all cables through the gland plate at the bottom; never drill the roof of the "
            "cabinet.",
            "Keep signal cables at least 200 mm away from motor cables.",
            "Motor cables must be shielded; the shield lies on the clamp below X2 over its full "
            "width.",
        )
    )
    m.section("4.2 Cables")
    m.table(
        "Cables",
        Table(
            ("Cable", "From - to", "Type", "Longest", "Gland"),
            (0.7, 2.3, 2.4, 0.9, 0.8),
            (
                ("W1", "Distribution board - X1", "5 × 4 mm², NYY-J", "60 m", "M32"),
                (
                    "W2",
                    "X2 and X3 - motors P1, P2",
                    "4 × 2.5 + 2 × 0.75 mm², shielded",
                    "25 m",
                    "M25",
                ),
                ("W3", "X5 - transmitters B1, B2", "2 × 2 × 0.5 mm², shielded", "50 m", "M16"),
                ("W4", "X6 - building management", "3 × 0.5 mm², twisted, 120 Ω", "800 m", "M16"),
                ("W5", "X7 - S-130, S-110, S-140", "7 × 0.75 mm²", "100 m", "M20"),
                ("W6", "X4 - external battery G2", "2 × 2.5 mm²", "5 m", "M16"),
                ("W7", "X8 - fault and run message", "5 × 1.0 mm²", "200 m", "M20"),
            ),
        ),
    )
    m.section("4.3 Torques of terminals")
    m.table(
        "Tightening torques of electrical terminals",
        Table(
            ("Terminal", "Screw", "Torque", "Strip length"),
            (2.4, 1.4, 1.2, 1.2),
            (
                ("X1:1 to X1:4", "PZ 2", "1.8 Nm", "12 mm"),
                ("X2:1 to X2:6", "PZ 2", "1.2 Nm", "10 mm"),
                ("X3 to X8", "Slot 3.5 mm", "0.5 Nm", "8 mm"),
                ("PE stud", "M8 nut", "6 Nm", "Ring lug"),
                ("Motor terminal board", "M5 nut", "2.5 Nm", "Ring lug"),
            ),
            look="open",
        ),
    )
    m.section("4.4 Terminal assignment")
    m.text(
        "Table 4-3 lists all terminals of the cabinet. Digital inputs are closed in the normal "
        "state, so a broken wire stops the pumps."
    )
    m.table(
        "Terminal assignment of the cabinet A1",
        Table(
            ("Terminal", "Signal", "Level", "Colour", "Use and remarks"),
            (1.15, 1.0, 1.0, 1.1, 2.7),
            _TERMINALS,
        ),
    )
    m.section("4.5 Connecting the mains")
    m.steps(
        (
            "Check the phase sequence at the distribution board: clockwise field, L1 - L2 - L3.",
            "Strip cable W1 over 140 mm and lead it through gland M32.",
            "Connect PE first: ring lug on the M8 stud, 6 Nm.",
            "Connect L1, L2, L3 to X1:1, X1:2, X1:3 and N to X1:4, 1.8 Nm.",
            "Pull every wire by hand. Close the gland.",
        )
    )
    m.section("4.6 Connecting the pressure transmitters")
    m.text(
        "B1 and B2 are two-wire transmitters with 4 to 20 mA. At 0 bar the current is 4.0 mA; at "
        "the upper end of the range it is 20.0 mA. The CU-20 reports a broken wire below 3.6 mA "
        "and a short circuit above 21 mA."
    )
    m.notice(
        "CAUTION",
        "Never apply 24 V to X5:2 or X5:5. The input resistor of 50 Ω burns within a second and "
        "the board must be replaced.",
    )
    m.page("turned")
    m.section("4.7 Wiring diagram")
    m.figure("Wiring diagram of the cabinet A1 with field devices", 350, draw_wiring)
    m.text(
        "Wires drawn in red carry the +24 V loop supply. Dashed lines are cable shields. Bridge "
        "X7:3 to X7:4 when no external off switch S-110 is fitted."
    )
    m.page()
    m.section("4.8 Jumpers on the CU-20", 260)
    m.figure("Position of the jumpers on the CU-20 board, seen from the front", 176, draw_board)
    m.table(
        "Jumpers",
        Table(
            ("Jumper", "Closed", "Open", "Delivered"),
            (0.8, 2.5, 2.5, 0.9),
            (
                ("J3", "B1 is supplied by the CU-20", "B1 has its own supply", "closed"),
                ("J5", "B2 is supplied by the CU-20", "B2 has its own supply", "closed"),
                ("J7", "RS-485 terminated with 120 Ω", "No termination", "open"),
                ("J9", "Menus 61 to 64 are locked", "Menus 61 to 64 can be changed", "open"),
            ),
        ),
    )
    m.section("4.9 RS-485 bus", 190)
    m.text(
        "Up to 31 stations share one line. Close jumper **J7** on the last station only and open "
        "it on all others; the master terminates the other end. Factory settings are address 17, "
        "19 200 baud, 8 data bits, even parity, 1 stop bit."
    )
    m.figure("RS-485 line with three stations", 108, draw_bus)
    m.table(
        "Modbus holding registers",
        Table(
            ("Register", "Content", "Unit", "Access"),
            (1, 3.2, 1, 1),
            (
                ("40001", "Discharge pressure B1", "0.01 bar", "read"),
                ("40002", "Inlet pressure B2", "0.01 bar", "read"),
                ("40005", "Speed of P1", "0.1 %", "read"),
                ("40006", "Speed of P2", "0.1 %", "read"),
                ("40010", "Setpoint", "0.01 bar", "read, write"),
                ("40015", "Active fault code, 0 for none", "-", "read"),
                ("40021", "Voltage of battery G1", "0.01 V", "read"),
            ),
            look="banded",
        ),
    )
    m.section("4.10 External battery G2")
    m.text(
        "The external battery pack G2 (24 V, 18 Ah) keeps the CU-20, the transmitters and the bus "
        "alive for at least 30 hours. It does not drive the pumps."
    )
    m.steps(
        (
            "Fix the battery box beside the cabinet, at most 5 m of cable away.",
            "Take the 6 A fuse out of the battery box.",
            "Connect the red wire to X4:1 and the black wire to X4:2.",
            "Insert the fuse. Menu 41 shows **G2 present** within 10 seconds.",
        )
    )
