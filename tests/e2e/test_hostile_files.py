"""Damaged, strange and hostile PDF files: each gets a row that says what became of it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from desktop.core.library.values import DocumentChanged, PageFailed
from tests.e2e.real_library import ROOT, ingest, opened

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core.workspace import Workspace

NASTY = ROOT.parent / "shared" / "bench" / "nasty"
FILES = sorted(NASTY.glob("*.pdf"))
SECONDS = 300.0  # a file that is never given up would take for ever; a busy machine takes a while

pytestmark = [pytest.mark.shared, pytest.mark.slow, pytest.mark.timeout(1_800)]


@pytest.mark.skipif(not FILES, reason=f"there is no {NASTY}")
def test_every_hostile_file_ends_ready_locked_or_failed_with_a_reason_in_time(tmp_path):
    wrong: list[str] = []
    with opened(tmp_path / "library") as workspace:
        for path in FILES:
            began = time.monotonic()
            complaint = _complaint(workspace, path)
            seconds = time.monotonic() - began
            if seconds > SECONDS:
                complaint += f" took {seconds:.0f} s"
            if complaint:
                wrong.append(f"{path.name}: {complaint}")
        assert workspace.database.check() == []
        assert len(workspace.library.documents()) == len(FILES)
    assert not wrong


def _complaint(workspace: Workspace, path: Path) -> str:
    events = ingest(workspace, [path])
    document = [e.document for e in events if isinstance(e, DocumentChanged)][-1]
    reasons = [event.reason for event in events if isinstance(event, PageFailed)]
    if document.state not in ("ready", "needs_password", "failed"):
        return f"ended {document.state}"
    if document.state != "ready":
        reasons.append(document.reason)
    if document.state == "ready" and not document.page_count:
        return "ready without a page"
    if document.failed_pages and not reasons:
        return "pages failed and nobody was told"
    if not all(reasons):
        return "no reason"
    if any(document.sha256[:12] in reason for reason in reasons):
        return f"the reason names the library's own copy: {reasons}"
    return ""
