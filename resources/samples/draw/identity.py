"""What one manual says about itself: titles, numbers, dates."""

from __future__ import annotations

from dataclasses import dataclass

MAKER = "Lydmoor Pumpworks"
PRODUCT = "HX-200"
PRODUCT_LINE = "Booster pump station"


@dataclass(frozen=True, slots=True)
class Identity:
    """The constant facts printed on a manual's cover, headers and metadata."""

    file_name: str
    title: str
    audience: str
    number: str
    edition: str
    pdf_date: str


INSTALLATION = Identity(
    file_name="hx200_installation_manual.pdf",
    title="Installation manual",
    audience="For installers and commissioning engineers",
    number="LP-HX200-IM-03",
    edition="Edition 3, March 2026",
    pdf_date="D:20260302090000Z",
)
OPERATION = Identity(
    file_name="hx200_operator_manual.pdf",
    title="Operator manual",
    audience="For operators and caretakers",
    number="LP-HX200-OM-03",
    edition="Edition 3, March 2026",
    pdf_date="D:20260302093000Z",
)
