from __future__ import annotations

import email.message
from typing import TYPE_CHECKING, Any, cast

import pytest

from desktop.core.diagnostics.licences import (
    OURS,
    Part,
    licence_of,
    licence_text,
    needed_packages,
    our_parts,
)

if TYPE_CHECKING:
    from importlib.metadata import PackageMetadata


def metadata(**fields: Any) -> PackageMetadata:
    class Metadata(email.message.Message):
        @property
        def json(self) -> dict[str, Any]:
            return fields

    return cast("PackageMetadata", Metadata())


@pytest.mark.parametrize(
    ("fields", "licence"),
    [
        ({"license_expression": "MIT-0"}, "MIT-0"),
        ({"license": "Apache 2.0"}, "Apache-2.0"),
        ({"license": "MIT License\n\nCopyright (c) somebody"}, "MIT"),
        ({"classifier": ["License :: OSI Approved :: BSD License"]}, "BSD-3-Clause"),
        ({"license": "", "classifier": "Topic :: Utilities"}, ""),
        ({"name": "cuda-toolkit"}, "LicenseRef-NVIDIA-Proprietary"),
        ({"name": "PyMuPDF", "license": "Dual"}, "AGPL-3.0-only OR LicenseRef-Artifex-Commercial"),
    ],
)
def test_a_licence_is_named_however_a_package_states_it(fields, licence):
    assert licence_of(metadata(**fields)) == licence


def test_every_part_has_a_licence_and_most_bring_its_wording():
    parts = our_parts()
    assert parts[0].name == OURS
    names = {part.name for part in parts}
    assert {"pymupdf", "dspy", "numpy", "Qt", "SQLite", "Lucide", "multilingual-e5-small"} <= names
    assert [part.name for part in parts if not part.licence] == []
    assert sum(bool(licence_text(part)) for part in parts) > 0.75 * len(parts)


def test_needs_of_needs_are_parts_too_and_tools_of_developers_are_not():
    needed = needed_packages()
    assert "markupsafe" in needed  # of jinja2
    assert "pytest" not in needed


def test_the_typeface_brings_its_licence():
    part = next(part for part in our_parts([]) if part.name == "DejaVu Sans")
    assert "Bitstream" in licence_text(part)


def test_a_package_that_is_not_there_has_no_wording():
    assert licence_text(Part("no-such-package", "1", "MIT")) == ""
