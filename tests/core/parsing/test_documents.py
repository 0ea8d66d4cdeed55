import pymupdf
import pytest

from desktop.core.errors import NotAPdf, PdfNeedsPassword, UnreadablePdf
from desktop.core.structure.values import OutlineEntry

ENCRYPTED = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "user_pw": "open", "owner_pw": "own"}


def test_opening_tells_pages_title_outline_and_labels(in_process, make_pdf):
    def dress(document):
        document.set_metadata({"title": "Pump P-200"})
        document.set_toc([[1, "Safety", 1], [2, "Wiring", 3]])
        document.set_page_labels(
            [
                {"startpage": 0, "prefix": "", "style": "r", "firstpagenum": 1},
                {"startpage": 2, "prefix": "4-", "style": "D", "firstpagenum": 11},
            ]
        )

    info = in_process.open(make_pdf(change=dress))

    assert (info.page_count, info.title) == (5, "Pump P-200")
    assert info.outline == (OutlineEntry(1, "Safety", 0), OutlineEntry(2, "Wiring", 2))
    assert info.labels == ("i", "ii", "4-11", "4-12", "4-13")


def test_a_paragraph_and_unknown_signs_are_no_contents(in_process, make_pdf):
    def dress(document):
        document.set_toc([[1, "\uf069 Safety", 1], [2, "The pump stops and starts again. " * 7, 2]])

    assert in_process.open(make_pdf(change=dress)).outline == (OutlineEntry(1, "Safety", 0),)


@pytest.mark.parametrize(
    ("titles", "kept"),
    [(("Page 1", "Page 2"), 0), (("页 1", "页 2"), 0), (("Page 1", "Wiring"), 2)],
)
def test_entries_that_say_but_their_page_are_no_contents(in_process, make_pdf, titles, kept):
    def dress(document):
        document.set_toc([[1, title, page] for page, title in enumerate(titles, 1)])

    assert len(in_process.open(make_pdf(change=dress)).outline) == kept


def test_a_pdf_without_labels_has_empty_ones(in_process, make_pdf):
    assert in_process.open(make_pdf(pages=2)).labels == ("", "")


def test_a_title_is_taken_from_the_first_page_when_the_metadata_have_none(in_process, make_pdf):
    def print_title(document):
        document[0].insert_text((50, 60), "Boiler B7 Manual", fontsize=30)

    assert in_process.open(make_pdf(change=print_title)).title == "Boiler B7 Manual"


@pytest.mark.parametrize("password", [None, "wrong"])
def test_an_encrypted_pdf_asks_for_its_password(in_process, make_pdf, password):
    with pytest.raises(PdfNeedsPassword):
        in_process.open(make_pdf(**ENCRYPTED), password)


def test_an_encrypted_pdf_opens_with_its_password(in_process, make_pdf):
    path = make_pdf(**ENCRYPTED)

    assert in_process.open(path, "open").page_count == 5
    assert all(not page.error for page in in_process.read_text(path, 0, 5, "open"))


def test_knowing_a_password_once_does_not_open_the_file_to_others(in_process, make_pdf):
    path = make_pdf(**ENCRYPTED)
    in_process.open(path, "open")

    with pytest.raises(PdfNeedsPassword):
        in_process.open(path)


def test_a_truncated_pdf_is_repaired(in_process, make_pdf):
    path = make_pdf()
    path.write_bytes(path.read_bytes()[:-200])

    assert in_process.open(path).page_count == 5


def test_other_files_are_told_apart_from_damaged_pdfs(in_process, tmp_path):
    text = tmp_path / "notes.pdf"
    text.write_text("just notes")
    ruin = tmp_path / "ruin.pdf"
    ruin.write_bytes(b"%PDF-1.7\n" + bytes(range(256)) * 20)
    empty = tmp_path / "empty.pdf"
    empty.touch()

    with pytest.raises(NotAPdf):
        in_process.open(text)
    with pytest.raises(NotAPdf):
        in_process.open(empty)
    with pytest.raises(UnreadablePdf, match="damaged"):
        in_process.open(ruin)


def test_a_pdf_without_pages_is_refused(in_process, tmp_path):
    path = tmp_path / "zero.pdf"
    path.write_bytes(
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        b"2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>"
    )

    with pytest.raises(UnreadablePdf, match="no pages"):
        in_process.open(path)


def test_a_missing_file_is_refused(in_process, tmp_path):
    with pytest.raises(UnreadablePdf):
        in_process.open(tmp_path / "gone.pdf")


def test_a_changed_file_is_read_anew(in_process, make_pdf):
    path = make_pdf(pages=2)
    assert in_process.open(path).page_count == 2
    make_pdf(pages=7)

    assert in_process.open(path).page_count == 7
