"""Entry point of the parser process: `python -m desktop.parser_worker`.

A frozen application starts itself with `--parser-worker` and calls `main` here.
"""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

from desktop import tripwire

if TYPE_CHECKING:
    from desktop.models.roles import TextRecognizer


def main() -> int:
    """Serve requests on stdin and stdout until stdin closes."""
    # Before anything is imported that might print.
    from desktop.core.parsing.messages import claim_standard_streams

    incoming, outgoing = claim_standard_streams()
    tripwire.tell_parent()
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(name)s: %(message)s")
    from desktop.core.parsing.worker import serve

    serve(incoming, outgoing, load_recognizer)
    return 0


def load_recognizer() -> TextRecognizer:
    """Load what reads scanned pages: here, where no page's time limit runs.

    Raises: ModelNotInstalled, ModelDamaged.
    """
    from desktop.models.built_in import load_text_recognizer

    return load_text_recognizer()


if __name__ == "__main__":
    sys.exit(main())
