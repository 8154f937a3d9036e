"""Assertions on the requests that a sandbox received."""

import json
from concurrent.futures import ThreadPoolExecutor
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from weblate_understudy import RequestMismatchError

LIST = "/api/users/alice/notifications/"


@pytest.fixture
def call(sandbox):
    def send(path=LIST, method="GET", body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {**sandbox.headers("alice"), "Content-Type": "application/json"}
        try:
            return urlopen(Request(sandbox.base_url + path, data, headers, method=method)).status
        except HTTPError as error:
            return error.code

    return send


def test_lines(sandbox, call):
    call(method="POST", body={"notification": "RepositoryNotification", "scope": 10, "frequency": 1})
    call(f"{LIST}?page=1")
    assert sandbox.requests.lines() == [
        f'POST {LIST} as alice {{"notification":"RepositoryNotification","scope":10,"frequency":1}} → 201',
        f"GET {LIST}?page=1 as alice → 200",
    ]
    assert sandbox.requests.lines(method="get") == [f"GET {LIST}?page=1 as alice → 200"]


def test_in_order(sandbox, call):
    in_order = sandbox.requests.expect.in_order
    for page in (1, 2, 1):
        call(f"{LIST}?page={page}")
    first, second = {"query": {"page": 1}}, {"query": {"page": 2}}
    assert [entry["query"] for entry in in_order([first, second])] == ["page=1", "page=2"]
    assert [entry["query"] for entry in in_order([second, first])] == ["page=2", "page=1"]
    assert len(in_order([first, first])) == 2
    with pytest.raises(RequestMismatchError, match="in this order within 0.01s, .* no number 2 after number 1:\n"):
        in_order([second, second], within=0.01)
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(in_order, [second, {"method": "POST"}], within=60)
        call(method="POST", body={})
        assert [entry["method"] for entry in waiting.result()] == ["GET", "POST"]


def test_nothing_else(sandbox, call):
    expect = sandbox.requests.expect
    expect.nothing_else()
    for method in ("GET", "POST"):
        call(method=method, body={} if method == "POST" else None)
    expect(method="POST")
    with pytest.raises(RequestMismatchError, match=f"received 1 that no assertion matched:\n  GET {LIST} as alice → 200$"):
        expect.nothing_else()
    expect.in_order([{"method": "GET"}])
    expect.nothing_else()
    sandbox.requests.clear()
    expect.nothing_else()


def test_a_fault_rule_takes_the_match_of_an_assertion(sandbox, call):
    posted = {"method": "POST", "body": {"scope": 10}}
    sandbox.faults.set([{"match": posted, "skip": 1, "next": 1, "status": 503}])
    statuses = [call(method="POST", body={"scope": scope}) for scope in (20, 10, 10, 10)]
    assert statuses == [400, 400, 503, 400]
    assert len(sandbox.requests.expect(**posted, times=3)) == 3
