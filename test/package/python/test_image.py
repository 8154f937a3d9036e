"""The service in a container. test/docker runs it with a real engine. Here a program in docker's place records
its arguments, and runs the command of the package with the variables and the seed that a container would have.
"""

import json
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from weblate_understudy import UnderstudyError, start
from weblate_understudy.service import find_command

pytest_plugins = ["pytester"]

DOCKER = f"""#!{sys.executable}
import json, os, socket, sys
from pathlib import Path

asked, folder = sys.argv[1:], Path(__file__).parent
port = folder / "port"
if asked[0] == "port":
    sys.exit("no such container") if (folder / "unpublished").exists() else print(port.read_text())
    sys.exit()
(folder / "asked").write_text(json.dumps(asked))
image = asked.index("understudy:test")
options = [pair for pair in zip(asked, asked[1:image])]
env = {{name: os.environ[name] for option, name in options if option == "--env"}}
mounts = [dict(part.partition("=")[::2] for part in value.split(",")) for option, value in options if option == "--mount"]
at = {{mount["target"]: mount["source"] for mount in mounts}}
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    env.update(PORT=str(free.getsockname()[1]), UNDERSTUDY_TEMPORARY="true", PATH=os.environ["PATH"], HOME=os.environ["HOME"])
port.write_text("127.0.0.1:" + env["PORT"] + "\\n[::1]:1")
command = {find_command(Path(__file__).parent)!r} + [at.get(part, part) for part in asked[image + 1:]]
os.execvpe(command[0], command, env)
"""


@pytest.fixture(autouse=True)
def docker(tmp_path, monkeypatch):
    """The folder of the program in docker's place."""
    program = tmp_path / "bin/docker"
    program.parent.mkdir()
    program.write_text(DOCKER)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    return program.parent


def test_an_image_with_a_seed_and_variables(docker, tmp_path):
    seed = tmp_path / "team.yaml"
    seed.write_text("users: [{username: zoe}]")
    with start(image="understudy:test", seed=str(seed), env={"UNDERSTUDY_MAX_SANDBOXES": "7"}) as api:
        asked = json.loads((docker / "asked").read_text())
        assert asked[:5] == ["run", "--rm", "--interactive", "--name", asked[4]]
        assert asked[5:9] == ["--publish", "127.0.0.1::8000", "--tmpfs", "/data"]
        assert asked[-6:] == ["understudy:test", "serve", "--json", "--exit-on-stdin-close", "--seed", "/seeds/team.yaml"]
        assert "7" not in asked, "no value of a variable is in the command line"
        with api.sandbox() as sandbox:
            assert [user["username"] for user in sandbox.users] == ["zoe"]
            assert sandbox.base_url.startswith(api.url)
    with pytest.raises(OSError):
        urlopen(api.url)


def test_a_port_that_is_not_published(docker):
    (docker / "unpublished").touch()
    with pytest.raises(UnderstudyError, match="did not start:\n(.*\n)*no such container") as caught:
        start(image="understudy:test")
    assert caught.value.kind == "not_started"


def test_the_plugin_runs_an_image(pytester, monkeypatch):
    monkeypatch.delenv("UNDERSTUDY_URL", raising=False)
    pytester.makeini("[pytest]\nunderstudy_image = understudy:test\nunderstudy_env = UNDERSTUDY_SEED=./team.yaml")
    pytester.makefile(".yaml", team="users: [{username: zoe}]")
    pytester.makepyfile("def test_one(sandbox): assert [user['username'] for user in sandbox.users] == ['zoe']")
    pytester.runpytest_subprocess("-n2").assert_outcomes(passed=1)


def test_a_command_and_an_image(pytester):
    with pytest.raises(ValueError, match="either command or image"):
        start(command=["understudy"], image="understudy:test")
    pytester.makeini("[pytest]\nunderstudy_image = understudy:test\nunderstudy_command = understudy")
    result = pytester.runpytest_subprocess()
    result.stderr.fnmatch_lines(["*understudy_command and understudy_image: set one of them"])
