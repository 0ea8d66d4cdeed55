"""What the window imports late, loaded beside it: a second thread's imports stop no painting."""

from __future__ import annotations

from desktop.ui.centre import load_viewer
from desktop.ui.laptop.sleep_watch import load_listener
from desktop.ui.models.controller import load_work


def load_parts() -> None:
    """Import what the parts of the window need as soon as there is a library; in any thread."""
    load_viewer()
    load_work()
    load_listener()
    import psutil  # noqa: F401 - the battery is asked through it

    import desktop.core.conversations.suggested_questions
    import desktop.core.library.domains
    import desktop.ui.notes.page_links  # noqa: F401 - for its effect: it is loaded then
