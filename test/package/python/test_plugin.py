"""The plugin's options, what it says about its service, and what it refuses."""

from pathlib import Path

import pytest
from weblate_understudy.service import find_command

pytest_plugins = ["pytester"]

STATUS = """
    from urllib.error import HTTPError
    from urllib.request import urlopen

    import pytest

    def status_of(sandbox):
        try:
            return urlopen(f"{sandbox.base_url}/api/users/zoe/").status
        except HTTPError as error:
            return error.code

    @pytest.mark.understudy(seed={"users": [{"username": "zoe"}]})
    def test_status(sandbox):
        assert status_of(sandbox) == %d
"""


@pytest.fixture(autouse=True)
def command(pytester, monkeypatch):
    for name in ("UNDERSTUDY_URL", "UNDERSTUDY_ANONYMOUS", "UNDERSTUDY_ADMIN_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pytester, "ini", lambda more="": pytester.makeini(
        f"[pytest]\nunderstudy_command = {' '.join(find_command(Path(__file__).parent))}\n{more}"
    ), raising=False)
    pytester.ini()


@pytest.mark.parametrize("workers", [[], ["-n2"]])
def test_strict(pytester, workers):
    pytester.makepyfile(STATUS % 404)
    pytester.runpytest_subprocess(*workers).assert_outcomes(passed=1)


@pytest.mark.parametrize("workers", [[], ["-n2"]])
def test_variables(pytester, monkeypatch, workers):
    pytester.ini("understudy_env =\n  UNDERSTUDY_ANONYMOUS=read\n  UNDERSTUDY_ADMIN_TOKEN=open-sesame")
    pytester.makepyfile(STATUS % 200)
    pytester.runpytest_subprocess(*workers).assert_outcomes(passed=1)
    monkeypatch.setenv("UNDERSTUDY_ANONYMOUS", "strict")
    pytester.runpytest_subprocess(*workers).assert_outcomes(failed=1)


def test_closer_mark(pytester):
    pytester.makepyfile("""
        import pytest

        @pytest.mark.understudy(from_="documented", allow_unmatched=True)
        class TestOne:
            @pytest.mark.understudy(seed={"users": [{"username": "zoe"}]})
            def test_seed(self, sandbox):
                assert [user["username"] for user in sandbox.users] == ["zoe"]

            def test_from(self, sandbox):
                assert "alice" in [user["username"] for user in sandbox.users]
    """)
    pytester.runpytest_subprocess().assert_outcomes(passed=2)


def test_report(pytester):
    pytester.makepyfile("""
        from urllib.error import HTTPError
        from urllib.request import urlopen

        import pytest

        def get(url):
            with pytest.raises(HTTPError):
                urlopen(url)

        def test_unserved(sandbox):
            get(f"{sandbox.base_url}/api/changes/")

        def test_elsewhere(understudy, sandbox):
            get(f"{understudy.url}/sandboxes/nope/api/users/")
            assert False
    """)
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=2)
    assert result.outlines.count("       not mirrored: changes") == 1
    result.stdout.fnmatch_lines(["none", "Requests that reached no sandbox, from any test:", "GET */sandboxes/nope/api/users/*404*"])


def test_wrong_settings(pytester):
    pytester.makepyfile("def test_one(understudy): pass")
    for line, message in {
        "understudy_env = UNDERSTUDY_SEED": "*understudy_env: expected NAME=value, not 'UNDERSTUDY_SEED'",
        "understudy_start_timeout = soon": "*understudy_start_timeout: expected seconds, not 'soon'",
        "understudy_env = UNDERSTUDY_SEDE=x": "*UNDERSTUDY_SEDE is not a variable *did you mean UNDERSTUDY_SEED?",
    }.items():
        pytester.ini(line)
        result = pytester.runpytest_subprocess()
        assert result.ret != 0
        pytest.LineMatcher(result.outlines + result.errlines).fnmatch_lines([message])


def test_url_of_the_environment(pytester, monkeypatch):
    pytester.makepyfile("def test_one(understudy): pass")
    monkeypatch.setenv("UNDERSTUDY_URL", "http://127.0.0.1:1")
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["Understudy: UNDERSTUDY_URL is set: all tests use http://127.0.0.1:1; *"])
    monkeypatch.setenv("UNDERSTUDY_URL", "localhost:8000")
    pytester.runpytest_subprocess().stdout.fnmatch_lines(["UNDERSTUDY_URL: the URL must begin with http://*"])


def test_misspelt_option_of_the_mark(pytester):
    pytester.makepyfile(
        "import pytest\n@pytest.mark.understudy(sede={'users': []})\ndef test_one(sandbox): pass"
    )
    result = pytester.runpytest_subprocess()
    assert "the mark understudy has no option 'sede'; did you mean seed?" in str(result.stdout) + str(result.stderr)


def test_failure_ends_at_the_line_of_the_test(pytester):
    pytester.makepyfile("def test_one(sandbox): sandbox.restore('missing')")
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*UnderstudyError: *"])
    result.stdout.no_fnmatch_line("*transport.py*")
    result.stdout.no_fnmatch_line("*urllib*")


def test_time_is_over(pytester):
    """As pytest-timeout does it: a signal fails the test."""
    pytester.makepyfile("""
        import signal
        import time
        from urllib.request import urlopen

        import pytest

        def test_one(sandbox):
            urlopen(f"{sandbox.base_url}/api/")
            signal.signal(signal.SIGALRM, lambda *_: pytest.fail("time is over"))
            signal.alarm(1)
            time.sleep(600)
    """)
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*requests to Understudy, sandbox *", "GET    /api/  200  anonymous"])


def test_a_journal_that_dropped_requests(pytester):
    pytester.ini("understudy_env =\n  UNDERSTUDY_JOURNAL_BYTES=16384")
    pytester.makepyfile("""
        from urllib.request import urlopen

        import pytest

        def send(sandbox):
            for _ in range(100):
                urlopen(f"{sandbox.base_url}/api/")

        def test_expect(sandbox):
            send(sandbox)
            assert sandbox.requests.find()["dropped"] > 0
            sandbox.requests.expect(method="DELETE", times=0)

        def test_served(sandbox):
            send(sandbox)

        @pytest.mark.understudy(allow_unmatched=True)
        def test_allowed(sandbox):
            send(sandbox)
    """)
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=2, passed=1)
    result.stdout.fnmatch_lines([
        "*Expected no request, but sandbox * received none, and perhaps * that its journal can't compare any more:",
        "A test may only request paths that Understudy serves, unless @pytest.mark.understudy(allow_unmatched=True) marks it.",
        "Expected no request, *",
        "The journal dropped the oldest *",
    ])
