"""Knowledge as text for a prompt, the same for the same knowledge.

Titles and headings come from files that anybody may have written. They are data, so they are quoted
as titles and never stand where an instruction could.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from knowledge.metadata import EntityMetadata
    from knowledge.pieces import KnowledgePiece

Scored = Sequence[tuple["KnowledgePiece", float]]


@dataclass(frozen=True, slots=True)
class RetrievalResult:
    """What is known for a question.

    pieces: with scores above 0 and at most 1, best first, ties by id. graph_context: one dict
    per relation, with relation_type, source_node_id, source_label, target_node_id,
    target_node_type, target_label, description, depth, score, piece_id ("" without a linked
    piece), backwards (whether it leads to the entity).
    """

    metadata: EntityMetadata | None = None
    global_metadata: EntityMetadata | None = None
    pieces: tuple[tuple[KnowledgePiece, float], ...] = ()
    graph_context: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class KnowledgeFormatter:
    """Writes a `RetrievalResult` in sections, leaving out empty ones.

    section_delimiter: between sections. item_delimiter: between pieces.
    include_tags: the tags below each piece. include_scores: how well each piece
    answers, beside its type.
    """

    section_delimiter: str = "\n\n"
    item_delimiter: str = "\n---\n"
    include_tags: bool = True
    include_scores: bool = False

    def format(self, result: RetrievalResult) -> str:
        """Return all sections of a result."""
        sections = {
            "Metadata": self.metadata(result.metadata),
            "Global Metadata": self.metadata(result.global_metadata),
            "Knowledge": self.pieces(result.pieces),
            "Relationships": self.relations(result.graph_context),
        }
        return self.section_delimiter.join(
            f"[{title}]\n{text}" for title, text in sections.items() if text
        )

    def metadata(self, metadata: EntityMetadata | None) -> str:
        """Return a profile, one line per property, by name."""
        properties = metadata.properties if metadata else {}
        return "\n".join(f"{key}: {_indented(properties[key])}" for key in sorted(properties))

    def pieces(self, pieces: Scored) -> str:
        """Return pieces, the best first, ties by id."""
        ordered = sorted(pieces, key=lambda item: (-item[1], item[0].piece_id))
        return self.item_delimiter.join(self.piece(piece, score) for piece, score in ordered)

    def piece(self, piece: KnowledgePiece, score: float) -> str:
        """Return one piece. Its further lines are indented: none can pass for a section."""
        number = f" ({score:.2f})" if self.include_scores else ""
        text = f"[{piece.knowledge_type}]{number} {_indented(piece.content)}"
        tags = ", ".join(" ".join(tag.split()) for tag in piece.tags)
        return f"{text}\n  Tags: {tags}" if tags and self.include_tags else text

    def relations(self, relations: Sequence[Mapping[str, Any]]) -> str:
        """Return relations, one line each, by type and target."""
        by = ("relation_type", "target_node_id", "source_node_id", "description", "piece_id")
        ordered = sorted(relations, key=lambda each: [str(each[name]) for name in by])
        return "\n".join(dict.fromkeys(map(_relation, ordered)))


def _relation(relation: Mapping[str, Any]) -> str:
    kind = str(relation["target_node_type"])
    name = str(relation["target_node_id"]).removeprefix(f"{kind}:")
    about = str(relation["description"] or relation["target_label"])
    line = f"{relation['relation_type']} → {kind[:1].upper()}{kind[1:]}:{name}"
    if relation.get("backwards"):
        line = f"{relation['source_label'] or relation['source_node_id']} {line}"
    told = about and about.casefold() != name.casefold()
    return " ".join((f"{line} ({about})" if told else line).split())


def _indented(value: Any) -> str:
    is_text = isinstance(value, str)
    text = value if is_text else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return "\n  ".join(text.strip().splitlines())


LONGEST_TITLE = 120
"""Characters of a title that the agent is told."""

# What would end the quotation, open a tag or a heading of our own.
_MARKUP = str.maketrans({'"': "'", "“": "'", "”": "'", "„": "'", "`": "'", "<": "(", ">": ")"})


def plain(text: str, longest: int = LONGEST_TITLE) -> str:
    """Return text on one line of at most `longest` characters, free of control characters."""
    visible = "".join(c if unicodedata.category(c)[0] not in "CZ" else " " for c in text)
    line = " ".join(visible.split())
    if len(line) <= longest:
        return line
    cut = line[: longest - 1]
    return f"{cut.rsplit(' ', 1)[0] if ' ' in cut[longest // 2 :] else cut}…"


def quoted(title: str, longest: int = LONGEST_TITLE) -> str:
    """Return a title in quotation marks that nothing inside it can close."""
    return f'"{plain(title, longest).translate(_MARKUP).lstrip("#*-= ")}"'
