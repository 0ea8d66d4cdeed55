"""Measure how fast manuals are taken in, beside what PyMuPDF alone takes for their text.

Usage: python scripts/bench_ingest.py [MANUAL] [--scan PDF] [--rounds N] [--text-only] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.app import open_workspace
from desktop.core.jobs import CancelToken
from desktop.core.library.values import PassProgress
from desktop.core.settings import Settings

if TYPE_CHECKING:
    from desktop.core.library.values import PassName
    from desktop.core.workspace import Workspace

BENCH = Path(__file__).resolve().parents[2] / "shared" / "bench" / "manuals"
MANUAL = BENCH / "uk_firmware.pdf"
SCAN = BENCH / "scan_imx233_olinuxino_micro.pdf"
SCANNED_PAGES = 4


@dataclass(frozen=True, slots=True)
class Span:
    """When a pass reported its first and its last pages, in seconds since the run began."""

    began: float
    ended: float
    first_pages: int
    pages: int


@dataclass(frozen=True, slots=True)
class Report:
    """The figures of one run; None where nothing was measured.

    text_seconds: from the start of the job (hash and copy of the file included) until every
    page is stored and can be found, parser running. text_speed: 1.0 is as fast as PyMuPDF
    alone. cold_seconds: the same from opening a new library, whose parser starts then.
    """

    manual: str
    pages: int
    bare_seconds: float
    text_seconds: float
    text_speed: float
    cold_seconds: float
    layout_pages_per_second: float | None = None
    vector_units_per_second: float | None = None
    ocr_seconds_per_page: float | None = None


def main() -> int:
    """Measure, print the table and, if wanted, write the JSON; returns the exit code."""
    arguments = _arguments()
    manual = arguments.manual.resolve()
    cold = _cold_seconds(manual)
    bare, text = [], []
    for _ in range(arguments.rounds):  # in turn, so that both meet the same machine
        bare.append(_bare_seconds(manual))
        text.append(_text_seconds(manual))
    layout, vectors = (None, None) if arguments.text_only else _layout_and_vectors(manual)
    scanned = None if arguments.text_only or not arguments.scan else _ocr_seconds(arguments.scan)
    report = Report(
        manual=manual.name,
        pages=_page_count(manual),
        bare_seconds=statistics.median(bare),
        text_seconds=statistics.median(text),
        text_speed=statistics.median(bare) / statistics.median(text),
        cold_seconds=cold,
        layout_pages_per_second=layout,
        vector_units_per_second=vectors,
        ocr_seconds_per_page=scanned,
    )
    _print_table(report)
    if arguments.json:
        arguments.json.write_text(json.dumps(asdict(report), indent=2) + "\n", "utf-8")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("manual", nargs="?", type=Path, default=MANUAL)
    parser.add_argument("--scan", type=Path, default=SCAN, help="a PDF of scanned pages")
    parser.add_argument("--rounds", type=int, default=5, help="of the text pass")
    parser.add_argument("--text-only", action="store_true", help="leave out the slow passes")
    parser.add_argument("--json", type=Path, help="write the figures there")
    return parser.parse_args()


def _bare_seconds(path: Path) -> float:
    """Time what everybody does first: the text of every page."""
    import pymupdf

    began = time.perf_counter()
    with pymupdf.open(path) as document:
        for page in document:
            page.get_text()
    return time.perf_counter() - began


def _cold_seconds(path: Path) -> float:
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, closing(_opened(Path(folder))) as workspace:
        _run(workspace, path, until="text")
        return time.perf_counter() - began


def _text_seconds(path: Path) -> float:
    with tempfile.TemporaryDirectory() as folder, closing(_opened(Path(folder))) as workspace:
        _warm_up(workspace, Path(folder))
        return _run(workspace, path, until="text")["text"].ended


def _layout_and_vectors(path: Path) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder, closing(_opened(Path(folder))) as workspace:
        _warm_up(workspace, Path(folder))
        spans = _run(workspace, path)
        layout, vectors = spans["layout"], spans["vectors"]
        document = next(d for d in workspace.library.documents() if d.name == path.name)
        units = workspace.database.read(
            lambda c: (
                c.execute(
                    "SELECT count(*) FROM units WHERE embed AND document_id = ?", (document.id,)
                ).get
            )
        )
    # from the end of the pass before, since the first report comes after the first pages
    return (
        layout.pages / (layout.ended - spans["text"].ended),
        units / (vectors.ended - layout.ended),
    )


def _ocr_seconds(path: Path) -> float:
    """Time OCR page by page after the first page, which loads the model."""
    import pymupdf

    with tempfile.TemporaryDirectory() as folder, closing(_opened(Path(folder))) as workspace:
        few = Path(folder) / "scan.pdf"
        with pymupdf.open(path) as whole, pymupdf.open() as part:
            part.insert_pdf(whole, from_page=1, to_page=SCANNED_PAGES)
            part.save(few)
        layout = _run(workspace, few, until="layout")["layout"]
    return (layout.ended - layout.began) / (layout.pages - layout.first_pages)


def _opened(folder: Path) -> Workspace:
    return open_workspace(folder / "library", settings=Settings())


def _warm_up(workspace: Workspace, folder: Path) -> None:
    """Take a small file in, so that the parser and the text model are there."""
    import pymupdf

    with pymupdf.open() as small:
        small.new_page().insert_text((72, 72), "Warm up before measuring.")
        small.save(folder / "small.pdf")
    _run(workspace, folder / "small.pdf")


def _run(workspace: Workspace, path: Path, until: PassName | None = None) -> dict[PassName, Span]:
    """Take a file in, at most until a pass of it is over; returns when each pass reported."""
    cancel = CancelToken()
    spans: dict[PassName, Span] = {}
    workspace.ingestion.enqueue([path])
    began = time.perf_counter()
    for event in workspace.ingestion.run(cancel):
        if not isinstance(event, PassProgress) or not event.done:
            continue
        now = time.perf_counter() - began
        first = spans.get(event.pass_name, Span(now, now, event.done, event.done))
        spans[event.pass_name] = Span(first.began, now, first.first_pages, event.done)
        if event.pass_name == until and event.done == event.total:
            cancel.cancel()
    return spans


def _page_count(path: Path) -> int:
    import pymupdf

    with pymupdf.open(path) as document:
        return int(document.page_count)


def _print_table(report: Report) -> None:
    rows = [
        ("PyMuPDF alone, text of every page", report.bare_seconds, "s"),
        ("our text pass until all can be found", report.text_seconds, "s"),
        ("speed of our text pass (1.0: PyMuPDF alone)", report.text_speed, ""),
        ("the same in a new library, parser starting", report.cold_seconds, "s"),
        ("layout", report.layout_pages_per_second, "pages/s"),
        ("vectors", report.vector_units_per_second, "passages/s"),
        ("OCR", report.ocr_seconds_per_page, "s a page"),
    ]
    print(f"{report.manual}, {report.pages} pages")
    for name, value, unit in rows:
        if value is not None:
            print(f"  {name:<46} {value:8.2f} {unit}")


if __name__ == "__main__":
    sys.exit(main())
