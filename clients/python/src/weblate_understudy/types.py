"""What rules and assertions are made of, as the control API's document names it. Type checkers refuse any other key."""

from __future__ import annotations

from typing import Any, Literal, Mapping, Optional, Sequence, TypedDict, Union

_Scalar = Union[str, float, bool]


class Range(TypedDict, total=False):
    """One of both ends may be left out where requests are counted."""

    min: float
    max: float


#: How many requests: a number, or a range.
Times = Union[int, Range]


class RequestMatch(TypedDict, total=False):
    """What a request must have: every key that is given must fit."""

    #: In upper or lower case, or a list of them.
    method: Union[str, Sequence[str]]
    #: Under the base URL; `*` stands for one segment or a piece of one, `**` for any.
    path: str
    #: Whose token it has; None: a request without a token.
    user: Optional[str]
    #: Values that it has among others.
    query: Mapping[str, Union[_Scalar, Sequence[_Scalar]]]
    #: Texts that its headers contain.
    headers: Mapping[str, str]
    #: A part of its JSON or form: a dict needs to have only the keys given here.
    body: Any


class ExchangeMatch(RequestMatch, total=False):
    """A request with its answer."""

    #: 404, or "4xx"; 0 if the connection was closed instead.
    status: Union[int, str]
    #: Whether nothing serves the path.
    unmatched: bool
    #: The name of the fault rule that applied.
    fault: str


class Search(ExchangeMatch, total=False):
    """Which of the requests that match."""

    #: The id of a request: only later ones.
    since: str
    #: At most so many, the last ones.
    limit: int


class FaultRule(TypedDict, total=False):
    """What happens to the requests that match. It needs a status, a connection or a delay."""

    name: str
    match: RequestMatch
    #: Answered in place of the request, which is not executed.
    status: int
    #: With a status: JSON, or a text that is sent as it is. From 400 on, the error of the status if left out.
    body: Any
    #: With a status.
    headers: Mapping[str, Union[str, float]]
    #: `close`: no answer, and the request is not executed; `cut`: it is, and the connection breaks in the middle of the answer.
    connection: Literal["close", "cut"]
    #: Milliseconds, or a range of them.
    delay_ms: Union[float, Range]
    #: This many matching requests pass first.
    skip: int
    #: Applies this many times; then it no longer matches.
    next: int
    #: 300 if left out.
    expires_in_seconds: int


class FaultInForce(FaultRule):
    """A rule as the service lists it."""

    #: Removes it.
    key: str
    skipped: int
    struck: int
    expires: str
