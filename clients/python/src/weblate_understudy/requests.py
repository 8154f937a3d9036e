"""A sandbox's journal: lists, counts and expects the requests that it received."""

from __future__ import annotations

import time
from typing import Any, Optional, Sequence, Union

from .describe import Entries, Entry, describe_disorder, describe_mismatch, describe_others
from .transport import Transport, path_of

Found = dict[str, Any]
#: A number, or the least and the most, either of which may be None.
Times = Union[int, tuple[Optional[int], Optional[int]]]


class RequestMismatchError(AssertionError):
    """The requests are not as expected, or the journal has dropped what could decide it. The message has what came instead."""

    def __init__(self, message: str, found: Found) -> None:
        super().__init__(message)
        self.found = found


class Requests:
    """What the sandbox received since it was made, reset or restored, or the journal cleared. The journal drops the oldest requests
    where it gets too long: `find` tells how many.

    What a request must match is given by name, each part of it optional:

    - `method`, in upper or lower case
    - `path`, under the base URL; `*` stands for one part of it, `**` for any
    - `user`, whose token it has; None: a request without a token
    - `query`, a dict of values that it has among others
    - `headers`, a dict of texts that its headers contain
    - `body`, a part of its JSON or form: a dict needs to have only the keys given here
    - `status`, 404 or "4xx"; 0 if the connection was closed instead
    - `unmatched`, whether no such path is served
    - `fault`, the name of the fault rule that applied
    """

    def __init__(self, transport: Transport, sandbox: str) -> None:
        self._transport = transport
        self._path = f"/sandboxes{path_of(sandbox, 'requests')}"
        self.expect = Expect(self, sandbox)

    def list(self, **match: Any) -> Entries:
        """The requests that match, oldest first; all of the journal if nothing is given."""
        entries: Entries = self.find(**match)["requests"]
        return entries

    def find(self, *, times: Optional[Times] = None, within: float = 0, **match: Any) -> Found:
        """As the service answers:

        - `requests`: those that match, and `count`, how many
        - `matched`: whether these are as many as expected, however many of the lost ones matched
        - `lost`: how many others may have matched, which the journal can't compare any more
        - `dropped`, `dropped_bodies`: how many requests the journal has dropped, and of how many others the bodies
        - `near_misses`: where too few match, others with what differs
        """
        body = {**match, "within_ms": round(within * 1000)}
        if isinstance(times, tuple):
            body["times"] = {key: value for key, value in zip(("min", "max"), times) if value is not None}
        elif times is not None:
            body["times"] = times
        found: Found = self._transport.read("POST", f"{self._path}/find", body)
        return found

    def lines(self, **match: Any) -> list[str]:
        """A line for each, for a snapshot: `POST /api/users/alice/notifications/ as alice {"scope":10} → 201`.

        It has no times, ids of entries or headers, so it is the same in each run.
        """
        return [entry["line"] for entry in self.find(**match)["requests"]]

    def count(self, **match: Any) -> int:
        return int(self.find(**match)["count"])

    def clear(self) -> None:
        self._transport.read("DELETE", self._path)
        self.expect.forget()


class Expect:
    """Assertions. All raise RequestMismatchError unless the requests are certainly as expected. `within` waits so many seconds for
    them, 60 at most.
    """

    def __init__(self, requests: Requests, sandbox: str) -> None:
        self._requests = requests
        self._sandbox = sandbox
        #: The ids of requests that an assertion matched.
        self._asserted: set[str] = set()

    def __call__(self, *, times: Optional[Times] = None, within: float = 0, **match: Any) -> Entries:
        """Returns the requests that match. At least one is expected if `times` is left out."""
        found = self._requests.find(times=times, within=within, **match)
        if not found["matched"]:
            raise RequestMismatchError(describe_mismatch(self._sandbox, match, times, within, found), found)
        return self._assert(found["requests"])

    def in_order(self, matches: Sequence[dict[str, Any]], *, within: float = 0) -> Entries:
        """Returns a request for each match, each of which arrived after the one before. Others may come between them."""
        end = time.monotonic() + within
        entries: Entries = []
        for match in matches:
            following = self._find_next(match, entries[-1]["id"] if entries else None, end)
            if following is None:
                found = self._requests.find()
                text = describe_disorder(self._sandbox, list(matches), within, len(entries), found)
                raise RequestMismatchError(text, found)
            entries.append(following)
        return self._assert(entries)

    def nothing_else(self, *, within: float = 0) -> None:
        """The journal has only requests that `expect` and `expect.in_order` of this object have matched."""
        found = self._requests.find(times=(None, len(self._asserted)), within=within)
        others = [entry for entry in found["requests"] if entry["id"] not in self._asserted]
        if others or found["dropped"]:
            raise RequestMismatchError(describe_others(self._sandbox, within, others, found), found)

    def forget(self) -> None:
        self._asserted.clear()

    def _assert(self, entries: Entries) -> Entries:
        self._asserted.update(entry["id"] for entry in entries)
        return entries

    def _find_next(self, match: dict[str, Any], previous: Optional[str], end: float) -> Optional[Entry]:
        """The first that matches and arrived after another one, waited for until the end."""
        least = 1
        while True:
            found = self._requests.find(times=(least, None), within=max(0.0, end - time.monotonic()), **match)
            ids = [entry["id"] for entry in self._requests.list()]
            # One that was dropped is older than all.
            later = ids[ids.index(previous) + 1 :] if previous in ids else ids
            following = next((entry for entry in found["requests"] if entry["id"] in later), None)
            if following is not None or not found["matched"]:
                return following
            least = found["count"] + 1
