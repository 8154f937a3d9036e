"""The error of the client."""

from __future__ import annotations

from typing import Any, Optional, Sequence


class UnderstudyError(Exception):
    """`kind` is one of:

    - `refused`: the service answered with an error; `status` and `errors` say which.
    - `unreachable`: no complete answer came.
    - `foreign`: an answer came, but not from Understudy.
    - `not_started`: a service could not be started.
    """

    def __init__(
        self,
        kind: str,
        message: str,
        status: Optional[int] = None,
        errors: Sequence[dict[str, Any]] = (),
    ) -> None:
        super().__init__(message)
        self.kind = kind
        #: The HTTP status; None if no answer came.
        self.status = status
        #: All errors of the request, each with `code`, `detail` and `attr`.
        self.errors = list(errors)
