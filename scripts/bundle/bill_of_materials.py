"""Writes what the program is made of, in CycloneDX's format: the SBOM."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cyclonedx.factory.license import LicenseFactory
from cyclonedx.model import Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

import desktop
from desktop.core.diagnostics.licences import Part, our_parts
from scripts.bundle.dependencies import OURS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def write(path: Path, names: Iterable[str]) -> int:
    """Write the bill for distributions and for what is not a Python package.

    names: of the distributions. Returns: how many components it lists.
    """
    bom = Bom()
    bom.metadata.component = Component(
        name=OURS,
        version=desktop.__version__,
        type=ComponentType.APPLICATION,
        licenses=[LicenseFactory().make_from_string("AGPL-3.0-or-later")],
    )
    for part in our_parts(names):
        if part.name != OURS:
            component = _component(part)
            bom.components.add(component)
            bom.register_dependency(bom.metadata.component, [component])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(JsonV1Dot6(bom).output_as_string(indent=1), encoding="utf-8")
    return len(bom.components)


def _component(part: Part) -> Component:
    licences = [LicenseFactory().make_from_string(part.licence)] if part.licence else []
    address = PackageURL("pypi", name=part.name, version=part.version) if part.is_package else None
    purpose = [Property(name="groundwork:purpose", value=part.purpose)] if part.purpose else []
    return Component(
        name=part.name,
        version=part.version or None,
        type=ComponentType.LIBRARY if part.is_package else ComponentType.DATA,
        licenses=licences,
        purl=address,
        properties=purpose,
    )
