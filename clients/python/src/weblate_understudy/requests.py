"""A sandbox's journal: lists, counts, expects and describes the requests that it received."""

from __future__ import annotations

import json
import re
from typing import Any, Optional, Union

from .transport import Transport

Entry = dict[str, Any]
Entries = list[Entry]
Found = dict[str, Any]
#: A number, or the least and the most, either of which may be None.
Times = Union[int, tuple[Optional[int], Optional[int]]]


class RequestMismatchError(AssertionError):
    """The requests that match are not as many as expected. The message has other requests, and what differs in them."""

    def __init__(self, message: str, found: Found) -> None:
        super().__init__(message)
        self.found = found


class Requests:
    """What a request must match is given by name, each part of it optional: `method`, `path` with `*` and `**`, `user` (None: a
    request without a token), `query`, `body` (a part of it), `status`, `unmatched` and `fault`, as in docs/reference/own-api.md.
    """

    def __init__(self, transport: Transport, sandbox_path: str) -> None:
        self._transport = transport
        self._path = f"{sandbox_path}/requests"

    def list(self, **match: Any) -> Entries:
        """The requests that match, oldest first; all of the journal if nothing is given."""
        entries: Entries = self.find(**match)["requests"]
        return entries

    def find(self, *, times: Optional[Times] = None, within: float = 0, **match: Any) -> Found:
        """As the service answers: `count`, `matched`, `requests` and `near_misses`."""
        body = {**match, "within_ms": round(within * 1000)}
        if isinstance(times, tuple):
            body["times"] = {key: value for key, value in zip(("min", "max"), times) if value is not None}
        elif times is not None:
            body["times"] = times
        found: Found = self._transport.read("POST", f"{self._path}/find", body)
        return found

    def count(self, **match: Any) -> int:
        return int(self.find(**match)["count"])

    def expect(self, *, times: Optional[Times] = None, within: float = 0, **match: Any) -> Entries:
        """Returns the requests that match, and raises RequestMismatchError if they are not as many as expected.

        At least one is expected if `times` is left out. `within` waits so many seconds for them, 60 at most.
        """
        found = self.find(times=times, within=within, **match)
        if not found["matched"]:
            raise RequestMismatchError(_describe_mismatch(match, times, found), found)
        requests: Entries = found["requests"]
        return requests

    def clear(self) -> None:
        self._transport.read("DELETE", self._path)


def describe_requests(entries: Entries) -> str:
    """A line for each request, and below it the bodies of those that write or fail."""
    width = min(80, max((len(_target_of(entry)) for entry in entries), default=0))
    return "\n".join(_describe(entry, width) for entry in entries)


def _target_of(entry: Entry) -> str:
    return f"{entry['path']}?{entry['query']}" if entry["query"] else str(entry["path"])


def _describe(entry: Entry, width: int = 0) -> str:
    status = entry["status"] or "closed"
    line = f"{entry['method']:<6} {_target_of(entry):<{width}}  {status}  {entry['principal'] or 'anonymous'}"
    if entry["fault"] is not None:
        line += f"  fault: {entry['fault']}"
    if entry["unmatched"]:
        line += "  no such path is served"
    # A read that succeeded needs no explanation.
    if entry["method"] in ("GET", "HEAD", "OPTIONS") and 0 < entry["status"] < 400:
        return line
    bodies = (("sent", entry["request_body"]), ("received", entry["response_body"]))
    return "\n".join([line, *(f"       {verb} {_shorten(body)}" for verb, body in bodies if body)])


def _shorten(text: str) -> str:
    # Nor may it steer a terminal.
    line = re.sub(r"[\s\x00-\x1f\x7f-\x9f]+", " ", text).strip()
    return line if len(line) <= 300 else f"{line[:300]}…"


def _describe_mismatch(match: dict[str, Any], times: Optional[Times], found: Found) -> str:
    low, high = times if isinstance(times, tuple) else (1, None) if times is None else (times, times)
    bounds = (("at least", low), ("at most", high))
    wanted = f"exactly {low}" if low == high else " and ".join(f"{word} {n}" for word, n in bounds if n is not None)
    lines = [f"Expected {wanted} of these requests, but the sandbox received {found['count'] or 'none'}:"]
    lines += [f"  {json.dumps(match, ensure_ascii=False)}"]
    if found["requests"]:
        lines += ["Received:", describe_requests(found["requests"])]
    if found["near_misses"]:
        lines += ["It also received:" if found["requests"] else "It received instead:"]
    for miss in found["near_misses"]:
        lines += [_describe(miss["request"]), f"       {_describe_difference(miss['differs'])}"]
    return "\n".join(lines)


def _describe_difference(difference: dict[str, Any]) -> str:
    received = json.dumps(difference["received"], ensure_ascii=False) if "received" in difference else "none"
    expected = json.dumps(difference["expected"], ensure_ascii=False)
    why = f" ({difference['reason']})" if "reason" in difference else ""
    return f"{difference['field']}: expected {expected}, received {received}{why}"
