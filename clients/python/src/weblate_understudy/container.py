"""Runs the service in a container. The service ends at the latest with this process, and docker then removes the container."""

from __future__ import annotations

import secrets
import subprocess
from pathlib import Path
from typing import IO, Optional

_PORT = "8000"


def launch_of(
    image: str, given: dict[str, str], seed: Optional[str]
) -> tuple[str, list[str], dict[str, str], Optional[str]]:
    """Returns the container's name, docker's command, the service's variables, and the seed. If the seed is a file, docker mounts
    the file, and the returned seed is the file's path in the container.
    """
    name = f"understudy-{secrets.token_hex(6)}"
    # UNDERSTUDY_BIND names the address at which docker publishes the port. On loopback, the control API is open.
    env = {"UNDERSTUDY_BIND": "127.0.0.1", **given, "PORT": _PORT}
    seed = seed or env.get("UNDERSTUDY_SEED")
    command = ["docker", "run", "--rm", "--interactive", "--name", name, "--publish", f"127.0.0.1::{_PORT}", "--tmpfs", "/data"]
    if seed and Path(seed).is_file():
        file = Path(seed).resolve()
        seed = f"/seeds/{file.name}"
        command += ["--mount", f"type=bind,source={file},target={seed},readonly"]
    # Names without values, because other accounts of this machine can read command lines.
    for variable in env:
        command += ["--env", variable]
    return name, [*command, image], env, seed


def url_of(name: str, messages: IO[str]) -> str:
    """Returns the URL with the port that docker has chosen. Raises ValueError if there is none; `messages` then says why."""
    asked = subprocess.run(["docker", "port", name, _PORT], stdout=subprocess.PIPE, stderr=messages, text=True)
    address = asked.stdout.partition("\n")[0]
    if not address:
        raise ValueError
    return f"http://{address}"
