"""Assertions on the requests that a sandbox received."""

import json
from concurrent.futures import ThreadPoolExecutor
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from weblate_understudy import RequestMismatchError, UnderstudyError

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


def test_headers_of_a_user_whom_another_client_made(sandbox):
    def send(path, username, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {**sandbox.headers(username), "Content-Type": "application/json"}
        return urlopen(Request(f"{sandbox.base_url}/api/users/{path}", data, headers)).status

    assert send("", None, {"username": "ada", "full_name": "Ada", "email": "ada@example.org"}) == 201
    assert send("ada/notifications/", "ada") == 200
    assert sandbox.headers("ada") == sandbox.headers("ada")
    with pytest.raises(UnderstudyError):
        sandbox.headers("nobody")


def test_in_order(sandbox, call):
    in_order = sandbox.requests.expect.in_order
    for page in (1, 2, 1):
        call(f"{LIST}?page={page}")
    first, second = {"query": {"page": 1}}, {"query": {"page": 2}}
    assert [entry["query"] for entry in in_order([first, second])] == ["page=1", "page=2"]
    with pytest.raises(RequestMismatchError, match="in this order within 10ms, .* no number 2 after number 1:\n"):
        in_order([second, second], within=0.01)
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(in_order, [second, {"method": "POST"}], within=60)
        call(method="POST", body={})
        assert [entry["method"] for entry in waiting.result()] == ["GET", "POST"]


def test_the_message_is_that_of_the_service(sandbox, understudy, call):
    call(method="POST", body={"scope": 20})
    match = {"method": ["POST", "PUT"], "body": {"scope": 10}}
    with pytest.raises(RequestMismatchError) as caught:
        sandbox.requests.expect(**match, times={"max": 3, "min": 1}, within=0.01)
    expected = {"match": match, "times": {"max": 3, "min": 1}, "within_ms": 10}
    url = f"{understudy.url}/_understudy/sandboxes/{sandbox.name}/requests/expect"
    with urlopen(Request(url, json.dumps(expected).encode(), {"Content-Type": "application/json"})) as answer:
        assert str(caught.value) == json.load(answer)["message"]
    assert "body.scope: expected 10, received 20" in str(caught.value)
    assert caught.value.found["near_misses"][0]["differs"][0]["received"] == 20


def test_report_and_what_comes_later(sandbox, call):
    for number in (1, 2):
        call(f"{LIST}?n={number}")
    first = sandbox.requests.list()[0]["id"]
    assert [entry["query"] for entry in sandbox.requests.list(since=first)] == ["n=2"]
    assert sandbox.requests.find(limit=0)["requests"] == []
    assert sandbox.requests.expect(since=first, times=1)[0]["query"] == "n=2"
    assert sandbox.requests.report(limit=1) == f"The last 1 of 2:\nGET    {LIST}?n=2  200  alice"


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


def test_a_fault_rule_is_added_and_removed(sandbox, call):
    sandbox.faults.set([{"status": 418}])
    added = sandbox.faults.add({"status": 503})
    assert call() == 503
    sandbox.faults.remove(added["key"])
    assert call() == 418


def test_undo_and_snapshots(sandbox, call):
    sandbox.snapshot("full")
    assert [snapshot["name"] for snapshot in sandbox.snapshots()] == ["full"]
    assert sandbox.seed({"users": []}, check=True, keep_tokens=True)["users"]["removed"] > 0
    assert call() == 200
    sandbox.seed({"users": []}, undo=True)
    assert call() == 401
    sandbox.undo()
    assert call() == 200
    sandbox.delete_snapshot("full")
    assert sandbox.snapshots() == []
    with pytest.raises(UnderstudyError, match="has no snapshot"):
        sandbox.restore("full", undo=True)


def test_a_fault_rule_takes_the_match_of_an_assertion(sandbox, call):
    posted = {"method": "POST", "body": {"scope": 10}}
    sandbox.faults.set([{"match": posted, "skip": 1, "next": 1, "status": 503}])
    statuses = [call(method="POST", body={"scope": scope}) for scope in (20, 10, 10, 10)]
    assert statuses == [400, 400, 503, 400]
    assert len(sandbox.requests.expect(**posted, times=3)) == 3
