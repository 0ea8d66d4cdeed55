"""Answerable questions on values, table rows and figures."""

from __future__ import annotations

from .question import Question, installation, operation

QUESTIONS: tuple[Question, ...] = (
    Question(
        "table",
        "How long does the internal battery test last and how often is it repeated?",
        "It lasts 2 minutes with a measurement every 6 seconds. (The external battery test lasts "
        "24 hours and repeats hourly.)",
        (
            operation(
                "5-1",
                "internal battery test lasts 2 minutes; the measurement is repeated "
                "every 6 seconds.",
            ),
            operation("5-1", "Internal battery test (G1) Menu 43 2 minutes every 6 seconds"),
        ),
        notes="the question of the demo",
    ),
    Question(
        "spec",
        "What is the highest working pressure of the HX-200?",
        "16 bar (PN 16 for all flanges).",
        (installation("2-2", "Highest working pressure 16 bar"),),
    ),
    Question(
        "spec",
        "Which backup fuse does the site have to provide for the station?",
        "3 x 25 A gG or a circuit breaker C25.",
        (installation("2-2", "Backup fuse on site 3 × 25 A gG"),),
    ),
    Question(
        "spec",
        "How far may an RS-485 line reach and how long may stubs be?",
        "At most 800 m, stubs not longer than 1 m.",
        (installation("4-5", "line of at most 800 m, no stubs longer than 1 m"),),
        notes="printed inside Figure 4-3",
    ),
    Question(
        "spec",
        "What pre-charge does the vessel V1 need at the factory setpoint?",
        "3.1 bar, 0.7 times the setpoint of 4.5 bar.",
        (
            installation(
                "3-2",
                "Set the pre-charge to 0.7 times the setpoint: 3.1 bar for the "
                "factory setpoint of 4.5 bar.",
            ),
        ),
    ),
    Question(
        "spec",
        "After which delay do the pumps start when the mains returns?",
        "After 20 seconds; the second pump 10 seconds later.",
        (operation("5-2", "After the mains returns the pumps start with a delay of 20 seconds,"),),
    ),
    Question(
        "spec",
        "How many starts per hour are allowed for one pump in operation?",
        "At most 40 per hour.",
        (operation("8-1", "Starts of one pump at most 40 per hour"),),
    ),
    Question(
        "spec",
        "How many drops per minute may a mechanical seal lose?",
        "Up to 20 drops per minute.",
        (operation("6-1", "Up to 20 drops per minute are permitted;"),),
    ),
    Question(
        "table",
        "What is the tightening torque for terminals X2:1 to X2:6?",
        "1.2 Nm.",
        (installation("4-1", "X2:1 to X2:6 PZ 2 1.2 Nm"),),
        notes="table without lines",
    ),
    Question(
        "table",
        "With which torque are the flange bolts DN 65 and DN 80 tightened?",
        "90 Nm, crosswise in two rounds.",
        (installation("3-2", "Flange bolts DN 65 and DN 80 M16 90 Nm"),),
    ),
    Question(
        "table",
        "What does jumper J9 do when it is closed?",
        "It locks menus 61 to 64.",
        (installation("4-5", "J9 Menus 61 to 64 are locked"),),
    ),
    Question(
        "table",
        "Which relay contact is closed in fault and without power?",
        "K1 NC at terminal X8:3.",
        (
            installation("4-3", "X8:3 K1 NC 230 V, 2 A"),
            installation("4-3", "Closed in fault and without power"),
        ),
        notes="on the second page of a table that runs over two pages",
    ),
    Question(
        "table",
        "Which Modbus register holds the voltage of battery G1?",
        "40021, in 0.01 V.",
        (installation("4-6", "40021 Voltage of battery G1"),),
        notes="on the second page of a table that runs over two pages",
    ),
    Question(
        "table",
        "What is the part number of the non-return valve cartridge?",
        "72-1085.",
        (operation("A-1", "72-1085 Non-return valve cartridge DN 50"),),
    ),
    Question(
        "table",
        "What can be set in Menu 53?",
        "The function of relay K2: pump runs, or warning, or mains present (access level 2).",
        (operation("4-2", "53 Relay K2 Pump runs, or warning, or mains present"),),
    ),
    Question(
        "figure",
        "Which terminals carry the wires of the flow switch S-140 on the wiring diagram?",
        "X7:5 and X7:6.",
        (installation("4-4", "S-140", "Figure 4-1"), installation("4-3", "X7:5, X7:6 S-140")),
        notes="rotated page; the table says it too",
    ),
    Question(
        "figure",
        "What do the red wires in the wiring diagram mean?",
        "They carry the +24 V loop supply.",
        (installation("4-4", "Wires drawn in red carry the +24 V loop supply.", "Figure 4-1"),),
        notes="rotated page",
    ),
    Question(
        "figure",
        "Which valve sits between the break tank and the suction manifold in the hydraulic layout?",
        "HV5, the tank outlet valve.",
        (installation("3-3", "HV5 tank outlet", "Figure 3-2"),),
        notes="page with an offset crop box",
    ),
    Question(
        "figure",
        "What is number 7 on the drawing of the front panel?",
        "The service socket (USB-C).",
        (operation("2-1", "7 Service socket (USB-C)", "Figure 2-1"),),
    ),
    Question(
        "figure",
        "Where is plug X9 in the battery bay, under which number?",
        "Number 2, beside the internal battery G1.",
        (operation("5-2", "2 Plug X9", "Figure 5-1"),),
    ),
    Question(
        "table",
        "Which insulation resistance was measured for motor P2 in the commissioning checklist?",
        "285 MΩ.",
        (installation("5-3", "Insulation resistance of motor P2 285 MΩ"),),
        notes="scanned page without a text layer",
    ),
)
