"""Installation manual, chapters 1 to 3: safety, the station, placing and piping it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .figure_hydraulics import draw_hydraulics
from .figure_station import draw_dimensions, draw_station_with_callouts
from .table import Table

if TYPE_CHECKING:
    from .manual import Manual


def write_safety(m: Manual) -> None:
    """Chapter 1."""
    m.chapter("1", "Safety")
    m.section("1.1 About this manual")
    m.text(
        "This manual is for the trained installer who sets up, wires and commissions the HX-200 "
        "booster pump station. Daily use, alarms and maintenance are described in the operator "
        "manual LP-HX200-OM-03. Hand both manuals to the operator when the work is finished."
    )
    m.section("1.2 Signal words")
    m.table(
        "Signal words used in this manual",
        Table(
            ("Word", "Meaning", "If ignored"),
            (1.1, 2.6, 2.2),
            (
                ("DANGER", "A hazard that is certain and immediate", "Death or severe injury"),
                ("WARNING", "A hazard that is possible", "Death or severe injury is possible"),
                ("CAUTION", "A hazard of lower risk", "Minor injury or damage to the station"),
                ("NOTE", "A hint for correct or easier work", "No hazard"),
            ),
        ),
    )
    m.section("1.3 Who may do the work")
    m.bullets(
        (
            "**Electrical work:** an electrician with proof of training for installations up to "
            "1000 V.",
            "**Pipework:** a licensed water installer. Drinking-water rules of the country apply.",
            "**Lifting:** a person trained for slings and floor cranes.",
        )
    )
    m.section("1.4 Dangers that remain")
    m.notice(
        "DANGER",
        "The drives U1 and U2 hold a lethal voltage after switching off. Open Q1, lock it, and "
        "wait at least **5 minutes** before you touch terminals X1 and X2. Measure that there is "
        "no voltage.",
    )
    m.notice(
        "WARNING",
        "The discharge side stays under pressure when the pumps stand still. Close HV3 and HV4 and "
        "open drain valve DV1 before you loosen a pipe or an instrument.",
    )
    m.notice(
        "CAUTION",
        "Motor housings reach 70 °C. Let the pumps cool for 30 minutes before you touch them.",
    )
    m.notice(
        "NOTE",
        "The control unit CU-20 keeps running from its backup battery G1 when the mains is off. "
        "A lit display therefore does not mean that the mains is on.",
    )


def write_description(m: Manual) -> None:
    """Chapter 2."""
    m.chapter("2", "Description and technical data")
    m.section("2.1 What the station does")
    m.text(
        "The HX-200 raises the pressure of drinking water in buildings of up to 18 floors. Two "
        "vertical multistage pumps draw from a break tank or from the town main and feed a common "
        "discharge manifold. Each pump has its own drive. The control unit CU-20 compares the "
        "discharge pressure, measured by transmitter B1, with the setpoint and changes the speed "
        "of the pumps until both agree. The second pump starts when the first has run above 96 % "
        "of its speed for 8 seconds."
    )
    m.section("2.2 Main parts", 290)
    m.figure("Main parts of the HX-200, front view", 236, draw_station_with_callouts)
    m.legend(
        (
            ("1", "Pump P1 with motor"),
            ("2", "Pump P2 with motor"),
            ("3", "Suction manifold DN 80"),
            ("4", "Discharge manifold DN 65"),
            ("5", "Diaphragm vessel V1, 25 litres"),
            ("6", "Pressure transmitter B1"),
            ("7", "Control cabinet A1 with CU-20"),
            ("8", "Mains switch Q1"),
            ("9", "Isolating valves HV3, HV4"),
            ("10", "Base frame with dampers"),
        )
    )
    m.section("2.3 Technical data")
    m.table(
        "Technical data",
        Table(
            ("Quantity", "Value", "Remark"),
            (2.3, 2.0, 2.6),
            (
                ("Hydraulics",),
                ("Flow, both pumps", "32 m³/h", "16 m³/h for each pump"),
                ("Largest delivery head", "72 m", "At zero flow"),
                ("Setpoint range", "2.0 to 8.0 bar", "Factory setting 4.5 bar"),
                ("Inlet pressure", "0.2 to 6.0 bar", "Measured by transmitter B2"),
                ("Highest working pressure", "16 bar", "PN 16 for all flanges"),
                ("Water temperature", "5 to 40 °C", "Clean water without solids"),
                ("Electrical",),
                ("Supply voltage", "3/N/PE 400 V ±10 %", "50 Hz"),
                ("Rated current of the station", "17.5 A", "Both pumps at full speed"),
                ("Rated motor power", "2 × 4.0 kW", "Efficiency class IE3, IP 55"),
                ("Backup fuse on site", "3 × 25 A gG", "Or circuit breaker C25"),
                ("Leakage current", "below 18 mA", "Residual-current device type B, 300 mA"),
                ("Cabinet protection", "IP 54", "With closed door"),
                ("Place and size",),
                ("Ambient temperature", "5 to 40 °C", "No direct sun"),
                ("Sound pressure level", "64 dB(A)", "At 1 m, one pump at 80 % speed"),
                ("Mass, empty", "238 kg", "Without break tank"),
                ("Length × depth × height", "1180 × 760 × 1420 mm", "See Figure 3-1"),
            ),
        ),
    )
    m.section("2.4 Type plate")
    m.text("The type plate is on the left side of the base frame. The type code reads as follows:")
    m.table(
        "Type code, example HX-200-2-4.0-B",
        Table(
            ("Part", "Meaning"),
            (1.2, 5),
            (
                ("HX-200", "Series"),
                ("2", "Number of pumps"),
                ("4.0", "Motor power of one pump in kW"),
                ("B", "Backup battery G1 fitted; N: without backup battery"),
            ),
            look="open",
        ),
    )


def write_mechanical(m: Manual) -> None:
    """Chapter 3."""
    m.chapter("3", "Mechanical installation")
    m.section("3.1 The plant room")
    m.bullets(
        (
            "Level concrete floor, load-bearing for at least 500 kg/m².",
            "Free space of 800 mm in front of the cabinet and 500 mm on all other sides.",
            "Floor drain for at least 3 litres per second.",
            "Frost-free and ventilated; the room must not exceed 40 °C.",
        )
    )
    m.section("3.2 Dimensions", 240)
    m.figure("Main dimensions in millimetres", 250, draw_dimensions)
    m.section("3.3 Lifting and placing")
    m.notice(
        "WARNING",
        "The centre of gravity lies high. Lift the station by the four eyes of the base frame "
        "only, never by the pumps or the manifolds. Keep people out of the area below.",
    )
    m.steps(
        (
            "Bring the station on its pallet to the plant room. Remove the film but keep the caps "
            "on the flanges.",
            "Fix slings with an angle of at most 60° to the four eyes.",
            "Place the station on the four rubber dampers. Correct unevenness of up to 4 mm with "
            "shims.",
            "Drill four holes of 12 mm and fix the frame with M12 anchors, see Table 3-1.",
            "Check with a spirit level: the slope must be less than 2 mm per metre.",
        )
    )
    m.section("3.4 Connecting the pipes")
    m.text(
        "Support the pipes so that no force acts on the flanges. Fit expansion joints within 0.5 m "
        "of both manifolds. The suction pipe must rise towards the pumps so that no air collects."
    )
    m.steps(
        (
            "Flush the pipes for at least **10 minutes** before you connect them.",
            "Bolt the suction pipe to the flange DN 80 and the discharge pipe to the flange DN 65. "
            "Use new gaskets.",
            "Connect drain valve DV1 to the floor drain with a free outlet of 20 mm.",
            "Hang float switch S-130 in the break tank. The switching point must be 150 mm above "
            "the outlet of the tank.",
            "Tighten all joints with the torques of Table 3-1.",
        )
    )
    m.table(
        "Tightening torques of mechanical joints",
        Table(
            ("Joint", "Thread", "Torque", "Tool"),
            (2.6, 1, 1, 1.6),
            (
                ("Flange bolts DN 65 and DN 80", "M16", "90 Nm", "Crosswise, in two rounds"),
                ("Floor anchors of the base frame", "M12", "45 Nm", "After 24 hours again"),
                ("Union of the vessel V1", "G 1", "35 Nm", "Hold against the valve VV1"),
                ("Pressure transmitters B1 and B2", "G 1/4", "18 Nm", "Flat gasket, no hemp"),
                ("Plug of the vent on the pump head", "G 3/8", "12 Nm", "Hand wrench"),
                ("Lid of the motor terminal box", "M5", "2.0 Nm", "Check the seal"),
            ),
        ),
    )
    m.section("3.5 Setting the vessel")
    m.steps(
        (
            "Close valve VV1 and empty the vessel V1 through its drain screw.",
            "Measure the pre-charge with a tyre gauge while the vessel is empty.",
            "Set the pre-charge to **0.7 times the setpoint**: 3.1 bar for the factory setpoint of "
            "4.5 bar. Use nitrogen or dry air.",
            "Close the drain screw, open VV1 and seal it in the open position.",
        )
    )
    m.page("cropped")
    m.section("3.6 Hydraulic layout")
    m.text(
        "Figure 3-2 shows the layout with a break tank. When the station is fed from the town "
        "main, the tank, float switch S-130 and valve HV5 are omitted and a pressure switch takes "
        "the place of S-130 at terminals X7:1 and X7:2."
    )
    m.figure("Hydraulic layout with break tank", 330, draw_hydraulics)
    m.text(
        "**B1** measures the discharge pressure, **B2** the inlet pressure. Flow switch **S-140** "
        "opens below 0.4 m³/h and lets the last pump stop after the stop delay of Menu 34."
    )
    m.notice(
        "CAUTION",
        "Fit B1 at least 300 mm behind the last non-return valve. Closer to the valve the signal "
        "swings and the pumps hunt.",
    )
    m.table(
        "Instruments",
        Table(
            ("Tag", "Instrument", "Place"),
            (0.9, 2.6, 3.4),
            (
                (
                    "B1",
                    "Transmitter 0 to 16 bar",
                    "Discharge manifold, behind the last non-return valve",
                ),
                ("B2", "Transmitter 0 to 10 bar", "Suction manifold, before HV1"),
                ("S-130", "Float switch", "Break tank T1"),
                ("S-140", "Flow switch with paddle", "Discharge manifold, before the vessel V1"),
            ),
            look="open",
        ),
    )
