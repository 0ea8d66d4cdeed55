"""Other documents made into a PDF: Word, PowerPoint, Excel, web pages, text, EPUB, pictures.

MuPDF, which reads PDFs here anyway, lays them out as pages that can be cited and shown. docling
needs torch and a gigabyte of models for that; markitdown gives Markdown, which has no pages.

Runs in the parser process, because the files are not trusted: nothing in them is executed, and
nothing is loaded from the network or from outside the file. The file itself is attached to the
PDF, so that it is kept, carried and removed with it.
"""

from __future__ import annotations

import hashlib
import html
import io
import re
import zipfile
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from desktop.core.errors import DocumentError, PdfNeedsPassword, UnreadablePdf
from desktop.core.parsing.mupdf import MuDocument, load_mupdf, reason
from desktop.core.parsing.parser import MADE_FROM
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_A4, _A3 = (595.0, 842.0), (842.0, 1191.0)
_BESIDE, _ABOVE = 50.0, 0.125
"""Points beside the text; share of the height above and below it. Nearer to the edge lines that
are alike on every page, as rows of a table are, count as headers and footers of the manual."""
_LARGEST_FILE, _LARGEST_UNPACKED = 200 << 20, 400 << 20
_MOST_PARTS, _MOST_PAGES, _MOST_PIXELS = 20_000, 5_000, 150_000_000
_MOST_ROWS, _MOST_COLUMNS = 5_000, 60
_LOCKED = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How a file of Office begins that is encrypted, or older than 2007."""
_LONGEST_TITLE = 200
_HEADING = re.compile(r"<h1\b[^>]*>(.*?)</h1>", re.IGNORECASE | re.DOTALL)
_ENCODING = re.compile(rb"""charset\s*=\s*["']?([\w-]+)""", re.IGNORECASE)
_STYLE = """
@page { margin: 106pt 50pt }
body { font-family: sans-serif; font-size: 10pt }
table { border-collapse: collapse; width: 100% }
td, th { border: 1px solid #888888; padding: 2pt 4pt; text-align: left; vertical-align: top }
th { font-weight: bold }
"""
_MEDIA = {"xl/charts/chart": "diagrams", "xl/media/": "pictures", "ppt/charts/chart": "diagrams"}


def convert(source: Path, target: Path, suffix: str, name: str) -> None:
    """Write the PDF of a document. suffix: ".docx" and so on. name: what the file is called.

    Raises: UnreadablePdf, PdfNeedsPassword; then nothing is left at `target`.
    """
    try:
        data = _read(source)
        made = _MAKERS[suffix](data)
        if not any(page.get_text().strip() or page.get_images() for page in made):
            raise UnreadablePdf(said("there is nothing in it to read"))
        if made.page_count > _MOST_PAGES:
            raise UnreadablePdf(said("it has more than {most_pages} pages", most_pages=_MOST_PAGES))
        metadata = made.metadata or {}
        made.set_metadata(
            {
                "title": metadata.get("title") or PurePath(name).stem,
                "author": metadata.get("author") or "",
                "keywords": f"{MADE_FROM}{hashlib.sha256(data).hexdigest()}",
                "producer": "Groundwork",
            }
        )
        made.embfile_add(name, data, filename=name, desc="The file that this PDF was made of")
        made.save(str(target), garbage=3, deflate=True)
        made.close()
    except Exception as error:  # each reader raises its own kinds about damaged files
        target.unlink(missing_ok=True)
        if isinstance(error, DocumentError | MemoryError):
            raise
        raise UnreadablePdf(
            said("damaged, or not what its name says: {error}", error=reason(error))
        ) from error


def _read(source: Path) -> bytes:
    if source.stat().st_size > _LARGEST_FILE:
        raise UnreadablePdf(
            said("it is larger than {largest_file} MB", largest_file=_LARGEST_FILE >> 20)
        )
    data = source.read_bytes()
    if not data.strip():
        raise UnreadablePdf(said("it is empty"))
    return data


# documents of Office and books are zip files


def _checked_zip(data: bytes) -> zipfile.ZipFile:
    """Return a zip file that is no bomb.

    Raises: UnreadablePdf, PdfNeedsPassword, BadZipFile.
    """
    if data.startswith(_LOCKED):
        raise PdfNeedsPassword(
            said(
                "it is locked with a password, or from a version before 2007: save it without a "
                "password in the current format"
            )
        )
    archive = zipfile.ZipFile(io.BytesIO(data))
    parts = archive.infolist()
    if len(parts) > _MOST_PARTS or sum(each.file_size for each in parts) > _LARGEST_UNPACKED:
        raise UnreadablePdf(said("it would be too large when unpacked"))
    if any(each.flag_bits & 1 for each in parts):
        raise PdfNeedsPassword(said("it is locked with a password"))
    return archive


def _word(data: bytes) -> MuDocument:
    import mammoth

    _checked_zip(data)
    # without style names mammoth knows no list numbers; pictures stay inside the page
    told = mammoth.convert_to_html(io.BytesIO(data), external_file_access=False)
    return _story(f"<body>{told.value}</body>")


def _excel(data: bytes) -> MuDocument:
    import openpyxl

    parts = _checked_zip(data).namelist()
    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    whole: MuDocument | None = None
    for sheet in book.worksheets:
        content, columns = _sheet(sheet)
        made = _story(f"<body><h2>{_plain(sheet.title)}</h2>{content}</body>", _paper(columns))
        if whole is None:
            whole = made
        else:
            whole.insert_pdf(made)
    if whole is None:
        raise UnreadablePdf(said("it has no sheets"))
    return _with_note(whole, parts)


def _sheet(sheet: Any) -> tuple[str, int]:
    """Return a sheet's cells as a table, and how many columns it has."""
    rows: list[list[str]] = []
    more = 0
    for row in sheet.iter_rows(values_only=True):
        cells = ["" if each is None else str(each).strip() for each in row[:_MOST_COLUMNS]]
        while cells and not cells[-1]:
            cells.pop()
        if not cells:
            continue
        if len(rows) == _MOST_ROWS:
            more += 1
            continue
        rows.append(cells)
    columns = max(map(len, rows), default=0)
    told = [
        f"<tr>{''.join(_cells(row + [''] * (columns - len(row)), number))}</tr>"
        for number, row in enumerate(rows)
    ]
    note = f"<p>{more} more rows of this sheet are not shown here.</p>" if more else ""
    return (f"<table>{''.join(told)}</table>{note}" if told else ""), columns


def _cells(row: list[str], number: int) -> Iterator[str]:
    tag = "td" if number else "th"
    for cell in row:
        yield f"<{tag}>{_plain(cell) or '&#160;'}</{tag}>"


def _paper(columns: int) -> tuple[float, float]:
    if columns <= 6:
        return _A4
    return (_A4[1], _A4[0]) if columns <= 12 else (_A3[1], _A3[0])


def _powerpoint(data: bytes) -> MuDocument:
    parts = _checked_zip(data).namelist()
    return _with_note(_laid_out(data, "pptx"), parts)


def _book(data: bytes) -> MuDocument:
    _checked_zip(data)
    return _laid_out(data, "epub")


def _with_note(made: MuDocument, parts: list[str]) -> MuDocument:
    """Add a page that says what the pages before it do not show."""
    kinds = sorted({kind for part in parts for start, kind in _MEDIA.items() if start in part})
    if kinds and made.page_count:
        left_out = f"The {' and '.join(kinds)} of this file are not shown on these pages."
        made.insert_pdf(_story(f"<body><p>{left_out}</p></body>"))
    return made


# text


def _web_page(data: bytes) -> MuDocument:
    found = _ENCODING.search(data[:4096])
    text = _decoded(data, found[1].decode("ascii") if found else "")
    title = re.search(r"<title[^>]*>(.*?)</title>", text, re.IGNORECASE | re.DOTALL)
    made = _story(re.sub(r"(?is)<(script|style|iframe|object|embed)\b.*?</\1\s*>", "", text))
    told = " ".join(html.unescape(title[1]).split()) if title else ""
    if told:
        made.set_metadata({"title": told[:_LONGEST_TITLE]})
    return made


def _markdown(data: bytes) -> MuDocument:
    from markdown_it import MarkdownIt

    # html: what is markup in the file is shown as it is written
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    return _story(f"<body>{reader.render(_decoded(data))}</body>")


def _text(data: bytes) -> MuDocument:
    lines = _decoded(data).replace("\f", "\n").split("\n\n")
    told = ("<br/>".join(map(_plain, each.split("\n"))) for each in lines if each.strip())
    return _story(f"<body>{''.join(f'<p>{each}</p>' for each in told)}</body>")


def _decoded(data: bytes, encoding: str = "") -> str:
    for each in filter(None, ("utf-8-sig", encoding)):
        try:
            return data.decode(each)
        except (UnicodeDecodeError, LookupError):
            continue
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    if b"\x00" in data[:4096]:
        raise UnreadablePdf(said("it is not text"))
    return data.decode("cp1252", "replace")


def _plain(text: str) -> str:
    return html.escape(text.strip("\r"), quote=False)


def _story(content: str, paper: tuple[float, float] = _A4) -> MuDocument:
    """Lay a page of HTML out on paper. Without an archive MuPDF loads nothing that it names."""
    mupdf = load_mupdf()
    story = mupdf.Story(content, user_css=_STYLE)
    sheet = mupdf.Rect(0, 0, *paper)
    above = _ABOVE * paper[1]
    area = mupdf.Rect(_BESIDE, above, paper[0] - _BESIDE, paper[1] - above)
    target = io.BytesIO()
    writer = mupdf.DocumentWriter(target)
    more, pages = 1, 0
    while more and pages <= _MOST_PAGES:
        device = writer.begin_page(sheet)
        more, _ = story.place(area)
        story.draw(device)
        writer.end_page()
        pages += 1
    writer.close()
    made = mupdf.open("pdf", target.getvalue())
    heading = _HEADING.search(content)
    if heading is not None:
        told = html.unescape(re.sub(r"<[^>]*>", " ", heading[1]))
        made.set_metadata({"title": " ".join(told.split())[:_LONGEST_TITLE]})
    return made


def _laid_out(data: bytes, kind: str) -> MuDocument:
    """Let MuPDF itself lay a document out on A4."""
    mupdf = load_mupdf()
    mupdf.mupdf.fz_set_user_css(_STYLE)
    with mupdf.open(stream=data, filetype=kind) as document:
        document.layout(width=_A4[0], height=_A4[1], fontsize=11)
        made = mupdf.open("pdf", document.convert_to_pdf())
        made.set_metadata({"title": (document.metadata or {}).get("title") or ""})
        return made


# pictures of pages


def _picture(data: bytes) -> MuDocument:
    from PIL import Image

    mupdf = load_mupdf()
    too_large = f"its picture has more than {_MOST_PIXELS // 1_000_000} megapixels"
    try:
        with Image.open(io.BytesIO(data)) as picture:  # reads its size and draws nothing
            kind, pixels = (picture.format or "").lower(), picture.width * picture.height
    except Image.DecompressionBombError as error:
        raise UnreadablePdf(too_large) from error
    if pixels > _MOST_PIXELS:
        raise UnreadablePdf(too_large)
    made = mupdf.open()
    with mupdf.open(stream=data, filetype=kind) as pictures:
        drawn = mupdf.open("pdf", pictures.convert_to_pdf())
    for page in drawn:
        # the longer side as long as that of A4: nobody knows how large the page was
        scale = _A4[1] / max(page.rect.width, page.rect.height)
        sheet = made.new_page(width=page.rect.width * scale, height=page.rect.height * scale)
        sheet.show_pdf_page(sheet.rect, drawn, page.number)
    return made


_MAKERS: dict[str, Callable[[bytes], MuDocument]] = {
    ".docx": _word,
    ".xlsx": _excel,
    ".pptx": _powerpoint,
    ".epub": _book,
    ".html": _web_page,
    ".htm": _web_page,
    ".md": _markdown,
    ".txt": _text,
    ".png": _picture,
    ".jpg": _picture,
    ".jpeg": _picture,
    ".tif": _picture,
    ".tiff": _picture,
}
