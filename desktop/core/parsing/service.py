"""Reads and draws pages with PyMuPDF: words, layout, links, the size of text.

`InProcessParser` does so without a process of its own: the setting `parser.in_process`, scripts,
tests.
"""

from __future__ import annotations

import logging
import math
import os
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import msgspec

from desktop.core.errors import DocumentError, UnreadablePdf
from desktop.core.parsing.completing import Recognition, RecognizerFactory
from desktop.core.parsing.documents import (
    LONGEST_TITLE,
    LookedAt,
    OpenDocument,
    OpenDocuments,
    describe,
    read_outline,
)
from desktop.core.parsing.drawn_signs import with_drawn_signs
from desktop.core.parsing.messages import Limits, StageReport, no_report
from desktop.core.parsing.mupdf import (
    MuDocument,
    MuPage,
    draw_page,
    load_mupdf,
    plain,
    reason,
)
from desktop.core.parsing.parser import UNKNOWN_SIZE
from desktop.core.parsing.raw_page import (
    TextLayer,
    gather_page,
    read_text_layer,
    text_page,
    unturned_box,
)
from desktop.core.structure.cut_words import with_cuts
from desktop.core.structure.page import (
    Heading,
    PageStructure,
    document_title,
    learn_style,
    margin_label,
    margin_lines,
    understand_page,
)
from desktop.core.structure.raw import DocumentStyle, RawPage, page_segments
from desktop.core.structure.table_heads import TableHead
from desktop.core.structure.values import (
    BoxTuple,
    DocumentInfo,
    PageHighlight,
    PageImage,
    PageLayout,
    PageLink,
    PageText,
    PhotoText,
)
from desktop.sentences import said, to_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from desktop.core.settings.sections import ParserSettings

_MOST_LINKS: Final = 2_000
_LONGEST_ADDRESS: Final = 2_000


def read_links(document: MuDocument, page: MuPage) -> tuple[PageLink, ...]:
    """Return the links of a page in the order of the file, without those that lead nowhere."""
    count = document.page_count
    found = (_link(each, count) for each in page.get_links()[:_MOST_LINKS])
    return tuple(link for link in found if link is not None)


def _link(found: Mapping[str, Any], pages: int) -> PageLink | None:
    rect = found["from"]
    box = (float(rect.x0), float(rect.y0), float(rect.x1), float(rect.y1))
    if not all(map(math.isfinite, box)) or box[2] <= box[0] or box[3] <= box[1]:
        return None
    page = found.get("page", -1)
    # a file of its own has pages too: those are not ours
    if "file" not in found and isinstance(page, int) and 0 <= page < pages:
        return PageLink(box, page, _down(found.get("to")))
    address = str(found.get("uri") or found.get("file") or "")
    return PageLink(box, address=plain(address)[:_LONGEST_ADDRESS]) if address else None


def _down(target: Any) -> float:
    down = float(getattr(target, "y", 0.0))
    return down if math.isfinite(down) and down > 0 else 0.0


# Enough to see a running header, few enough to cost a tenth of a second.
_SAMPLED_PAGES = 32


def learn_document_style(
    opened: OpenDocument,
    read: Callable[[int], RawPage | None],
    avoid: Collection[int] | None,
) -> DocumentStyle:
    """Return the style of a document.

    read: gives a page as read, or None if it cannot be.
    avoid: pages that must not be touched; None to touch none.
    """
    numbers = [] if avoid is None else sample_pages(opened.document.page_count, avoid)
    pages = [raw for raw in map(read, numbers) if raw is not None]
    first = pages[0] if pages and pages[0].page == 0 else None
    title = document_title((opened.document.metadata or {}).get("title") or "", first)
    return learn_style(pages, DocumentStyle(outline=read_outline(opened.document), title=title))


def sample_pages(page_count: int, avoid: Collection[int]) -> list[int]:
    """Return page numbers spread over the document, in pairs so that both sides are seen."""
    pairs = max(1, _SAMPLED_PAGES // 2)
    step = max(2, page_count // pairs)
    numbers = (start + side for start in range(0, page_count, step) for side in (0, 1))
    return [n for n in numbers if n < page_count and n not in avoid][: _SAMPLED_PAGES + 2]


_KEEP_ENCRYPTION: Final = 0
"""The number of `pymupdf.PDF_ENCRYPT_KEEP`."""


def add_highlight(page: MuPage, highlight: PageHighlight) -> None:
    """Add a highlight annotation to a page of an open document, with its comment."""
    mupdf = load_mupdf()
    # MuPDF takes them as if the page were not rotated
    boxes = [mupdf.Rect(unturned_box(page, box)) for box in highlight.boxes]
    mark = page.add_highlight_annot(quads=[box.quad for box in boxes])
    mark.set_colors(stroke=highlight.rgb)
    if highlight.comment:
        mark.set_info(content=highlight.comment)
    mark.update()


_END = msgspec.msgpack.Decoder(tuple[tuple[Heading, ...], TableHead | None])


def _end(page: PageStructure) -> bytes:
    """Return what the next page goes on with, for `_begun`."""
    return msgspec.msgpack.encode((page.open_section, page.open_table))


def _begun(end: bytes) -> tuple[tuple[Heading, ...], TableHead | None]:
    """Return the headings and the head of a table that a page goes on with."""
    return _END.decode(end) if end else ((), None)


_log = logging.getLogger(__name__)

_SLOW_TO_DRAW_SECONDS = 0.25
_KEPT_MARGINS: Final = 8
"""Pages around the one that is read whose margins are remembered."""


class ParsingService:
    """Answers one request at a time; not thread-safe, because MuPDF is not.

    Raises of every method: NotAPdf, PdfNeedsPassword, UnreadablePdf.
    """

    def __init__(self, limits: Limits, load_recognizer: RecognizerFactory | None = None) -> None:
        """Prepare; nothing is loaded before it is needed.

        load_recognizer: makes the OCR model; None if there is no OCR here.
        """
        self._limits = limits
        self._recognition = Recognition(limits, load_recognizer)
        self._documents = OpenDocuments()

    def open(self, path: Path, password: str | None) -> DocumentInfo:
        """Say what a document is, with its title as the metadata have it."""
        return describe(self._documents.get(path, password))

    def title(self, path: Path, password: str | None) -> str:
        """Return the title by the metadata and the first page, "" if nothing says one."""
        opened = self._documents.get(path, password)
        said = (opened.document.metadata or {}).get("title") or ""
        try:
            return document_title(said, self._raw(opened, 0)[1])[:LONGEST_TITLE]
        except Exception as error:  # a title is not worth failing a document for
            _log.warning("first page not read for a title: %s", reason(error))
            return document_title(said, None)

    def page_size(self, path: Path, page: int, password: str | None) -> tuple[float, float]:
        """Return the displayed size in points without reading the page's contents."""
        rect = self._documents.get(path, password).page(page).rect
        return rect.width, rect.height

    def read_text(
        self, path: Path, page: int, password: str | None, report: StageReport = no_report
    ) -> PageText:
        """Read one page's words; any problem with the page is given in `error`."""
        opened = self._documents.get(path, password)
        report("opened", page)
        width, height = UNKNOWN_SIZE
        try:
            loaded = opened.page(page)
            width, height = loaded.rect.width, loaded.rect.height
            words = read_text_layer(loaded, *text_page(loaded)).words
        except Exception as error:  # one bad page must not stop the document
            _log.warning("page %d not read: %s", page, reason(error))
            return PageText(page, width, height, b"", to_text(reason(error)))
        return PageText(page, width, height, words.to_bytes())

    def read_layout(
        self,
        path: Path,
        page: int,
        password: str | None,
        report: StageReport = no_report,
        avoid: Collection[int] | None = (),
        before: bytes = b"",
    ) -> PageLayout:
        """Structure one page, without judging how slow it is to draw.

        avoid: pages that brought the parser down and must not be sampled to learn the
            document's style; None to sample none.
        before: the `end` of the page before.
        """
        opened = self._opened(path, page, password, report, avoid)
        try:
            return self._layout(opened, page, report, avoid, before)
        except Exception as error:  # one bad page must not stop the document
            _log.warning("page %d not structured: %s", page, reason(error), exc_info=error)
            return PageLayout(page, (), (), b"", False, "", False, to_text(reason(error)))

    def look_at(
        self,
        path: Path,
        page: int,
        password: str | None,
        report: StageReport = no_report,
        avoid: Collection[int] | None = (),
    ) -> None:
        """Read what is on a page, which takes most of the time, and keep it for `read_layout`."""
        opened = self._opened(path, page, password, report, avoid)
        try:
            opened.looked_at[page] = self._look(opened, page, report, avoid)
        except Exception as error:  # `read_layout` will say so
            _log.debug("page %d not looked at: %s", page, reason(error))

    def is_slow_to_draw(self, path: Path, page: int, password: str | None) -> bool:
        """Draw a page at one pixel a point and tell whether a person would wait for it.

        A page with form fields counts as slow: QtPdf leaves out what was filled in.
        """
        opened = self._documents.get(path, password)
        started = time.thread_time()  # whatever else the machine is doing
        try:
            loaded = opened.page(page)
            draw_page(loaded, 1.0, None, self._limits.max_megapixels)
            if loaded.first_widget is not None:
                return True
        except Exception as error:  # then the viewer had better ask the parser as well
            _log.warning("page %d not drawn: %s", page, reason(error))
            return True
        return time.thread_time() - started > _SLOW_TO_DRAW_SECONDS

    def draw(
        self, path: Path, page: int, scale: float, clip: BoxTuple | None, password: str | None
    ) -> PageImage:
        """Draw a page.

        Raises: UnreadablePdf, if MuPDF cannot draw it.
        """
        opened = self._documents.get(path, password)
        try:
            return draw_page(opened.page(page), scale, clip, self._limits.max_megapixels)
        except Exception as error:  # MuPDF raises many kinds
            raise UnreadablePdf(
                said("page {page} cannot be drawn: {error}", page=page + 1, error=reason(error))
            ) from error

    def read_links(self, path: Path, page: int, password: str | None) -> tuple[PageLink, ...]:
        """Return the links of a page; none for a damaged page."""
        opened = self._documents.get(path, password)
        try:
            return read_links(opened.document, opened.page(page))
        except Exception as error:  # a page without links can still be read
            _log.warning("links of page %d not read: %s", page, reason(error))
            return ()

    def write_highlights(
        self, path: Path, copy: Path, highlights: Sequence[PageHighlight], password: str | None
    ) -> None:
        """Write a copy of a PDF with highlights as annotations.

        Raises: UnreadablePdf, if a page or the copy cannot be written.
        """
        # opened for this alone: the document that pages are read from must not change
        documents = OpenDocuments()
        whole = copy.with_name(f".{copy.name}.part")
        try:
            if copy.exists() and copy.samefile(path):
                raise UnreadablePdf(said("a copy cannot replace the original"))
            opened = documents.get(path, password)
            for highlight in highlights:
                add_highlight(opened.page(highlight.page), highlight)
            opened.document.save(os.fspath(whole), deflate=True, encryption=_KEEP_ENCRYPTION)
            whole.replace(copy)
        except DocumentError:
            raise
        except Exception as error:  # MuPDF raises many kinds
            raise UnreadablePdf(
                said("the copy cannot be written: {error}", error=reason(error))
            ) from error
        finally:
            documents.close()
            whole.unlink(missing_ok=True)

    def convert(self, source: Path, target: Path, suffix: str, name: str) -> None:
        """Write the PDF of another document; see `converting`."""
        from desktop.core.parsing.converting import convert  # most files are PDFs already

        convert(source, target, suffix, name)

    def read_photo(self, data: bytes, report: StageReport = no_report) -> PhotoText:
        """Read the words of a picture file; see `Parser.read_photo`."""
        return self._recognition.read_photo(data, report)

    def close(self) -> None:
        """Close every document."""
        self._documents.close()

    def _opened(
        self,
        path: Path,
        page: int,
        password: str | None,
        report: StageReport,
        avoid: Collection[int] | None,
    ) -> OpenDocument:
        """Return a document whose style is known."""
        opened = self._documents.get(path, password)
        report("opened", page)
        if opened.style is None:
            opened.style = learn_document_style(
                opened, lambda number: self._sample(opened, number, report), avoid
            )
        report("structure", page)
        return opened

    def _look(
        self,
        opened: OpenDocument,
        page: int,
        report: StageReport,
        avoid: Collection[int] | None,
    ) -> LookedAt:
        assert opened.style is not None
        loaded, raw, layer = self._raw_with_layer(opened, page, self._limits.layout_model)
        raw, missing = self._recognition.completed(
            loaded, raw, layer, opened.recognized, opened.style.body_size, report
        )
        raw = with_drawn_signs(raw)
        raw = replace(raw, words=with_cuts(raw.words, opened.style.spellings, raw.spans))
        nearby = None if raw.ocr or avoid is None else self._nearby(opened, page, report, avoid)
        return LookedAt(raw, raw.words is not layer.words, missing, nearby)

    def _nearby(
        self, opened: OpenDocument, page: int, report: StageReport, avoid: Collection[int]
    ) -> frozenset[str] | None:
        """Return what stands in the margins of the pages nearby, None if there are none."""
        near = [page + step for step in (-2, -1, 1, 2) if page + step not in avoid]
        near = [each for each in near if 0 <= each < opened.document.page_count]
        for each in (each for each in near if each not in opened.margins):
            raw = self._sample(opened, each, report)
            opened.margins[each] = frozenset() if raw is None else margin_lines(raw)
        for each in [each for each in opened.margins if abs(each - page) > _KEPT_MARGINS]:
            del opened.margins[each]
        return frozenset().union(*(opened.margins[each] for each in near)) if near else None

    def _layout(
        self,
        opened: OpenDocument,
        page: int,
        report: StageReport,
        avoid: Collection[int] | None,
        before: bytes,
    ) -> PageLayout:
        assert opened.style is not None
        seen = opened.looked_at.pop(page, None) or self._look(opened, page, report, avoid)
        raw, style = seen.raw, replace(opened.style, nearby=seen.nearby)
        segments = page_segments(raw)
        if raw.ocr:
            style = replace(style, repeated=style.repeated | opened.running.after(raw, segments))
        found = understand_page(raw, style, *_begun(before))
        return PageLayout(
            page=page,
            blocks=found.blocks,
            units=found.units,
            words=raw.words.to_bytes() if seen.has_other_words else b"",
            ocr=raw.ocr,
            margin_label=margin_label(segments, raw.height),
            slow_to_draw=False,
            error=to_text(seen.missing),
            end=_end(found),
        )

    def _sample(self, opened: OpenDocument, number: int, report: StageReport) -> RawPage | None:
        report("sampling", number)
        try:
            return self._raw(opened, number)[1]
        except Exception as error:  # a bad page is told about when its turn comes
            _log.debug("page %d not sampled: %s", number, reason(error))
            return None

    def _raw(self, opened: OpenDocument, number: int) -> tuple[MuPage, RawPage]:
        return self._raw_with_layer(opened, number, with_regions=False)[:2]

    def _raw_with_layer(
        self, opened: OpenDocument, number: int, with_regions: bool
    ) -> tuple[Any, RawPage, TextLayer]:
        page = opened.page(number)
        textpage, rows = text_page(page)
        layer = read_text_layer(page, textpage, rows)
        # The layout model sees nothing on pages without text, scans included.
        regions = with_regions and len(layer.words) > 0
        raw = gather_page(number, page, textpage, layer, with_regions=regions)
        return page, raw, layer


class InProcessParser:
    """A Parser that works in the calling thread.

    Nothing limits its time and memory, a page that crashes MuPDF ends the application,
    and the window stands still while a heavy page is read.
    """

    def __init__(
        self, settings: ParserSettings, load_recognizer: RecognizerFactory | None = None
    ) -> None:
        self._service = ParsingService(Limits.of(settings), load_recognizer)
        self._lock = threading.Lock()

    def open(self, path: Path, password: str | None = None) -> DocumentInfo:
        """See Parser."""
        with self._lock:
            info = self._service.open(path, password)
            return replace(info, title=self._service.title(path, password))

    def read_text(
        self, path: Path, first: int, last: int, password: str | None = None
    ) -> Iterator[PageText]:
        """See Parser."""
        for page in range(first, last):
            with self._lock:
                text = self._service.read_text(path, page, password)
            yield text

    def read_layout(
        self,
        path: Path,
        page: int,
        password: str | None = None,
        before: Callable[[], bytes] = bytes,
    ) -> PageLayout:
        """See Parser."""
        with self._lock:
            self._service.look_at(path, page, password)
            slow = self._service.is_slow_to_draw(path, page, password)
        end = before()
        with self._lock:
            layout = self._service.read_layout(path, page, password, before=end)
        return replace(layout, slow_to_draw=slow)

    def draw(
        self,
        path: Path,
        page: int,
        scale: float,
        clip: BoxTuple | None = None,
        password: str | None = None,
    ) -> PageImage:
        """See Parser."""
        with self._lock:
            return self._service.draw(path, page, scale, clip, password)

    def read_links(
        self, path: Path, page: int, password: str | None = None
    ) -> tuple[PageLink, ...]:
        """See Parser."""
        with self._lock:
            return self._service.read_links(path, page, password)

    def write_highlights(
        self,
        path: Path,
        copy: Path,
        highlights: Sequence[PageHighlight],
        password: str | None = None,
    ) -> None:
        """See Parser."""
        with self._lock:
            self._service.write_highlights(path, copy, highlights, password)

    def convert(self, source: Path, target: Path, suffix: str, name: str) -> None:
        """See Parser."""
        with self._lock:
            self._service.convert(source, target, suffix, name)

    def read_photo(self, data: bytes) -> PhotoText:
        """See Parser."""
        with self._lock:
            return self._service.read_photo(data)

    def close(self) -> None:
        """See Parser."""
        with self._lock:
            self._service.close()
