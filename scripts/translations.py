"""Bring the window's translations up to date: collect what is said, merge, compile.

Usage: translations.py [--check]. Collects every sentence of the window, of the settings and of
the rooms below it (`desktop.sentences`), lets Qt's lupdate merge them into
resources/translations/groundwork_de.ts, which is what a translator edits (Qt Linguist opens it),
and compiles it with lrelease. What the rooms below say is also written to said_de.json, for
answers and reports in the language of the question.
Prints what is not translated yet; --check changes nothing and ends with 1 if that is anything,
or if the files are not up to date.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.core.settings.describing import describe
from desktop.core.settings.sections import Settings
from desktop.models.catalogue import Catalogue
from desktop.ui.settings.page import in_file_only

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "translations"
LANGUAGES = ("de", "en")
"""English is spoken already; its file holds the plurals alone."""
ENGLISH = "en"
CONTEXT = "Groundwork"
WINDOW = ("desktop/ui",)
_HOLE = re.compile(r"\{[\w:]+\}")
_OWN = re.compile(r"[^\W\d_]{2}|[“”]")
"""What a template needs to be translated: words, or signs that languages write otherwise."""
TEXT_AT = {"tr": 0, "_tr": 0, "translate": 1, "QT_TRANSLATE_NOOP": 1}
"""Which argument of a call holds the sentence; the remark and the number follow it."""
BELOW = ("desktop", "knowledge")
SAID_AT = {"said": (0,), "template": (0,), "counted": (1, 2)}
"""Which arguments of a call of `desktop.sentences` hold a template."""
ERRORS = ("SaidError", "KnowledgeError")
"""The first argument of those that derive from them is a template as well."""


@dataclass(frozen=True, slots=True)
class Source:
    """One sentence to translate. comment: tells two of the same words apart."""

    text: str
    comment: str = ""
    plural: bool = False


def main(arguments: Sequence[str]) -> int:
    """Update the files, or check them; returns the exit code."""
    sources = collected()
    left = 0
    for language in LANGUAGES:
        kept = FOLDER / f"groundwork_{language}.ts"
        with tempfile.TemporaryDirectory(prefix="groundwork-translations-") as folder:
            merged = Path(folder) / kept.name
            if kept.exists():
                merged.write_bytes(kept.read_bytes())
            _merge(sources, merged, language)
            missing = untranslated(merged)
            left += len(missing)
            for text in missing:
                print(f"{language}: {text!r}")
            said = _said_by_the_core(merged).encode()
            written = {kept: merged.read_bytes()}
            if language != ENGLISH:
                written[FOLDER / f"said_{language}.json"] = said
            if "--check" in arguments:
                stale = [p for p, new in written.items() if not p.exists() or p.read_bytes() != new]
                left += len(stale)
                for path in stale:
                    print(f"{path.name} is out of date: make translations")
            else:
                FOLDER.mkdir(parents=True, exist_ok=True)
                for path, new in written.items():
                    path.write_bytes(new)
                _run("lrelease", "-silent", str(kept), "-qm", str(kept.with_suffix(".qm")))
        print(f"{language}: {len(missing)} of {len(sources)} sentences are not translated")
    return 1 if left and "--check" in arguments else 0


def collected() -> list[Source]:
    """Return every sentence, in the order of the alphabet."""
    found = {*_of_settings(), *_of_models()}
    for folder in WINDOW:
        for path in sorted((ROOT / folder).rglob("*.py")):
            found.update(calls(ast.parse(path.read_text("utf-8")), TEXT_AT))
    found.update(map(Source, templates()))
    return sorted(found, key=lambda each: (each.text, each.comment, each.plural))


def calls(tree: ast.AST, text_at: dict[str, int]) -> Iterator[Source]:
    """Yield the literal sentences that are handed to the functions of these names."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        place = text_at.get(_name(node.func))
        if place is None or len(node.args) <= place:
            continue
        text, *more = map(_literal, node.args[place:])
        if text:
            comment = more[0] if more and more[0] else ""
            yield Source(text, comment, len(more) > 1)


def templates() -> list[str]:
    """Return what the rooms below the window say, in the order of the alphabet."""
    paths = [path for folder in BELOW for path in (ROOT / folder).rglob("*.py")]
    nodes = [node for path in paths for node in ast.walk(ast.parse(path.read_text("utf-8")))]
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    said_at = SAID_AT | dict.fromkeys(ERRORS, (0,))
    while more := [
        each.name
        for each in classes
        if each.name not in said_at and any(_name(base) in said_at for base in each.bases)
    ]:
        said_at |= dict.fromkeys(more, (0,))
    found = {
        _literal(node.args[at])
        for node in nodes
        if isinstance(node, ast.Call)
        for at in said_at.get(_name(node.func), ())
        if at < len(node.args)
    }
    return sorted(text for text in found if text and _OWN.search(_HOLE.sub("", text)))


def untranslated(path: Path) -> list[str]:
    """Return the sentences of a .ts file that have no finished translation."""
    root = ET.fromstring(path.read_text("utf-8"))  # our own file
    return [
        message.findtext("source", "")
        for message in root.iter("message")
        if (translation := message.find("translation")) is None
        or translation.get("type") is not None
    ]


def _said_by_the_core(path: Path) -> str:
    """Return the templates of the core with their finished translations, as JSON."""
    root = ET.fromstring(path.read_text("utf-8"))  # our own file
    told = {
        message.findtext("source", ""): translation.text or ""
        for message in root.iter("message")
        if (translation := message.find("translation")) is not None
        and translation.get("type") is None
        and not message.findtext("comment")
    }
    known = {text: told[text] for text in templates() if told.get(text)}
    return json.dumps(known, ensure_ascii=False, indent=0) + "\n"


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _literal(node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return None


def _of_settings() -> Iterator[Source]:
    for section in describe(Settings):
        yield from map(Source, (section.title, section.description))
        for field in section.fields:
            if in_file_only(".".join(field.path)):
                continue
            texts = (field.title, field.description, field.group)
            yield from (Source(text) for text in texts if text)


def _of_models() -> Iterator[Source]:
    catalogue = Catalogue.load()
    for profile in catalogue.profiles:
        yield from map(Source, (profile.title, profile.summary))
    yield from (Source(entry.summary) for entry in catalogue.entries if entry.summary)


def _merge(sources: Iterable[Source], target: Path, language: str) -> None:
    """Let lupdate merge: it keeps what is translated and marks what has gone or changed."""
    # JSON's quotes and escapes are Python's and those that lupdate understands.
    lines = [
        f"QCoreApplication.translate({_quoted(CONTEXT)}, {_quoted(text.text)}"
        f", {_quoted(text.comment)}{', 1' if text.plural else ''})"
        for text in sources
    ]
    listing = target.with_name("sentences.py")
    listing.write_text("\n".join(lines), "utf-8")
    plural = ("-pluralonly",) if language == ENGLISH else ()
    options = (*plural, "-silent", "-locations", "none", "-no-obsolete", "-source-language", "en")
    _run("lupdate", *options, "-target-language", language, str(listing), "-ts", str(target))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _run(tool: str, *arguments: str) -> None:
    program = Path(sys.executable).with_name(f"pyside6-{tool}")
    subprocess.run([str(program), *arguments], check=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
