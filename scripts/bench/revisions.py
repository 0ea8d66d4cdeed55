"""Find known changes between two revisions of a sample manual that is drawn for it.

The new revision is drawn with a list of changes (`PLAN`) on other paper, in other sizes; a second
one says the same as the old one and is only set in another way: nothing of it may be reported.
A change is found if one of its kind is reported with the words or amounts that it is about.
"""

from __future__ import annotations

import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.core.evaluation.figures import Figure

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from desktop.core.revisions.changes import Change, Comparison, Group, Verb

BASELINE = "the list of changes that the new revision was drawn with"
Call = tuple[str, tuple[Any, ...], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Planned:
    """A change. old, new: words of each side; of a value the amounts."""

    group: Group
    verb: Verb
    old: str
    new: str
    edit: Callable[[list[Call]], None]


def _deep(value: Any, old: str, new: str) -> Any:
    if isinstance(value, str):
        return value.replace(old, new)
    if isinstance(value, tuple):
        return tuple(_deep(each, old, new) for each in value)
    if hasattr(value, "content"):
        return replace(
            value, columns=_deep(value.columns, old, new), content=_deep(value.content, old, new)
        )
    return value


def _said(given: tuple[Any, ...]) -> str:
    return repr(
        [(each.columns, each.content) if hasattr(each, "content") else each for each in given]
    )


def swap(old: str, new: str, within: str = "") -> Callable[[list[Call]], None]:
    """Write something else in place of words. within: words of the call, if they are not unique."""

    def edit(calls: list[Call]) -> None:
        for index, (name, given, named) in enumerate(calls):
            if (within or old) in _said(given) and old in _said(given):
                calls[index] = (name, _deep(given, old, new), named)
                return
        raise LookupError(old)

    return edit


def row(table: str, after: str, *cells: str) -> Callable[[list[Call]], None]:
    """Add a row to a table below the one that begins with `after`; without cells remove that."""

    def edit(calls: list[Call]) -> None:
        for index, (name, given, named) in enumerate(calls):
            if name == "table" and given[0] == table:
                rows = list(given[1].content)
                at = next(n for n, each in enumerate(rows) if each[0] == after)
                rows[at + 1 : at + 1] = [cells] if cells else []
                if not cells:
                    del rows[at]
                calls[index] = (name, (table, replace(given[1], content=tuple(rows))), named)
                return
        raise LookupError(table)

    return edit


def items(beginning: str, change: Callable[[list[str]], object]) -> Callable[[list[Call]], None]:
    """Change the list of steps or bullets whose first one begins so."""

    def edit(calls: list[Call]) -> None:
        for index, (name, given, named) in enumerate(calls):
            if name in ("steps", "bullets") and given[0][0].startswith(beginning):
                listed = list(given[0])
                change(listed)
                calls[index] = (name, (tuple(listed),), named)
                return
        raise LookupError(beginning)

    return edit


def call(after: str, *made: Call) -> Callable[[list[Call]], None]:
    """Set something below what holds these words."""

    def edit(calls: list[Call]) -> None:
        at = next(n for n, each in enumerate(calls) if after in _said(each[1]))
        calls[at + 1 : at + 1] = made

    return edit


def drop(holding: str, count: int = 1) -> Callable[[list[Call]], None]:
    """Leave out what holds these words, and as many after it as make `count`."""

    def edit(calls: list[Call]) -> None:
        at = next(n for n, each in enumerate(calls) if holding in _said(each[1]))
        del calls[at : at + count]

    return edit


def move(holding: str, count: int, before: str) -> Callable[[list[Call]], None]:
    """Set a passage before what holds other words."""

    def edit(calls: list[Call]) -> None:
        at = next(n for n, each in enumerate(calls) if holding in _said(each[1]))
        passage = calls[at : at + count]
        del calls[at : at + count]
        goal = next(n for n, each in enumerate(calls) if before in _said(each[1]))
        calls[goal:goal] = passage

    return edit


def value(old: str, new: str, before: str, after: str, within: str = "") -> Planned:
    """An amount that changed; before, after: with the words that make it the only one."""
    return Planned("value", "changed", old, new, swap(before, after, within))


def _reorder(first: int, goal: int) -> Callable[[list[str]], None]:
    return lambda listed: listed.insert(goal, listed.pop(first))


PLAN: tuple[Planned, ...] = (
    # values in tables
    value("72 m", "74 m", "72 m", "74 m"),
    value("18 mA", "30 mA", "below 18 mA", "below 30 mA"),
    value("238 kg", "246 kg", "238 kg", "246 kg"),
    value("90 Nm", "95 Nm", "90 Nm", "95 Nm"),
    value("12 Nm", "14 Nm", "12 Nm", "14 Nm", "Plug of the vent"),
    value("1.2 Nm", "1.5 Nm", "1.2 Nm", "1.5 Nm"),
    value("50 m", "40 m", "50 m", "40 m", "W3"),
    value("45 s", "60 s", "45 s", "60 s", "Menu 34"),
    value("15", "12", "at most 15 per hour", "at most 12 per hour"),
    # values in sentences
    value("500 kg/m2", "750 kg/m2", "500 kg/m²", "750 kg/m²"),
    value("31", "63", "Up to 31 stations", "Up to 63 stations"),
    value("30 hours", "36 hours", "at least 30 hours", "at least 36 hours"),
    value("3.6 mA", "3.8 mA", "below 3.6 mA", "below 3.8 mA"),
    value("0.4 m3/h", "0.6 m3/h", "below 0.4 m³/h", "below 0.6 m³/h"),
    # values in steps
    value("10 minutes", "15 minutes", "10 minutes**", "15 minutes**"),
    value("140 mm", "160 mm", "over 140 mm", "over 160 mm"),
    value("20 seconds", "30 seconds", "within 20 seconds", "within 30 seconds"),
    # steps
    Planned(
        "step",
        "added",
        "",
        "slings are free of damage",
        items(
            "Bring the station",
            lambda listed: listed.insert(
                2, "Check that the slings are free of damage before each lift."
            ),
        ),
    ),
    Planned(
        "step",
        "added",
        "",
        "Photograph the finished wiring",
        items(
            "Check the phase",
            lambda listed: listed.append("Photograph the finished wiring for the station file."),
        ),
    ),
    Planned(
        "step",
        "added",
        "",
        "Switch off Q1 before",
        items(
            "Disconnect the wire",
            lambda listed: listed.insert(0, "Switch off Q1 before you disconnect the wire."),
        ),
    ),
    Planned(
        "step",
        "removed",
        "Close jumper J9",
        "",
        items(
            "Set both pump selectors",
            lambda listed: listed.remove("Close jumper J9 to lock the service menus."),
        ),
    ),
    Planned(
        "step",
        "removed",
        "Tighten all joints",
        "",
        items(
            "Flush the pipes",
            lambda listed: listed.remove("Tighten all joints with the torques of Table 3-1."),
        ),
    ),
    Planned("step", "reordered", "", "", items("Fix the battery box", _reorder(0, 1))),
    Planned("step", "reordered", "", "", items("Close HV3 and HV4. Open HV5", _reorder(2, 3))),
    Planned(
        "step",
        "changed",
        "nitrogen or dry air",
        "nitrogen only",
        swap("Use nitrogen or dry air.", "Use nitrogen only."),
    ),
    Planned(
        "step",
        "changed",
        "drain the station through",
        "drain the station completely",
        swap("drain the station through", "drain the station completely through"),
    ),
    # warnings
    Planned(
        "warning",
        "added",
        "",
        "Pipes may burst",
        call(
            "Support the pipes",
            (
                "notice",
                ("WARNING", "Pipes may burst when they freeze. Drain them before winter."),
                {},
            ),
        ),
    ),
    Planned("warning", "removed", "Motor housings reach", "", drop("Motor housings reach")),
    Planned(
        "warning",
        "changed",
        "5 minutes",
        "10 minutes",
        swap("5 minutes", "10 minutes", "lethal voltage"),
    ),
    Planned(
        "warning",
        "changed",
        "Fit B1 at least",
        "Fit B1 at least",
        swap("CAUTION", "WARNING", "Fit B1 at least"),
    ),
    Planned(
        "warning",
        "changed",
        "check all poles",
        "two-pole tester",
        swap("check all poles", "check all poles with a two-pole tester"),
    ),
    Planned(
        "warning",
        "changed",
        "Vent both pumps",
        "and the manifold",
        swap("Vent both pumps.", "Vent both pumps and the manifold."),
    ),
    Planned(
        "warning",
        "added",
        "",
        "a third resistor",
        call(
            "Up to",
            (
                "notice",
                (
                    "CAUTION",
                    "Terminate the line at its ends only; a third resistor disturbs all stations.",
                ),
                {},
            ),
        ),
    ),
    # rows
    Planned(
        "table",
        "added",
        "",
        "Door contact",
        row(
            "Terminal assignment of the cabinet A1",
            "X7:7, X7:8",
            "X7:9, X7:10",
            "S-150",
            "24 V DC",
            "-",
            "Door contact of the cabinet",
        ),
    ),
    Planned("table", "removed", "72-5052", "", row("Assembly kits", "72-5052")),
    Planned(
        "table",
        "added",
        "",
        "Filter mat",
        row(
            "Faults during the first start",
            "Many starts in short time",
            "Fan of the cabinet is loud",
            "Filter mat clogged",
            "Replace the filter mat.",
        ),
    ),
    Planned(
        "table",
        "changed",
        "with paddle",
        "thermal",
        swap("Flow switch with paddle", "Flow switch, thermal"),
    ),
    Planned(
        "table",
        "removed",
        "Temperature in the cabinet",
        "",
        row("Limits during the trial run", "Temperature in the cabinet"),
    ),
    Planned(
        "table",
        "changed",
        "isolated from X4",
        "connected with X4",
        swap("isolated from X4", "connected with X4"),
    ),
    Planned(
        "table",
        "added",
        "",
        "battery G2",
        row(
            "Modbus holding registers", "40021", "40022", "Voltage of battery G2", "0.01 V", "read"
        ),
    ),
    Planned(
        "table", "removed", "Sound pressure", "", row("Technical data", "Sound pressure level")
    ),
    Planned("table", "changed", "Access", "Rights", swap("Access", "Rights", "Modbus")),
    # text
    Planned(
        "text",
        "added",
        "",
        "Send a copy of the filled",
        call(
            "Explain the front panel",
            ("text", ("Send a copy of the filled checklist to Lydmoor Pumpworks.",), {}),
        ),
    ),
    Planned("text", "removed", "Dashed lines", "", swap("Dashed lines are cable shields. ", "")),
    Planned(
        "text",
        "changed",
        "rise towards",
        "rise steadily",
        swap("must rise towards", "must rise steadily towards"),
    ),
    Planned(
        "text",
        "added",
        "",
        "Daylight or a lamp",
        items(
            "Level concrete",
            lambda listed: listed.insert(2, "Daylight or a lamp above the cabinet."),
        ),
    ),
    Planned(
        "text",
        "removed",
        "Keep signal cables",
        "",
        items("Lead all cables", lambda listed: listed.pop(1)),
    ),
    Planned(
        "text",
        "added",
        "",
        "Store the station dry",
        call(
            "Type code, example",
            ("section", ("2.5 Transport and storage",), {}),
            (
                "text",
                (
                    "Store the station dry and free of frost. Turn the shafts by hand every "
                    "three months.",
                ),
                {},
            ),
        ),
    ),
    Planned("text", "removed", "stainless steel 1.4301", "", drop("Declaration of materials", 2)),
    # moved
    Planned(
        "moved",
        "moved",
        "Taking the station out",
        "Taking the station out",
        move("Taking the station out", 2, "Handover"),
    ),
    Planned("moved", "moved", "Type plate", "Type plate", move("Type plate", 3, "3.2 Dimensions")),
    Planned(
        "moved",
        "moved",
        "keeps running",
        "keeps running",
        move("keeps running from its backup", 1, "Fix the battery box"),
    ),
)
"""Written down before it was measured."""

UNCHANGED: tuple[Callable[[list[Call]], None], ...] = (
    swap("at most 200 mA", "at most 0.2 A"),
    swap("500 mm on all", "0.5 m on all"),
    swap("for 4 hours", "for 240 minutes"),
    swap("see Table 3-1", "see Table 3-2"),
    swap("in section 3.5", "in section 3.6", "as described"),
    swap("in section 3.5", "in section 3.6", "Many starts"),
    *(
        swap(f"{old} ", f"{new} ", f"{old} {title}")
        for old, new, title in (
            ("3.6", "3.7", "Hydraulic layout"),
            ("3.5", "3.6", "Setting the vessel"),
            ("3.4", "3.5", "Connecting the pipes"),
            ("3.3", "3.4", "Lifting"),
            ("3.2", "3.3", "Dimensions"),
            ("2.4", "3.2", "Type plate"),
            ("2.5", "2.4", "Transport"),
            ("5.6", "5.7", "Handover"),
            ("6.3", "5.6", "Taking the station"),
        )
    ),
)
"""What is written in another way and means the same: units, and numbers of sections and tables."""


OPERATOR_PLAN: tuple[Planned, ...] = (
    value("90 minutes", "75 minutes", "90 minutes", "75 minutes", "Fault relay K1"),
    Planned("value", "changed", "90 minutes", "75 minutes", lambda _: None),  # in a second row
    value("14 hours", "16 hours", "full again after 14 hours", "full again after 16 hours"),
    value("80 %", "90 %", "at least 80 %", "at least 90 %"),
    value("340 V", "330 V", "340 V", "330 V"),
    value("40", "30", "at most 40 per hour", "at most 30 per hour"),
    value("28", "24", "28 W", "24 W"),
    value("4000", "3500", "after 4000", "after 3500"),
    value("60 seconds", "90 seconds", "again after 60 seconds", "again after 90 seconds"),
    value("64 GB", "128 GB", "64 GB", "128 GB"),
    value("24 months", "36 months", "warranty of 24 months", "warranty of 36 months"),
    Planned(
        "step",
        "added",
        "",
        "Tell the persons in charge",
        items(
            "Leave the mains on",
            lambda listed: listed.insert(1, "Tell the persons in charge of the building."),
        ),
    ),
    Planned(
        "step",
        "removed",
        "Read the code in the display",
        "",
        items("Read the code", lambda listed: listed.pop(0)),
    ),
    Planned("step", "reordered", "", "", items("Pull the grille", _reorder(1, 2))),
    Planned(
        "step",
        "changed",
        "Torx T20",
        "slotted screw",
        swap("a screw of type Torx T20", "a slotted screw", "Leave the mains on"),
    ),
    Planned("warning", "changed", "72-2011", "72-2014", swap("72-2011", "72-2014", "explosion")),
    Planned("warning", "removed", "Hot surfaces", "", drop("Hot surfaces")),
    Planned(
        "warning",
        "added",
        "",
        "Acid may leak",
        call(
            "Take the old battery",
            ("notice", ("CAUTION", "Acid may leak from a damaged battery. Wear gloves."), {}),
        ),
    ),
    Planned("table", "removed", "E21", "", row("Alarm and fault codes", "E21")),
    Planned(
        "table",
        "added",
        "",
        "E25",
        row(
            "Alarm and fault codes",
            "E24",
            "E25",
            "Fan of the cabinet stands still",
            "Runs on",
            "Call the service",
        ),
    ),
    Planned(
        "table",
        "changed",
        "load the settings again",
        "from the stick",
        swap("load the settings again", "load the settings from the stick"),
    ),
    Planned(
        "text",
        "changed",
        "the other takes over",
        "the other one takes over",
        swap("the other takes over", "the other one takes over"),
    ),
    Planned("text", "removed", "Take the old battery", "", drop("Take the old battery")),
    Planned(
        "text",
        "added",
        "",
        "Keep this manual",
        call("You look after", ("text", ("Keep this manual beside the cabinet.",), {})),
    ),
    Planned(
        "moved",
        "moved",
        "Checking a mechanical seal",
        "Checking a mechanical seal",
        move("Checking a mechanical seal", 2, "Exporting the alarm log"),
    ),
)
"""Written down when nothing was changed any more because of the first list."""

OPERATOR_UNCHANGED = (
    swap("20 seconds", "20 s", "After the mains returns"),
    swap("10 minutes; check P1", "600 s; check P1"),
    *(
        swap(f"{old} ", f"{new} ", f"{old} {title}")
        for old, new, title in (
            ("6.5", "6.4", "Resetting"),
            ("6.6", "6.5", "What the service"),
            ("6.7", "6.6", "Maintenance record"),
            ("6.4", "4.3", "Checking a mechanical"),
            ("4.3", "4.4", "Exporting"),
        )
    ),
    swap("section 6.5", "section 6.4", "E23"),
)


class _Recorder:
    """Writes down what a chapter sets, instead of setting it."""

    def __init__(self) -> None:
        self.calls: list[Call] = []

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *given, **named: self.calls.append((name, given, named))


def _note_checklist(recorder: Any) -> None:
    recorder.calls.append(("checklist", (), {}))


def _installation() -> list[Call]:
    """Return what the installation manual sets after its contents page, in order."""
    from resources.samples.draw import (
        installation_commissioning,
        installation_electrical,
        installation_mechanical,
        installation_reference,
    )

    recorder = _Recorder()
    manual: Any = recorder
    commissioning: Any = installation_commissioning
    checklist = commissioning._draw_checklist
    commissioning._draw_checklist = _note_checklist
    try:
        installation_mechanical.write_safety(manual)
        installation_mechanical.write_description(manual)
        installation_mechanical.write_mechanical(manual)
        installation_electrical.write_electrical(manual)
        installation_commissioning.write_commissioning(manual)
        installation_reference.write_faults(manual)
        installation_reference.write_accessories(manual)
    finally:
        commissioning._draw_checklist = checklist
    return recorder.calls


def _operator() -> list[Call]:
    """Return what the operator manual sets after its contents page, in order."""
    from resources.samples.draw import (
        operation_daily,
        operation_menus,
        operation_reference,
        operation_service,
    )

    recorder = _Recorder()
    manual: Any = recorder
    operation_daily.write_about(manual)
    operation_daily.write_panel(manual)
    operation_daily.write_daily_use(manual)
    operation_menus.write_menus(manual)
    operation_service.write_battery(manual)
    operation_service.write_maintenance(manual)
    operation_reference.write_faults(manual)
    operation_reference.write_data(manual)
    operation_reference.write_spare_parts(manual)
    operation_reference.write_german_summary(manual)
    return recorder.calls


@contextmanager
def _set_otherwise() -> Iterator[None]:
    """Draw on a narrower column with larger letters meanwhile."""
    from resources.samples.draw import manual, sheets, table, theme

    narrower = replace(theme.PORTRAIT, left=80.0, right=522.0, bottom=748.0)
    looks: tuple[tuple[Any, str, Any], ...] = (
        (manual, "BODY_SIZE", 10.4),
        (manual, "BODY_LEADING", 15.2),
        (table, "TABLE_SIZE", 9.0),
        (table, "TABLE_LEADING", 12.4),
        (sheets, "PORTRAIT", narrower),
    )
    kept = [getattr(module, name) for module, name, _ in looks]
    for module, name, other in looks:
        setattr(module, name, other)
    try:
        yield
    finally:
        for (module, name, _), before in zip(looks, kept, strict=True):
            setattr(module, name, before)


@dataclass(frozen=True, slots=True)
class Sample:
    """A manual with the list of changes that its new revision is drawn with."""

    name: str
    set: Callable[[], list[Call]]
    plan: tuple[Planned, ...]
    unchanged: tuple[Callable[[list[Call]], None], ...]


SAMPLES = (
    Sample("installation", _installation, PLAN, UNCHANGED),
    Sample("operator", _operator, OPERATOR_PLAN, OPERATOR_UNCHANGED),
)


def draw(sample: Sample, calls: Sequence[Call], edition: str, path: Path) -> Path:
    """Draw a revision of a manual from what its chapters set."""
    from resources.samples.draw.front_matter import draw_contents, draw_cover
    from resources.samples.draw.identity import INSTALLATION, OPERATION
    from resources.samples.draw.installation_commissioning import _draw_checklist
    from resources.samples.draw.manual import Manual

    identity = INSTALLATION if sample.name == "installation" else OPERATION
    manual = Manual(replace(identity, edition=edition, file_name=path.name))
    draw_cover(manual)
    contents = manual.page()
    for name, given, named in calls:
        if name == "checklist":
            _draw_checklist(manual)
        else:
            getattr(manual, name)(*given, **named)
    draw_contents(manual, contents)
    manual.finish()
    manual.document.save(path, garbage=4, deflate=True)
    return path


def draw_revisions(sample: Sample, folder: Path) -> tuple[Path, Path, Path]:
    """Draw the old revision, the changed one and the one that is only set in another way."""
    old = draw(sample, sample.set(), "Edition 3, March 2026", folder / f"{sample.name}_3.pdf")
    calls = sample.set()
    for edit in (*(planned.edit for planned in sample.plan), *sample.unchanged):
        edit(calls)
    with _set_otherwise():
        new = draw(sample, calls, "Edition 4, June 2026", folder / f"{sample.name}_4.pdf")
        same = draw(sample, sample.set(), "Edition 5, July 2026", folder / f"{sample.name}_5.pdf")
    return old, new, same


def compared(files: Sequence[Path], folder: Path) -> list[tuple[Comparison, float]]:
    """Compare each further file with the first; returns seconds as well."""
    from desktop import app
    from desktop.core.jobs import CancelToken
    from desktop.core.revisions.changes import compare

    workspace = app.open_workspace(folder)
    try:
        workspace.ingestion.enqueue(files)
        for _ in workspace.ingestion.run(CancelToken()):
            pass
        ids = {each.name: each.id for each in workspace.library.documents()}
        found = []
        for other in files[1:]:
            pair = ids[files[0].name], ids[other.name]
            start = time.perf_counter()
            comparison = compare(workspace.database, workspace.library, *pair, CancelToken())
            found.append((comparison, time.perf_counter() - start))
        return found
    finally:
        workspace.close()


def is_found(planned: Planned, change: Change) -> bool:
    """Whether a reported change is the planned one."""
    if (planned.group, planned.verb) != (change.group, change.verb):
        return False
    if planned.group == "value":
        return any(
            planned.old in before and planned.new in after for before, after in change.values
        )
    texts = (change.old.text if change.old else "", change.new.text if change.new else "")
    return planned.old in texts[0] and planned.new in texts[1]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Where to keep what was drawn."""
    parser.add_argument("--folder", type=Path, help="keep the manuals and the library there")


def measure(options: argparse.Namespace) -> tuple[list[Figure], list[str]]:
    """Draw, take in, compare, count."""
    figures: list[Figure] = []
    details: list[str] = []
    with tempfile.TemporaryDirectory(prefix="groundwork-revisions-") as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for sample in SAMPLES:
            (changed, seconds), (same, _) = compared(
                draw_revisions(sample, folder), folder / "library"
            )
            missed, left = scored(sample.plan, changed)
            details += [f"missed: {each.group} {each.verb}: {each.new}" for each in missed]
            details += [f"not planned: {_line(each)}" for each in left]
            details += [f"only set otherwise: {_line(each)}" for each in same.changes]
            count = len(sample.plan)
            told = {
                f"changes found, of {count}": float(count - len(missed)),
                "reported, not planned": float(len(left)),
                "reported of one that is only set otherwise": float(len(same.changes)),
                "seconds to compare": round(seconds, 2),
            }
            figures += [
                Figure(name=f"{sample.name} manual: {name}", value=figure)
                for name, figure in told.items()
            ]
    return figures, details


def scored(plan: Sequence[Planned], comparison: Comparison) -> tuple[list[Planned], list[Change]]:
    """Return what was missed, and what was reported and not planned."""
    left = list(comparison.changes)
    missed = []
    seen: list[Change] = []  # one may tell of two amounts of a passage
    for planned in plan:
        found = next((each for each in left if is_found(planned, each)), None)
        if found is None and not any(is_found(planned, each) for each in seen):
            missed.append(planned)
        elif found is not None:
            left.remove(found)
            seen.append(found)
    return missed, left


def _line(change: Change) -> str:
    sides = " -> ".join(side.text[:90] for side in change.sides)
    return f"{change.group} {change.verb} {change.values or ''} {sides}"
