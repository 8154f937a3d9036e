"""A client's tests with pytest and requests: API_URL=http://127.0.0.1:8000 pytest"""

import os

import pytest
import requests

API = os.environ.get("API_URL", "http://127.0.0.1:8000")


def session_of(user: str) -> requests.Session:
    session = requests.Session()
    token = f"wlu_{user}_public_sample_token_"
    session.headers["Authorization"] = f"Token {token.ljust(40, '0')}"
    return session


@pytest.fixture
def alice() -> requests.Session:
    return session_of("alice")


def list_all(session: requests.Session, url: str) -> list[dict]:
    """Every entry, following the pages as on the real system."""
    entries = []
    while url is not None:
        answer = session.get(url, timeout=10)
        answer.raise_for_status()
        page = answer.json()
        entries += page["results"]
        url = page["next"]
    return entries


def test_lists_the_notifications_of_alice(alice):
    answer = alice.get(f"{API}/api/users/alice/notifications/", timeout=10)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/json"
    body = answer.json()
    assert (body["count"], body["next"], body["previous"]) == (10, None, None)
    assert list(body["results"][0]) == ["notification", "id", "scope", "frequency", "project", "component"]


def test_follows_the_pages():
    entries = list_all(session_of("erin"), f"{API}/api/users/erin/notifications/")
    assert len(entries) == 137
    assert [entry["id"] for entry in entries] == sorted(entry["id"] for entry in entries)


@pytest.mark.parametrize(
    ("user", "status", "code"),
    [("nobody-of-that-name", 404, "not_found"), ("bob", 403, "permission_denied")],
)
def test_says_why_not(alice, user, status, code):
    answer = alice.get(f"{API}/api/users/{user}/notifications/", timeout=10)
    assert answer.status_code == status
    assert answer.json()["errors"][0]["code"] == code
