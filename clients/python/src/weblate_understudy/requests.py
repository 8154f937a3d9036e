"""A sandbox's journal: lists, counts and expects the requests that it received."""

from __future__ import annotations

from typing import Any, Optional, Union

from .describe import Entries, describe_mismatch
from .transport import Transport, path_of

Found = dict[str, Any]
#: A number, or the least and the most, either of which may be None.
Times = Union[int, tuple[Optional[int], Optional[int]]]


class RequestMismatchError(AssertionError):
    """The requests that match are not as many as expected, or the journal has dropped what could decide it. The message has other
    requests, and what differs in them.
    """

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
    - `body`, a part of its JSON or form: a dict needs to have only the keys given here
    - `status`, 404 or "4xx"; 0 if the connection was closed instead
    - `unmatched`, whether no such path is served
    - `fault`, the name of the rule that struck
    """

    def __init__(self, transport: Transport, sandbox: str) -> None:
        self._transport = transport
        self._sandbox = sandbox
        self._path = f"/sandboxes{path_of(sandbox, 'requests')}"

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

    def count(self, **match: Any) -> int:
        return int(self.find(**match)["count"])

    def expect(self, *, times: Optional[Times] = None, within: float = 0, **match: Any) -> Entries:
        """Returns the requests that match, and raises RequestMismatchError unless they are certainly as many as expected.

        At least one is expected if `times` is left out. `within` waits so many seconds for them, 60 at most.
        """
        found = self.find(times=times, within=within, **match)
        if not found["matched"]:
            raise RequestMismatchError(describe_mismatch(self._sandbox, match, times, within, found), found)
        requests: Entries = found["requests"]
        return requests

    def clear(self) -> None:
        self._transport.read("DELETE", self._path)
