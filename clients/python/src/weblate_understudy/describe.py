"""Requests and failed assertions as text, in the words of the JavaScript client."""

from __future__ import annotations

import json
import re
from typing import Any, Callable, Optional

Entry = dict[str, Any]
Entries = list[Entry]

_MOST_IN_REPORT = 20
_MOST_IN_MISMATCH = 5
_ADVICE_ON_LOST = "Give each test a sandbox of its own, or clear the journal before the requests that the test asserts."


def describe_last(found: dict[str, Any]) -> str:
    """For a test's report: what the journal dropped, and the last of these requests."""
    entries = found["requests"]
    lines = _describe_dropped(found)
    if len(entries) > _MOST_IN_REPORT:
        lines += [f"The last {_MOST_IN_REPORT} of {len(entries)}:"]
    return "\n".join([*lines, describe_requests(entries[-_MOST_IN_REPORT:]) or "none"])


def describe_unserved(found: dict[str, Any], accept: str) -> str:
    """Of a test that requested what isn't served, or may have. `accept` is what to do where the test may."""
    if found["requests"]:
        lines = ["The test requested paths that Understudy doesn't serve:", describe_last(found), f"To accept that, {accept}."]
    else:
        lines = ["The test may have requested paths that Understudy doesn't serve."]
        lines += [*_describe_dropped(found), f"Send fewer requests in one test, or {accept}."]
    return "\n".join(lines)


def describe_requests(entries: Entries) -> str:
    """A line for each request, and below it the bodies of those that write or fail."""
    width = min(80, max((len(_target_of(entry)) for entry in entries), default=0))
    return "\n".join(_describe(entry, width) for entry in entries)


def describe_mismatch(
    sandbox: str, match: dict[str, Any], times: Any, within: float, found: dict[str, Any]
) -> str:
    count, lost, entries = found["count"], found["lost"], found["requests"]
    low, high = times if isinstance(times, tuple) else (1, None) if times is None else (times, times)
    wanted = _describe_times(low or 0, high) + _describe_wait(within)
    lines = [f"Expected {wanted}, but sandbox {sandbox} received {count or 'none'}{_describe_lost(lost)}:"]
    lines += [f"  {request_line(match)}"]
    if lost:
        lines += [*_describe_dropped(found), _ADVICE_ON_LOST]
    if entries:
        lines += ["Received:", *_numbered(entries[:_MOST_IN_MISMATCH], _describe)]
    if len(entries) > _MOST_IN_MISMATCH:
        lines += [f"  and {len(entries) - _MOST_IN_MISMATCH} more"]
    if count < (low or 0):
        lines += _describe_near_misses(found["near_misses"], count > 0)
    return "\n".join(lines)


def describe_disorder(
    sandbox: str, matches: list[dict[str, Any]], within: float, count: int, found: dict[str, Any]
) -> str:
    """Of requests that didn't come in an order. `count` of them, from the first on, came; `found` has all requests."""
    after = f" after number {count}" if count else ""
    wanted = f"{_count(len(matches))} in this order{_describe_wait(within)}"
    lines = [f"Expected {wanted}, but sandbox {sandbox} received no number {count + 1}{after}:"]
    lines += _numbered(matches, request_line)
    if found["dropped"]:
        lines += [*_describe_dropped(found), _ADVICE_ON_LOST]
    lines += ["Received:", *_lines_of(found["requests"])] if found["requests"] else ["Its journal is empty."]
    return "\n".join(lines)


def describe_others(sandbox: str, within: float, others: Entries, found: dict[str, Any]) -> str:
    """`others` are requests that no assertion matched."""
    dropped = found["dropped"]
    received = f"{len(others) or 'none'} that no assertion matched{_describe_lost(dropped)}"
    lines = [f"Expected no other request{_describe_wait(within)}, but sandbox {sandbox} received {received}:"]
    if dropped:
        lines += [*_describe_dropped(found), _ADVICE_ON_LOST]
    return "\n".join([*lines, *_lines_of(others)])


def _lines_of(entries: Entries) -> list[str]:
    more = [f"  the last {_MOST_IN_REPORT} of {len(entries)}:"] if len(entries) > _MOST_IN_REPORT else []
    return [*more, *(f"  {entry['line']}" for entry in entries[-_MOST_IN_REPORT:])]


def _describe_lost(count: int) -> str:
    return f", and perhaps {count} that its journal can't compare any more" if count else ""


def _describe_wait(within: float) -> str:
    return f" within {within:g}s" if within else ""


def _describe_dropped(found: dict[str, Any]) -> list[str]:
    dropped, bodies = found["dropped"], found["dropped_bodies"]
    parts = [f"the oldest {_count(dropped)}"] if dropped else []
    parts += [f"the bodies of {_count(bodies)}"] if bodies else []
    return [f"The journal dropped {', and '.join(parts)}."] if parts else []


def _count(count: int) -> str:
    return f"{count} {'request' if count == 1 else 'requests'}"


def _describe_times(low: int, high: Optional[int]) -> str:
    if high == 0:
        return "no request"
    if high is None:
        return f"at least {_count(low)}"
    if low == high:
        return f"exactly {_count(low)}"
    return f"{low} to {_count(high)}" if low else f"at most {_count(high)}"


def request_line(match: dict[str, Any]) -> str:
    """One line: `POST /api/users/** as alice {"scope":10} → 201`"""
    method, user = match.get("method"), match.get("user")
    words = [method.upper()] if method else []
    words += [match.get("path") or ("any path" if method else "any request")]
    if "user" in match:
        words += ["without a token" if user is None else f"as {user}"]
    words += [f"with {name} {_shown(match[name])}" for name in ("query", "headers") if name in match]
    if "body" in match:
        words += [_shown(match["body"])]
    if "unmatched" in match:
        words += ["to a path that isn't served" if match["unmatched"] else "to a path that is served"]
    if "status" in match:
        words += [f"→ {match['status'] or 'closed'}"]
    if "fault" in match:
        words += [f"struck by fault {match['fault']}"]
    return " ".join(words)


def _describe_near_misses(near_misses: list[dict[str, Any]], has_matches: bool) -> list[str]:
    if not near_misses:
        return ["Its journal has no other request." if has_matches else "Its journal is empty."]
    heading = "It also received:" if has_matches else "It received instead:"
    return [heading, *_numbered(near_misses, lambda miss: "\n       ".join([_describe(miss["request"]), *map(_difference, miss["differs"])]))]


def _difference(difference: dict[str, Any]) -> str:
    received = _shown(difference["received"]) if "received" in difference else "none"
    why = f" ({difference['reason']})" if "reason" in difference else ""
    return f"{difference['field']}: expected {_shown(difference['expected'])}, received {received}{why}"


def _numbered(values: list[dict[str, Any]], text: Callable[[dict[str, Any]], str]) -> list[str]:
    return [f"  {index}. {text(value)}" for index, value in enumerate(values, 1)]


def _shown(value: Any) -> str:
    return _shorten(json.dumps(value, ensure_ascii=False, separators=(",", ":")), 160)


def _target_of(entry: Entry) -> str:
    return f"{entry['path']}?{entry['query']}" if entry["query"] else str(entry["path"])


def _describe(entry: Entry, width: int = 0) -> str:
    status = entry["status"] or "closed"
    line = f"{entry['method']:<6} {_target_of(entry):<{width}}  {status}  {entry['principal'] or 'anonymous'}"
    if entry["fault"] is not None:
        line += f"  fault: {entry['fault']}"
    if entry["unmatched"]:
        line += "  no such path is served"
    more = [("hint:", entry["hint"]), ("not mirrored:", entry["not_mirrored"])]
    # A read that succeeded needs no explanation.
    if entry["method"] not in ("GET", "HEAD", "OPTIONS") or not 0 < entry["status"] < 400:
        received = entry["response_body"]
        if received is None and entry["error"] is not None:
            # The journal drops bodies first.
            received = entry["error"]["detail"]
        more += [("sent", entry["request_body"]), ("received", received)]
    return "\n".join([line, *(f"       {word} {_on_one_line(text)}" for word, text in more if text is not None)])


def _on_one_line(text: str) -> str:
    # Nor may it steer a terminal.
    return _shorten(re.sub(r"[\s\x00-\x1f\x7f-\x9f]+", " ", text).strip(), 300)


def _shorten(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
