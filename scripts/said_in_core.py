"""What the core, the models and the knowledge base say to people, collected from their code.

That is the text of `said` and `template`; the text of their own exceptions, which the window
shows as the reason of a problem; and every sentence of the few modules of `desktop.models` that
explain something, which cannot import `said`.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("desktop/core", "desktop/models", "knowledge")
SAID = frozenset({"said", "template", "counted"})
EVENTS = frozenset(
    {"Answer", "ConfidenceEvent", "Decision", "Error", "ErrorEvent", "Judged", "Objection"}
    | {"Proposal", "ResearchProgressEvent", "Result", "StatusEvent"}
)
"""What is told of a question; Finding belongs to the doctor, too, which the window never shows."""
EXPLAINING = (
    "desktop/core/agent/answering/refusals.py",
    "desktop/core/agent/deliverables.py",
    "desktop/core/agent/requests.py",
    "desktop/core/agent/rule_decider.py",
    "desktop/core/answering/extractive.py",
    "desktop/core/agent/question_trace.py",
    "desktop/core/claims/review.py",
    "desktop/core/notes/proposal.py",
    "desktop/core/research/critic.py",
    "desktop/core/research/monitor.py",
    "desktop/core/research/deep_research.py",
    "desktop/core/research/errors.py",
    "desktop/core/research/orchestrator.py",
    "desktop/core/research/proposal.py",
    "desktop/core/research/run.py",
    "desktop/core/research/trace.py",
    "desktop/models/families.py",
    "desktop/models/manager.py",
    "desktop/models/overview.py",
    "desktop/models/packs/model_contents.py",
    "desktop/models/packs/model_folder.py",
    "desktop/models/packs/operations.py",
    "desktop/models/safetensors_file.py",
)
FOR_DEVELOPERS = ("desktop/core/evaluation/", "desktop/core/language/")
"""What goes wrong there is not shown in the window."""
_SENTENCE = re.compile(r"[A-Za-z'{}]{2,} [A-Za-z{]")


def templates() -> list[str]:
    """Return them, in the order of the alphabet, with names in braces for their values."""
    trees = {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8"))
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
    }
    if gone := set(EXPLAINING) - set(trees):
        raise FileNotFoundError(f"renamed or removed, so what they say is lost: {sorted(gone)}")
    own = _exceptions(trees)
    found: set[str] = set()
    for name, tree in trees.items():
        found.update(_arguments(tree, SAID))
        if not name.startswith(FOR_DEVELOPERS):
            found.update(each for each in _arguments(tree, own | EVENTS) if " " in each)
        if name in EXPLAINING:
            found.update(each for each in _texts(tree) if _SENTENCE.search(each))
    return sorted(each for each in found if _is_said(each))


def _is_said(text: str) -> bool:
    """Whether a text has words of its own, and is no pattern, statement or line of the log."""
    own = re.sub(r"\{\w+\}", "", text)
    return bool(re.search("[A-Za-z]{2}", own)) and not re.search(r"%[sd]|\(\?|^<|\n", own)


def template_of(node: ast.expr) -> str | None:
    """Return a literal or an f-string as a template, None for any other expression."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if not isinstance(node, ast.JoinedStr):
        return None
    parts: list[str] = []
    names: list[str] = []
    for each in node.values:
        if isinstance(each, ast.Constant):
            parts.append(str(each.value))
        elif isinstance(each, ast.FormattedValue):
            names.append(_unused(_name_of(each.value), names))
            parts.append(f"{{{names[-1]}}}")
    return "".join(parts)


def _exceptions(trees: dict[str, ast.Module]) -> frozenset[str]:
    """Return the names of the classes that the modules called `errors` declare."""
    return frozenset(
        node.name
        for name, tree in trees.items()
        if name.endswith("errors.py")
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    )


def _arguments(tree: ast.AST, names: frozenset[str]) -> Iterator[str]:
    """Yield the texts that calls of these names get, be it one of two of a condition."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node.func) in names:
            values = [*node.args, *(keyword.value for keyword in node.keywords)]
            for value in values:
                yield from _of_expression(value)


def _of_expression(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.IfExp):
        yield from _of_expression(node.body)
        yield from _of_expression(node.orelse)
    elif text := template_of(node):
        yield text


def _texts(tree: ast.AST) -> Iterator[str]:
    """Yield every text of a module but its docstrings."""
    inner = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in ast.walk(node)
        if part is not node
    }
    quiet = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.expr) and id(node) not in inner | quiet:
            text = template_of(node)
            if text:
                yield text


def _called(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _name_of(value: ast.expr) -> str:
    """Return a word for a value: of shown(file.path) it is "path"."""
    match value:
        case ast.Name(id=name):
            return name.strip("_").lower()
        case ast.Attribute(attr=name):
            return name.strip("_").lower()
        case ast.Call(args=[first, *_]) if not isinstance(first, ast.Constant):
            return _name_of(first)
        case ast.Subscript(value=inner) | ast.BinOp(left=inner):
            return _name_of(inner)
        case ast.Call(func=ast.Attribute(value=inner)):
            return _name_of(inner)
        case _:
            return "value"


def _unused(name: str, names: list[str]) -> str:
    if name not in names:
        return name
    return next(each for n in range(2, 99) if (each := f"{name}{n}") not in names)
