"""A sandbox's journal: lists, counts and expects requests. The service compares the requests and writes the messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Sequence, cast

from .transport import Transport, path_of
from .types import ExchangeMatch, Search, Times

if TYPE_CHECKING:
    from typing_extensions import Unpack

Entries = list[dict[str, Any]]
Lines = list[str]
Found = dict[str, Any]

# A limit above the number of requests that a journal can keep, so that none is left out.
_ALL = 10_000


class RequestMismatchError(AssertionError):
    """The requests are not as expected, or can't be judged, because the journal has dropped requests. The message has what came
    instead; `found` is the service's answer.
    """

    def __init__(self, found: Found) -> None:
        super().__init__(found["message"])
        self.found = found


class Requests:
    """The requests that the sandbox received. A reset, a restore and `clear()` empty this journal. If the journal gets too
    long, it drops the oldest requests: `find` tells how many.

    The keywords that select requests are keys of `types.Search`, or for `count` of `types.ExchangeMatch`. All are optional. A
    request must fit all that are given.
    """

    def __init__(self, transport: Transport, sandbox: str) -> None:
        self._transport = transport
        self._path = f"/sandboxes{path_of(sandbox, 'requests')}"
        self.expect = Expect(transport, self._path)

    def list(self, **match: Unpack[Search]) -> Entries:
        """Returns the requests that match, oldest first; without keywords, all requests of the journal."""
        return cast(Entries, self.find(**match)["requests"])

    def find(self, *, times: Optional[Times] = None, within: float = 0, **match: Unpack[Search]) -> Found:
        """Returns the service's answer:

        - `requests`: the requests that match; `count`: the number of these
        - `lost`: the number of other requests that may have matched, but can't be compared any more
        - `matched`: whether the number is as expected, whichever of the lost requests match
        - `dropped`: how many requests the journal has dropped; `dropped_bodies`: how many kept requests have lost their bodies
        - `near_misses`: if too few requests match, other requests, with their differences from the match
        """
        body = {"limit": _ALL, **match, **_options_of(times, within)}
        return cast(Found, self._transport.read("POST", f"{self._path}/find", body))

    def lines(self, **match: Unpack[Search]) -> Lines:
        """Returns a line for each request, for snapshot tests: `POST /api/users/alice/notifications/ as alice {"scope":10} → 201`.

        A line has no time, no header and no id of a journal's entry, so it is the same in each run.
        """
        return [entry["line"] for entry in self.list(**match)]

    def count(self, **match: Unpack[ExchangeMatch]) -> int:
        return int(self.find(**match, limit=0)["count"])

    def report(self, **match: Unpack[Search]) -> str:
        """Returns a report: the last requests that match, with bodies of writes and failures. pytest shows it if a test fails."""
        return self._transport.read_text("POST", f"{self._path}/find", match, accept="text/plain").rstrip()

    def clear(self) -> None:
        self._transport.read("DELETE", self._path)
        self.expect.asserted.clear()


class Expect:
    """Assertions. All raise RequestMismatchError unless the requests are certainly as expected. `within` is how many seconds
    to wait for the requests, at most 60. `since` is the id of a request: only later requests match.
    """

    def __init__(self, transport: Transport, path: str) -> None:
        self._transport = transport
        self._path = f"{path}/expect"
        #: The ids of requests that an assertion matched.
        self.asserted: set[str] = set()

    def __call__(
        self, *, times: Optional[Times] = None, within: float = 0, since: Optional[str] = None, **match: Unpack[ExchangeMatch]
    ) -> Entries:
        """Returns the requests that match. Without `times`, at least one is expected."""
        return self._assert({"match": match, **_options_of(times, within, since)})

    def in_order(self, matches: Sequence[ExchangeMatch], *, within: float = 0, since: Optional[str] = None) -> Entries:
        """Returns one request per match, if these arrived in the order of the matches. Other requests may come between them."""
        return self._assert({"in_order": list(matches), **_options_of(None, within, since)})

    def nothing_else(self, *, within: float = 0, since: Optional[str] = None) -> None:
        """Passes if `expect` and `expect.in_order` of this object have matched all requests of the journal."""
        self._assert({"except": sorted(self.asserted), **_options_of(None, within, since)})

    def _assert(self, expected: dict[str, Any]) -> Entries:
        found: Found = self._transport.read("POST", self._path, {**expected, "limit": _ALL})
        if not found["matched"]:
            raise RequestMismatchError(found)
        entries: Entries = found["requests"]
        self.asserted.update(entry["id"] for entry in entries)
        return entries


def _options_of(times: Optional[Times], within: float, since: Optional[str] = None) -> dict[str, Any]:
    options = {"times": times, "within_ms": round(within * 1000), "since": since}
    return {key: value for key, value in options.items() if value is not None}
