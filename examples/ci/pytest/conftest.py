"""The fixture `sandbox`: one per pytest-xdist worker, or one for the run, reset before each test.

API_URL is the service, API_ADMIN_TOKEN its admin token if it has one.
"""

import os
import pathlib

import pytest
import requests

SERVICE = os.environ.get("API_URL", "http://127.0.0.1:8000")
ARTIFACTS = pathlib.Path(os.environ.get("ARTIFACTS", "artifacts"))


class Sandbox:
    """`base_url` is for the client under test; `tokens` has a token per username."""

    def __init__(self, **body):
        self.session = requests.Session()
        if "API_ADMIN_TOKEN" in os.environ:
            self.session.headers["Authorization"] = f"Bearer {os.environ['API_ADMIN_TOKEN']}"
        self.path = ""
        made = self.request("POST", "", json=body).json()
        self.name, self.base_url, self.path = made["name"], made["base_url"], "/" + made["name"]
        self.tokens = {user["username"]: user["token"] for user in made["users"]}

    def request(self, method, what, **more):
        response = self.session.request(method, f"{SERVICE}/_understudy/sandboxes{self.path}{what}", **more)
        assert response.ok, f"{method} {what}: {response.status_code} {response.text}"
        return response

    def reset(self):
        self.request("POST", "/reset")

    def save(self, name):
        """Saves what explains a failure: the requests that were received, and the content."""
        ARTIFACTS.mkdir(parents=True, exist_ok=True)
        (ARTIFACTS / f"{name}.requests.json").write_bytes(self.request("GET", "/requests").content)
        (ARTIFACTS / f"{name}.seed.yaml").write_bytes(self.request("GET", "/seed").content)


@pytest.fixture(scope="session")
def own_sandbox():
    made = Sandbox(**{"from": "documented"})
    yield made
    made.request("DELETE", "")


@pytest.fixture
def sandbox(own_sandbox, request):
    own_sandbox.reset()
    own_sandbox.request("DELETE", "/requests")
    yield own_sandbox
    if getattr(request.node, "failed", False):
        own_sandbox.save(request.node.name)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if call.when == "call":
        item.failed = report.failed
    return report
