"""The manuals and the plates that reading nameplates is tried on."""

from __future__ import annotations

from tests.fakes.plates import DrawnPlate

MANUALS = {
    "Orwick CP-45 Circulation pump, Operating instructions": (
        "Read this manual before use. The circulation pump CP-45 is for heating water. Type CP-45,"
        " voltage 230 V, protection class IP44. Made in Germany.",
        "Fault E2: the rotor is blocked. Switch off, wait, then turn the shaft.",
    ),
    "Orwick CP-60 Circulation pump, Operating instructions": (
        "Read this manual before use. The circulation pump CP-60 is for heating water. Type CP-60,"
        " voltage 230 V, protection class IP44.",
        "Fault E2: the rotor is blocked. Switch off, wait, then turn the shaft.",
    ),
    "Delmar KT310 Screw compressor, Service manual": (
        "The screw compressor KT310 delivers 4.2 m3/min at 10 bar. Motor 30 kW, 400 V, IP55.",
        "Change the oil filter DF-881 every 2000 hours. Order the kit SK-310-A.",
    ),
    "Hartmann Regelgerät RG 7, Montageanleitung": (
        "Das Regelgerät RG 7 wird auf einer Hutschiene montiert. Versorgung 24 V, Schutzart IP20.",
        "Klemmen 1 und 2: Versorgung. Klemmen 3 und 4: Fühler PT1000.",
    ),
    "Ventrum FU 5500 Frequency inverter, Quick guide": (
        "The frequency inverter FU 5500 controls motors up to 5.5 kW. Supply 400 V, 50 Hz, IP20.",
        "Parameter P101: ramp time. Fault F07: overtemperature.",
    ),
}
HX, CP45, KT, RG, FU = "HX-200", "CP-45", "KT310", "RG 7", "FU 5500"

_HX = (
    ("Type", "HX-200"),
    ("Serial No.", "LP2604-00817"),
    ("Voltage", "3 x 400 V 50 Hz"),
    ("Max. pressure", "16 bar"),
    ("Year", "2026"),
)
_CP = (
    ("Model:", "CP-45"),
    ("S/N:", "77120345"),
    ("Supply:", "230 V 50 Hz"),
    ("Protection:", "IP44"),
)
_KT = (
    ("Modell", "KT310"),
    ("Fabr.-Nr.", "D 448-0919"),
    ("Nennleistung", "30 kW"),
    ("Betriebsdruck", "10 bar"),
    ("Baujahr", "2021"),
)
_RG = (
    ("Typ", "RG 7"),
    ("Serien-Nr.", "0045-2211"),
    ("Versorgung", "24 V DC"),
    ("Schutzart", "IP20"),
)
_FU = (
    ("Model", "FU 5500"),
    ("Serial", "VT90233187"),
    ("Input", "3 AC 400 V 50 Hz"),
    ("Output", "12.5 A"),
    ("IP", "IP20"),
)
_STRANGER = (
    ("Type", "QZ-918"),
    ("Serial No.", "A55-20931"),
    ("Voltage", "230 V 50 Hz"),
    ("Protection", "IP44"),
    ("Year", "2019"),
)

PLATES: dict[str, tuple[DrawnPlate, tuple[str, ...]]] = {
    "straight": (DrawnPlate("Lydmoor Pumpworks", _HX), (HX,)),
    "on its side": (DrawnPlate("Lydmoor Pumpworks", _HX, turned=90), (HX,)),
    "on its other side": (DrawnPlate("Lydmoor Pumpworks", _HX, turned=270), (HX,)),
    "on its head": (DrawnPlate("Lydmoor Pumpworks", _HX, turned=180), (HX,)),
    "a little askew": (DrawnPlate("Lydmoor Pumpworks", _HX, turned=6), (HX,)),
    "pale": (DrawnPlate("Lydmoor Pumpworks", _HX, contrast=0.22), (HX,)),
    "values below, leaning": (
        DrawnPlate("Orwick", _CP, beside=False, perspective=0.14),
        (CP45,),
    ),
    "noisy": (DrawnPlate("Orwick", _CP, noise=22), (CP45,)),
    "pale and noisy": (DrawnPlate("Orwick", _CP, contrast=0.3, noise=9, turned=-4), (CP45,)),
    "in German, shadow": (DrawnPlate("DELMAR", _KT, shadow=True), (KT,)),
    "leaning and askew": (DrawnPlate("DELMAR", _KT, perspective=0.1, turned=-5), (KT,)),
    "a short name": (DrawnPlate("Hartmann", _RG, beside=False), (RG,)),
    "a name in two words": (DrawnPlate("Ventrum", _FU, turned=3, noise=12), (FU,)),
    "a stranger": (DrawnPlate("Quenzel", _STRANGER), ()),
    "a stranger on its side": (DrawnPlate("Quenzel", _STRANGER, turned=90, noise=8), ()),
    "a stranger with a neighbour's ratings": (
        DrawnPlate(
            "Bolvik Motors",
            (("Motor", "3~ BM112"), ("No.", "55201"), ("kW", "5.5"), ("IP", "55"), ("V", "400")),
        ),
        (),
    ),
    "another model of a known maker": (
        DrawnPlate("DELMAR", (("Type", "WX840"), ("Serial No.", "D 1120"), ("kW", "22"))),
        (),
    ),
    "a maker of two, no model": (
        DrawnPlate("Orwick", (("Circulation pump", ""), ("Volt", "230"))),
        ("CP-45", "CP-60"),
    ),
    "an empty plate": (DrawnPlate("", ()), ()),
}
