"""A sandbox's journal: lists, counts and expects the requests that it received. The service compares, and words what differs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Sequence, cast

from .transport import Transport, path_of
from .types import ExchangeMatch, Search, Times

if TYPE_CHECKING:
    from typing_extensions import Unpack

Entries = list[dict[str, Any]]
Lines = list[str]
Found = dict[str, Any]

# More than a journal keeps.
_ALL = 10_000


class RequestMismatchError(AssertionError):
    """The requests are not as expected, or the journal has dropped what could decide it. The message has what came instead;
    `found` is all that the service answered.
    """

    def __init__(self, found: Found) -> None:
        super().__init__(found["message"])
        self.found = found


class Requests:
    """What the sandbox received since it was made, reset or restored, or the journal cleared. The journal drops the oldest requests
    where it gets too long: `find` tells how many.

    What a request must match is given by the names of `types.Search`, each of them optional.
    """

    def __init__(self, transport: Transport, sandbox: str) -> None:
        self._transport = transport
        self._path = f"/sandboxes{path_of(sandbox, 'requests')}"
        self.expect = Expect(transport, self._path)

    def list(self, **match: Unpack[Search]) -> Entries:
        """The requests that match, oldest first; all of the journal if nothing is given."""
        return cast(Entries, self.find(**match)["requests"])

    def find(self, *, times: Optional[Times] = None, within: float = 0, **match: Unpack[Search]) -> Found:
        """As the service answers:

        - `requests`: those that match, and `count`, how many
        - `matched`: whether these are as many as expected, however many of the lost ones matched
        - `lost`: how many others may have matched, which the journal can't compare any more
        - `dropped`, `dropped_bodies`: how many requests the journal has dropped, and of how many others the bodies
        - `near_misses`: where too few match, others with what differs
        """
        body = {"limit": _ALL, **match, **_options_of(times, within)}
        return cast(Found, self._transport.read("POST", f"{self._path}/find", body))

    def lines(self, **match: Unpack[Search]) -> Lines:
        """A line for each, for a snapshot: `POST /api/users/alice/notifications/ as alice {"scope":10} → 201`.

        It has no times, ids of entries or headers, so it is the same in each run.
        """
        return [entry["line"] for entry in self.list(**match)]

    def count(self, **match: Unpack[ExchangeMatch]) -> int:
        return int(self.find(**match, limit=0)["count"])

    def report(self, **match: Unpack[Search]) -> str:
        """The last requests that match as text for people, with their bodies: what pytest shows of a test that fails."""
        return self._transport.read_text("POST", f"{self._path}/find", match, accept="text/plain").rstrip()

    def clear(self) -> None:
        self._transport.read("DELETE", self._path)
        self.expect.asserted.clear()


class Expect:
    """Assertions. All raise RequestMismatchError unless the requests are certainly as expected. `within` waits so many seconds for
    them, 60 at most; `since` is the id of a request: only later ones count.
    """

    def __init__(self, transport: Transport, path: str) -> None:
        self._transport = transport
        self._path = f"{path}/expect"
        #: The ids of requests that an assertion matched.
        self.asserted: set[str] = set()

    def __call__(
        self, *, times: Optional[Times] = None, within: float = 0, since: Optional[str] = None, **match: Unpack[ExchangeMatch]
    ) -> Entries:
        """Returns the requests that match. At least one is expected if `times` is left out."""
        return self._assert({"match": match, **_options_of(times, within, since)})

    def in_order(self, matches: Sequence[ExchangeMatch], *, within: float = 0, since: Optional[str] = None) -> Entries:
        """Returns a request for each match, each of which arrived after the one before. Others may come between them."""
        return self._assert({"in_order": list(matches), **_options_of(None, within, since)})

    def nothing_else(self, *, within: float = 0, since: Optional[str] = None) -> None:
        """The journal has only requests that `expect` and `expect.in_order` of this object have matched."""
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
