"""The fixture `sandbox`: one for each worker of pytest-xdist, or for the run, brought back before each test.

API_URL names the service, API_ADMIN_TOKEN its admin token where it has one.
"""

import os
import pathlib

import pytest
import requests

SERVICE = os.environ.get("API_URL", "http://127.0.0.1:8000")
ARTIFACTS = pathlib.Path(os.environ.get("ARTIFACTS", "artifacts"))


class Sandbox:
    """`base_url` is what the client under test is given; `tokens` has a token for each username."""

    def __init__(self, **body):
        self.session = requests.Session()
        if "API_ADMIN_TOKEN" in os.environ:
            self.session.headers["Authorization"] = f"Bearer {os.environ['API_ADMIN_TOKEN']}"
        self.path = ""
        made = self.ask("POST", "", json=body).json()
        self.name, self.base_url, self.path = made["name"], made["base_url"], "/" + made["name"]
        self.tokens = {user["username"]: user["token"] for user in made["users"]}

    def ask(self, method, what, **more):
        answer = self.session.request(method, f"{SERVICE}/_understudy/sandboxes{self.path}{what}", **more)
        assert answer.ok, f"{method} {what}: {answer.status_code} {answer.text}"
        return answer

    def reset(self):
        self.ask("POST", "/reset")

    def save(self, name):
        """Writes what explains a failure: the requests that came, and what the sandbox holds."""
        ARTIFACTS.mkdir(parents=True, exist_ok=True)
        (ARTIFACTS / f"{name}.requests.json").write_bytes(self.ask("GET", "/requests").content)
        (ARTIFACTS / f"{name}.seed.yaml").write_bytes(self.ask("GET", "/seed").content)


@pytest.fixture(scope="session")
def own_sandbox():
    made = Sandbox(**{"from": "documented"})
    yield made
    made.ask("DELETE", "")


@pytest.fixture
def sandbox(own_sandbox, request):
    own_sandbox.reset()
    own_sandbox.ask("DELETE", "/requests")
    yield own_sandbox
    if getattr(request.node, "failed", False):
        own_sandbox.save(request.node.name)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if call.when == "call":
        item.failed = report.failed
    return report
