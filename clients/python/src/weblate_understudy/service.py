"""Starts a service, by default with a temporary database."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Optional, Sequence

from . import container
from .client import Client
from .errors import UnderstudyError
from .transport import Transport

# A service inherits no variables of these names: they may be meant for another service.
_SETTINGS = re.compile(r"UNDERSTUDY_|(DATABASE_URL|PORT|LOG_LEVEL)$")


class Service(Client):
    """The client of a service that `start` started. As a context manager, it ends the service at the end of the block."""

    def __init__(self, process: subprocess.Popen[str], url: str, admin_token: Optional[str]) -> None:
        super().__init__(Transport(url, admin_token))
        self._process = process

    def close(self) -> None:
        """Ends the service, and removes its temporary database if it has one."""
        _end(self._process)

    def __enter__(self) -> Service:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def start(
    *,
    seed: Optional[str] = None,
    command: Optional[Sequence[str]] = None,
    image: Optional[str] = None,
    env: Optional[dict[str, str]] = None,
    start_timeout: float = 60,
) -> Service:
    """Starts a service on a free port, with a temporary database unless `env` names one. The service ends with this process,
    however this process ends.

    `seed` is a shipped seed or a file. `command` runs Understudy; by default, it is what `find_command` finds. With `image`,
    docker runs Understudy in a container instead, with its data in memory. `env` has variables of the service, such as
    UNDERSTUDY_ANONYMOUS; `weblate-understudy serve --help` lists them. The service gets none of them from the environment of
    this process. Raises UnderstudyError (`not_started`) if the service ends at its start, or isn't ready after `start_timeout`
    seconds. Raises ValueError if both `command` and `image` are given.
    """
    if command and image:
        raise ValueError("either command or image, not both")
    env = env or {}
    if image:
        name, full_command, env, seed = container.launch_of(image, env, seed)
    else:
        env = {"PORT": "0", "UNDERSTUDY_TEMPORARY": "true", **env}
        if "DATABASE_URL" in env or "UNDERSTUDY_DATA_DIR" in env:
            del env["UNDERSTUDY_TEMPORARY"]
        full_command = [*(command or find_command())]
    full_command += ["serve", "--json", "--exit-on-stdin-close"]
    full_command += [] if seed is None else ["--seed", seed]
    inherited = {name: value for name, value in os.environ.items() if not _SETTINGS.match(name)}
    # A file takes the service's messages, because a full pipe would block the service.
    with tempfile.TemporaryFile("w+") as messages:
        try:
            # The pipe to standard input closes when this process ends, which ends the service.
            process = subprocess.Popen(
                full_command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=messages,
                text=True,
                env={**inherited, **env},
            )
        except OSError as error:
            raise UnderstudyError("not_started", f"{full_command[0]} can't be run: {error}") from error
        first = _read_first_line(process, start_timeout)
        try:
            url = json.loads(first)["url"]
            if image:
                url = container.url_of(name, messages)
        except (ValueError, KeyError, TypeError):
            _end(process)
            messages.seek(0)
            said = f"{first}{messages.read()}".strip() or "no message"
            raise UnderstudyError("not_started", f"{' '.join(full_command)} did not start:\n{said}") from None
    return Service(process, url, env.get("UNDERSTUDY_ADMIN_TOKEN"))


def find_command(folder: Optional[Path] = None) -> list[str]:
    """Finds `weblate-understudy` in the npm packages of a folder or of a folder above it, else in PATH."""
    folder = (folder or Path.cwd()).resolve()
    installed = (parent / "node_modules/.bin/weblate-understudy" for parent in (folder, *folder.parents))
    found = next((str(file) for file in installed if file.exists()), None) or shutil.which("weblate-understudy")
    if found is None:
        raise UnderstudyError(
            "not_started",
            f"no weblate-understudy is installed in {folder} or a folder above, or in PATH. Install it there with npm, name "
            "its image (understudy_image of pytest, image of start()), or set UNDERSTUDY_URL to a running service",
        )
    return [found]


def _read_first_line(process: subprocess.Popen[str], timeout: float) -> str:
    """Returns '' if the process ends or the time is over without a line. A thread drops the later lines, which are the log."""
    lines: SimpleQueue[str] = SimpleQueue()

    def read(stdout: IO[str]) -> None:
        lines.put(stdout.readline())
        for _ in stdout:
            pass

    threading.Thread(target=read, args=(process.stdout,), daemon=True).start()
    try:
        return lines.get(timeout=timeout)
    except Empty:
        return ""


def _end(process: subprocess.Popen[str]) -> None:
    if process.stdin is not None:
        process.stdin.close()
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
