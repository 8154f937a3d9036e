"""The pytest plugin: fixtures `understudy` (the client of a service) and `sandbox` (one for each test).

The service is the one at UNDERSTUDY_URL. Without this variable, the first test that needs a service starts it, and all
pytest-xdist workers share it. A failed test's report has the requests that its sandbox received. A test that requests a
path that isn't served fails.
"""

from __future__ import annotations

import difflib
import os
import re
from typing import Any, Generator, Iterator, Optional

import pytest

from . import client, container, requests, sandbox as sandbox_module, service, shared_service, transport
from .client import Client, connect
from .errors import UnderstudyError
from .requests import RequestMismatchError
from .sandbox import Sandbox
from .service import find_command, start
from .shared_service import ServiceOwner, ask_owner

# Keeps these modules out of a failure's trace, which then ends at the test's own line.
for _module in (client, container, requests, sandbox_module, service, shared_service, transport):
    setattr(_module, "__tracebackhide__", True)

_sandbox_key = pytest.StashKey[Sandbox]()
_owner_key = pytest.StashKey[ServiceOwner]()
_marker_options = ["allow_unmatched", "from_", "seed"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini(
        "understudy_command",
        "The command that runs Understudy. Default: weblate-understudy from the npm packages of the root folder or of a folder above it, else from PATH.",
        type="args",
        default=[],
    )
    parser.addini("understudy_image", "The image that docker runs, instead of a command.", default="")
    parser.addini(
        "understudy_env",
        "Variables of the service, each on a line NAME=value. Variables UNDERSTUDY_… of the environment override them.",
        type="linelist",
        default=[],
    )
    parser.addini("understudy_start_timeout", "How many seconds the service may take to start.", default="60")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "understudy(seed=None, from_=None, allow_unmatched=False): what the test's sandbox is made from, and whether the "
        "test may request paths that aren't served.",
    )
    if not hasattr(config, "workerinput"):
        env, timeout = _environment_of(config), str(config.getini("understudy_start_timeout"))
        if not re.fullmatch(r"\d+(\.\d+)?", timeout):
            raise pytest.UsageError(f"understudy_start_timeout: expected seconds, not {timeout!r}")
        command, image = config.getini("understudy_command"), str(config.getini("understudy_image"))
        if command and image:
            raise pytest.UsageError("understudy_command and understudy_image: set one of them")
        owner = config.stash[_owner_key] = ServiceOwner(
            lambda: start(
                command=command or (None if image else find_command(config.rootpath)),
                image=image,
                env=env,
                start_timeout=float(timeout),
            )
        )
        config.add_cleanup(owner.close)


def pytest_report_header() -> Optional[str]:
    url = os.environ.get("UNDERSTUDY_URL")
    return f"Understudy: UNDERSTUDY_URL is set: all tests use {url}; no service is started" if url else None


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """pytest-xdist's hook in the controller: tells the worker whom to ask for the service."""
    node.workerinput["understudy_owner"] = node.config.stash[_owner_key].listen()


@pytest.fixture(scope="session")
def understudy(pytestconfig: pytest.Config) -> Client:
    """The client of the service."""
    try:
        if os.environ.get("UNDERSTUDY_URL"):
            return connect(os.environ["UNDERSTUDY_URL"], os.environ.get("UNDERSTUDY_ADMIN_TOKEN") or None)
        if hasattr(pytestconfig, "workerinput"):
            url = ask_owner(pytestconfig.workerinput["understudy_owner"])
        else:
            url = pytestconfig.stash[_owner_key].url()
        return connect(url, _environment_of(pytestconfig).get("UNDERSTUDY_ADMIN_TOKEN"))
    except ValueError as error:
        pytest.fail(f"UNDERSTUDY_URL: {error}", pytrace=False)
    except UnderstudyError as error:
        # The message says what to do; a trace would lead into this package.
        pytest.fail(str(error), pytrace=False)


def _environment_of(config: pytest.Config) -> dict[str, str]:
    """Returns the service's variables. By default, anonymous requests may do only what Weblate allows."""
    lines = [line.partition("=") for line in config.getini("understudy_env")]
    wrong = next((name for name, equals, _ in lines if not equals), None)
    if wrong is not None:
        raise pytest.UsageError(f"understudy_env: expected NAME=value, not {wrong!r}")
    given = {name.strip(): value.strip() for name, _, value in lines}
    environment = {name: value for name, value in os.environ.items() if name.startswith("UNDERSTUDY_") and value}
    return {"UNDERSTUDY_ANONYMOUS": "strict", **given, **environment}


@pytest.fixture
def sandbox(understudy: Client, request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """A sandbox for the test. `@pytest.mark.understudy(seed=…)`, or `from_=…`, says what the sandbox is made from."""
    options = _options_of(request.node)
    with understudy.sandbox(from_=options.get("from_"), seed=options.get("seed")) as made:
        request.node.stash[_sandbox_key] = made
        yield made


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    yield
    if _sandbox_key in item.stash and not _options_of(item).get("allow_unmatched", False):
        try:
            item.stash[_sandbox_key].requests.expect(unmatched=True, times=0)
        except RequestMismatchError as error:
            # The message has the requests already, so the report needs no section for them.
            del item.stash[_sandbox_key]
            rule = "A test may only request paths that Understudy serves, unless @pytest.mark.understudy(allow_unmatched=True) marks it."
            raise pytest.fail.Exception(f"{rule}\n{error}", pytrace=False) from None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed and _sandbox_key in item.stash:
        sandbox = item.stash[_sandbox_key]
        try:
            text = sandbox.requests.report()
        except UnderstudyError as error:
            text = str(error)
        report.sections.append((f"requests to Understudy, sandbox {sandbox.name}", text))
    return report


def _options_of(item: pytest.Item) -> dict[str, Any]:
    """Returns the options of the test's marks. If several marks have an option, the closest mark to the test decides."""
    options: dict[str, Any] = {}
    for mark in item.iter_markers("understudy"):
        unknown = [name for name in mark.kwargs if name not in _marker_options]
        if mark.args or unknown:
            near = difflib.get_close_matches("".join(unknown[:1]), _marker_options, 1)
            hint = f"did you mean {near[0]}?" if near else f"its options are the keywords {', '.join(_marker_options)}"
            raise pytest.UsageError(f"the mark understudy has no option {[*unknown, mark.args][0]!r}; {hint}")
        # If a closer mark has `from_` or `seed`, this mark's `from_` and `seed` don't count.
        from_closer = {"from_", "seed"} & options.keys()
        options = {**{name: value for name, value in mark.kwargs.items() if not (from_closer and name in ("from_", "seed"))}, **options}
    return options
