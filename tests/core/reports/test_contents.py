"""What a report says of an answer."""

from desktop.core.events import CitationEvent, PageRegion, QuotedForm
from desktop.core.reports.contents import with_rows


def test_a_quoted_row_stands_below_what_leads_it():
    form = QuotedForm(
        "row", "Screw: PZ 2; Torque: 1.2 Nm", (), ("Screw", "Torque"), ("PZ 2", "1.2 Nm"), 1
    )
    cited = CitationEvent(2, PageRegion(1, "hx.pdf", 8, "4-1", ()), "PZ 2 | 1.2 Nm", form=form)
    text = "Tighten it. [1]\n- Screw: PZ 2; Torque: 1.2 Nm [2]\nScrew: PZ 2; Torque: 3 Nm [3]"
    told = "Tighten it. [1]\n1.2 Nm [2]\n{}\nScrew: PZ 2; Torque: 3 Nm [3]"
    assert with_rows(text, [cited]) == told.format("Screw: PZ 2\nTorque: 1.2 Nm")
    table = told.format("| Screw | Torque |\n| PZ 2 | 1.2 Nm |")
    assert with_rows(text, [cited], tables=True) == table
