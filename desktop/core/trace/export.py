"""A trace for other programs: as JSON, and as OpenTelemetry spans.

The spans are written in the form of the OpenTelemetry protocol's JSON encoding (OTLP/JSON: one
`ExportTraceServiceRequest` a line, ids as hex, times as decimal nanoseconds in strings), which
the collector's `otlpjsonfile` receiver reads. Nothing is sent anywhere.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from desktop.core.trace.reasoning_trace import OutcomeStatus

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from desktop.core.trace.reasoning_trace import ReasoningEntry, ReasoningTrace

_SCOPE = "groundwork.reasoning_trace"
_INTERNAL = 1
_OK, _ERROR, _UNSET = 1, 2, 0
_STATUS = {
    OutcomeStatus.SUCCESS: _OK,
    OutcomeStatus.PARTIAL: _OK,
    OutcomeStatus.FAILED: _ERROR,
    OutcomeStatus.SKIPPED: _UNSET,
    OutcomeStatus.PENDING: _UNSET,
}


def trace_to_dict(trace: ReasoningTrace) -> dict[str, Any]:
    """Return a trace as plain values, its entries without their empty fields."""
    return {
        "interaction_id": trace.interaction_id,
        "user_request": trace.user_request,
        "started_at": trace.started_at,
        "outcome": trace.outcome.value,
        "confidence": trace.confidence,
        "commitments": trace.commitments,
        "pending_commitments": trace.pending_commitments,
        "entries": [entry.to_dict() for entry in trace.entries],
    }


def write_json(traces: Iterable[ReasoningTrace], path: Path) -> None:
    """Write traces to a file, a JSON list. Raises: OSError."""
    values = [trace_to_dict(trace) for trace in traces]
    path.write_text(json.dumps(values, ensure_ascii=False, indent=1, default=str), "utf-8")


def write_spans(traces: Iterable[ReasoningTrace], path: Path, version: str = "") -> None:
    """Write traces as OTLP/JSON, one request a line. version: the program's. Raises: OSError."""
    lines = [json.dumps(spans_request(trace, version), ensure_ascii=False) for trace in traces]
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def spans_request(trace: ReasoningTrace, version: str = "") -> dict[str, Any]:
    """Return a trace as one export request: a span for the question, below it one per step."""
    resource = [_attribute("service.name", "groundwork"), _attribute("service.version", version)]
    scope = {"name": _SCOPE, "version": version}
    spans = [_question_span(trace), *(_step_span(trace, entry) for entry in trace.entries)]
    return {
        "resourceSpans": [
            {"resource": {"attributes": resource}, "scopeSpans": [{"scope": scope, "spans": spans}]}
        ]
    }


def _question_span(trace: ReasoningTrace) -> dict[str, Any]:
    ends = [_end(entry) for entry in trace.entries]
    started = datetime.fromisoformat(trace.started_at)
    attributes = [
        _attribute("groundwork.user_request", trace.user_request),
        _attribute("groundwork.outcome", trace.outcome.value),
        _attribute("groundwork.commitments", trace.commitments),
        _attribute("groundwork.pending_commitments", trace.pending_commitments),
    ]
    if trace.confidence is not None:
        attributes.append(_attribute("groundwork.confidence", trace.confidence))
    return {
        "traceId": _id(trace.interaction_id, 32),
        "spanId": _id(trace.interaction_id, 16),
        "name": "question",
        "kind": _INTERNAL,
        "startTimeUnixNano": _nanoseconds(started),
        "endTimeUnixNano": _nanoseconds(max([started, *ends])),
        "attributes": attributes,
        "status": {"code": _STATUS[trace.outcome]},
    }


def _step_span(trace: ReasoningTrace, entry: ReasoningEntry) -> dict[str, Any]:
    began = datetime.fromisoformat(entry.timestamp)
    attributes = [
        _attribute("groundwork.stage", entry.stage.value),
        _attribute("groundwork.thought", entry.thought),
        _attribute("groundwork.outcome", entry.outcome.value),
        _attribute("groundwork.evidence", entry.evidence),
        _attribute("groundwork.corrections", entry.corrections),
        _attribute("groundwork.commitments", entry.commitments),
    ]
    if entry.parameters:
        parameters = json.dumps(entry.parameters, ensure_ascii=False, default=str)
        attributes.append(_attribute("groundwork.parameters", parameters))
    attributes += [_attribute(f"groundwork.{name}", value) for name, value in entry.metrics.items()]
    status: dict[str, Any] = {"code": _STATUS[entry.outcome]}
    if entry.error:
        status["message"] = entry.error
    return {
        "traceId": _id(trace.interaction_id, 32),
        "spanId": _id(entry.entry_id, 16),
        "parentSpanId": _id(trace.interaction_id, 16),
        "name": entry.action or entry.stage.value,
        "kind": _INTERNAL,
        "startTimeUnixNano": _nanoseconds(began),
        "endTimeUnixNano": _nanoseconds(_end(entry)),
        "attributes": attributes,
        "status": status,
    }


def _end(entry: ReasoningEntry) -> datetime:
    milliseconds = entry.metrics.get("milliseconds", 0.0)
    return datetime.fromisoformat(entry.timestamp) + timedelta(milliseconds=milliseconds)


def _attribute(key: str, value: str | float | Sequence[str]) -> dict[str, Any]:
    if isinstance(value, str):
        return {"key": key, "value": {"stringValue": value}}
    if isinstance(value, int | float):
        return {"key": key, "value": {"doubleValue": value}}
    return {"key": key, "value": {"arrayValue": {"values": [{"stringValue": v} for v in value]}}}


def _id(text: str, digits: int) -> str:
    """Return an id of so many hex digits, never all zeros, the same for the same text."""
    return hashlib.sha256(text.encode()).hexdigest()[:digits]


def _nanoseconds(moment: datetime) -> str:
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return str(((since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds) * 1_000)
