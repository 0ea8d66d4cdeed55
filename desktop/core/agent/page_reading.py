"""Pages and manuals: which ones are meant, and reading a page whole or from its picture."""

from __future__ import annotations

import asyncio
import hashlib
from contextlib import aclosing
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from desktop.core.agent.gathering import kept_evidence
from desktop.core.events import PageRegion, StatusEvent
from desktop.core.geometry import Box, bounding_box
from desktop.core.language.own_thread import on_own_thread
from desktop.core.library.units import Passage
from desktop.core.reader.evidence import Evidence
from desktop.core.structure.sentences import words_in
from desktop.core.structure.signs import CONTEXT_SEPARATOR
from desktop.models.generation import GenerationEnd, ModelLoading, TextPart, VisionRequest
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from desktop.core.agent.environment import Environment
    from desktop.core.library.library import Library
    from desktop.core.library.values import DocumentRecord
    from desktop.core.page_drawing import DrawnPage, PageDrawer, PixelArea
    from desktop.core.structure.values import Block
    from desktop.models.generation import GenerationPart
    from desktop.models.roles import VisionLanguageModel

SECTION_SEPARATOR = " > "
VISUAL_SEARCH, VISUAL_PAGES = "colqwen_visual_search", "visual_pages"
MOST_PAGES = 2
"""Each takes a vision model seconds."""
SCALE = 2.0
"""Pixels per point: 144 dpi, at which 6 point print can be read."""
MARGIN = 24.0
"""Points around a region, for the caption and the ends of the lines."""
_WHOLE_PAGE_SHARE = 0.6
_PAGES_CONSIDERED = 5
_PICTURES = frozenset({"figure", "table"})
MOST_TOKENS = 400
_CUT_OFF = " …"


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page of a manual; page: zero-based index, label: the number printed on it."""

    manual: DocumentRecord
    page: int
    label: str

    @property
    def title(self) -> str:
        """How a person knows the page."""
        return said("page {label} of {manual}", label=self.label, manual=shown_title(self.manual))

    def region(self, boxes: tuple[Box, ...] = ()) -> PageRegion:
        """Return the page, with boxes on it."""
        return PageRegion(self.manual.id, self.manual.name, self.page, self.label, boxes)


def find_pages(
    library: Library, number: str, name: str, selected: frozenset[int]
) -> tuple[list[FoundPage], list[DocumentRecord]]:
    """Return the pages that are meant, and the manuals in which they were looked for.

    number: as printed, else counted from 1. name: of the manual, "" for any of them.
    selected: only these manuals; empty means all.
    """
    manuals = [
        manual
        for manual in library.documents()
        if manual.searchable and (not selected or manual.id in selected)
    ]
    meant = meant_manuals(name, manuals)
    pages = (_page_of(library, manual, number) for manual in meant)
    return [page for page in pages if page is not None], meant


def read_blocks(library: Library, page: FoundPage) -> list[Block]:
    """Return what stands on the page in reading order; without layout, its words as one block."""
    from desktop.core.structure.values import Block

    blocks = library.blocks(page.manual.id, page.page)
    if blocks:
        return blocks
    words = library.page_words(page.manual.id, page.page)
    if not words.texts:
        return []
    size = next(p for p in library.pages(page.manual.id) if p.page == page.page)
    return [Block(0, "text", words.text, (0.0, 0.0, size.width, size.height))]


def to_objects(page: FoundPage, blocks: Sequence[Block]) -> tuple[dict[str, Any], ...]:
    """Return the blocks as plain values for a tool's `Result`."""
    return tuple(
        {
            "document_id": page.manual.id,
            "document": page.manual.name,
            "page": page.page,
            "label": page.label,
            "kind": block.kind,
            "section": SECTION_SEPARATOR.join(block.section),
            "content": block.text,
            "regions": [list(block.box)],
        }
        for block in blocks
    )


def to_evidence(page: FoundPage, blocks: Sequence[Block]) -> Evidence:
    """Return the page as something that an answer can quote from."""
    passages = tuple(
        Passage(0, "paragraph", block.text, context, (Box(*block.box),), (), 1.0)
        for block in blocks
        for context in [CONTEXT_SEPARATOR.join(block.section)]
        if block.kind not in ("header", "footer")
    )
    manual = page.manual
    found_by = ("read_page",)
    return Evidence(
        manual.id, manual.name, manual.title, page.page, page.label, 1.0, found_by, passages
    )


def _page_of(library: Library, manual: DocumentRecord, number: str) -> FoundPage | None:
    wanted = number.strip()
    page = library.page_of_label(manual.id, wanted)
    if page is None and wanted.isascii() and wanted.isdigit():
        page = int(wanted) - 1 if 1 <= int(wanted) <= manual.page_count else None
    if page is None:
        return None
    known = next((p for p in library.pages(manual.id) if p.page == page), None)
    return FoundPage(manual, page, known.label) if known else None


@dataclass(frozen=True, slots=True)
class Look:
    """A page as a picture. region: the part that matters most, in points, None for all of it.

    area: the same in pixels.
    """

    evidence: Evidence
    drawn: DrawnPage
    image_key: str
    page_box: Box
    region: Box | None
    area: PixelArea | None


def pages_to_look_at(environment: Environment, library: Library) -> list[Evidence]:
    """Return the pages a visual search found, else found ones with drawings or tables. Blocks."""
    kept = kept_evidence(environment)
    entries = environment.find(VISUAL_SEARCH, VISUAL_PAGES)
    if entries:
        wanted = [
            environment.object_of(found["_REF_ID"]) or found for found in entries[-1]["objects"]
        ]
        by_page = {(page.document_id, page.page): page for page in kept}
        places = [(found["document_id"], found["page"]) for found in wanted]
        return [by_page[place] for place in places if place in by_page][:MOST_PAGES]
    drawn = (
        page
        for page in kept[:_PAGES_CONSIDERED]
        if any(block.kind in _PICTURES for block in library.blocks(page.document_id, page.page))
    )
    return list(islice(drawn, MOST_PAGES))


def look_at(evidence: Evidence, drawer: PageDrawer, library: Library) -> Look:
    """Draw a page, choose the part that matters most. Blocks. Raises: LibraryError, OSError."""
    document_id, page = evidence.document_id, evidence.page
    drawn = drawer.draw(document_id, page, SCALE)
    page_box = Box(0.0, 0.0, drawn.width, drawn.height)
    region = best_region(evidence, library.blocks(document_id, page), page_box)
    area = drawn.area(region) if region is not None else None
    key = image_key(library.document(document_id).sha256, page, SCALE)
    return Look(evidence, drawn, key, page_box, region if area else None, area)


def best_region(evidence: Evidence, blocks: Sequence[Block], page: Box) -> Box | None:
    """Return the best passage with drawings and tables it touches; None: most of the page."""
    best = evidence.passages[0].boxes if evidence.passages else ()
    boxes = [box for box in best if box.area > 0]
    pictures = [Box(*block.box) for block in blocks if block.kind in _PICTURES]
    touched = [each for each in pictures if any(box.overlap_share(each) > 0 for box in boxes)]
    if not boxes:
        touched = pictures[:1]
    if not boxes and not touched:
        return None
    region = bounding_box([*boxes, *touched]).inflated(MARGIN).intersection(page)
    return region if 0 < region.area < _WHOLE_PAGE_SHARE * page.area else None


def image_key(sha256: str, page: int, scale: float) -> str:
    """Return a name for exactly these pixels, drawn so; `read` names a part of them itself."""
    return hashlib.sha256(f"{sha256}/{page}/{scale:g}".encode()).hexdigest()


async def looking(
    vision: VisionLanguageModel, request: VisionRequest
) -> AsyncGenerator[StatusEvent | GenerationPart, None]:
    """Have a model look at a picture, its loading told in quarters; may be closed.

    Raises: ModelError.
    """
    shown = ""
    async with aclosing(
        on_own_thread(lambda abandoned: vision.read(request, abandoned), "groundwork-looking")
    ) as parts:
        async for part in parts:
            if not isinstance(part, ModelLoading):
                yield part
                continue
            share = int(part.fraction * 4) * 25
            status = said("Loading the vision model: {share} %", share=share)
            if status != shown:
                shown = status
                yield StatusEvent(status)


async def read_picture(
    vision: VisionLanguageModel, look: Look, area: PixelArea | None, question: str
) -> AsyncGenerator[StatusEvent | str, None]:
    """Read a page or `area` of it, the text last; may be closed. Raises: ModelError."""
    page, which = look.evidence, "a part of" if area else "the whole of"
    place = f"{which} page {page.label} of {page.title or page.document}"
    instructions, asked = await asyncio.to_thread(_prompt, question, place)
    request = VisionRequest(
        asked,
        look.drawn.image.pixels(),
        region=area,
        image_key=look.image_key,
        instructions=instructions,
        max_tokens=MOST_TOKENS,
    )
    words: list[str] = []
    cut_off = ""
    async with aclosing(looking(vision, request)) as parts:
        async for part in parts:
            match part:
                case StatusEvent():
                    yield part
                case TextPart(text, reasoning=False):
                    words.append(text)
                case GenerationEnd("length", _):
                    cut_off = _CUT_OFF
                case _:
                    pass
    text = "".join(words).strip()
    yield text + cut_off if text else ""


def _prompt(question: str, place: str) -> tuple[str, str]:
    """Return the instructions of the signature, and its inputs as the question."""
    from desktop.core.agent.signatures import VisualInterpretationSignature as Signature

    values = {"user_prompt": question, "place": place}
    lines = [
        f"{field.json_schema_extra['desc']}\n{values[name]}"
        for name, field in Signature.input_fields.items()
    ]
    return Signature.instructions, "\n\n".join(lines)


_EMPTY = frozenset(
    """
    a an and the of for from in my our this that manual manuals handbook guide pdf document book
    das der die des dem den von vom im in aus mein unser dieses handbuch handbuchs handbücher
    anleitung anleitungen dokument
    """.split()
)
"""Words that every manual may be called by."""
_SHORTEST_STEM = 5


def meant_manuals(name: str, manuals: Sequence[DocumentRecord]) -> list[DocumentRecord]:
    """Return the manuals that `name` can mean; all of them for a name that says nothing.

    An exact title or file name wins. Else the words of `name` must all be in the title or the
    file name, in another form too: "installer" means "Installation Manual".
    """
    wanted = name.strip().casefold()
    exact = [manual for manual in manuals if wanted in _names(manual)]
    if exact:
        return exact
    words = _words(wanted)
    telling = [word for word in words if word not in _EMPTY]
    return [manual for manual in manuals if all(_names_it(word, manual) for word in telling)]


def shown_title(manual: DocumentRecord) -> str:
    """Return how a person knows a manual."""
    return manual.title.strip() or PurePath(manual.name).stem


def _names(manual: DocumentRecord) -> set[str]:
    names = (manual.name, PurePath(manual.name).stem, manual.title.strip())
    return {name.casefold() for name in names if name}


def _names_it(word: str, manual: DocumentRecord) -> bool:
    known = {part for name in _names(manual) for part in _words(name)}
    stem = word[:_SHORTEST_STEM]
    return word in known or (
        len(word) >= _SHORTEST_STEM and any(part.startswith(stem) for part in known)
    )


def _words(text: str) -> list[str]:
    return words_in(text.casefold())
