"""The types of rules and assertions, with the names of the control API. Type checkers refuse any other key."""

from __future__ import annotations

from typing import Any, Literal, Mapping, Optional, Sequence, TypedDict, Union

_Scalar = Union[str, float, bool]


class Range(TypedDict, total=False):
    """A range. For a number of requests, one end may be left out."""

    min: float
    max: float


#: How many requests: a number, or a range.
Times = Union[int, Range]


class RequestMatch(TypedDict, total=False):
    """What a request must have: it must fit every key that is given."""

    #: The method, in upper or lower case. A list stands for any of its methods.
    method: Union[str, Sequence[str]]
    #: The path below the base URL. `*` stands for one segment or a part of one, `**` for any number of segments.
    path: str
    #: The user whose token the request has; None: a request without a token.
    user: Optional[str]
    #: Values that the query has, maybe among others.
    query: Mapping[str, Union[_Scalar, Sequence[_Scalar]]]
    #: Texts that the headers contain.
    headers: Mapping[str, str]
    #: A part of the JSON or form: a dict may have more keys than are given here.
    body: Any


class ExchangeMatch(RequestMatch, total=False):
    """What a request and its answer must have."""

    #: The status of the answer, such as 404 or "4xx". 0: the connection was closed without an answer.
    status: Union[int, str]
    #: Whether the path isn't served.
    unmatched: bool
    #: The name of the fault rule that applied.
    fault: str


class Search(ExchangeMatch, total=False):
    """A match, and limits on which matching requests are listed."""

    #: The id of a request: only later requests match.
    since: str
    #: At most this many requests: the last ones.
    limit: int


class FaultRule(TypedDict, total=False):
    """A rule says what happens to requests that match. It needs a status, a connection or a delay."""

    name: str
    match: RequestMatch
    #: The status of the answer. The request is not executed.
    status: int
    #: With a status: JSON, or a text that is sent as it is. Default from status 400 on: Weblate's error.
    body: Any
    #: With a status: headers of the answer.
    headers: Mapping[str, Union[str, float]]
    #: `close`: no answer, and the request is not executed. `cut`: the connection breaks in the middle of the answer.
    connection: Literal["close", "cut"]
    #: Milliseconds, or a range of them.
    delay_ms: Union[float, Range]
    #: This many matching requests pass before the rule applies.
    skip: int
    #: The rule applies this many times; then it no longer matches.
    next: int
    #: Default: 300.
    expires_in_seconds: int


class FaultInForce(FaultRule):
    """A rule as the service lists it."""

    #: `remove` takes this key.
    key: str
    skipped: int
    struck: int
    expires: str
