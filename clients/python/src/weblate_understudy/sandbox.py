"""One sandbox of a running service."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Optional, Sequence, Union, cast

from .errors import UnderstudyError
from .requests import Requests
from .transport import Transport, path_of
from .types import FaultInForce, FaultRule

Rules = list[FaultInForce]


class Sandbox:
    """A sandbox. As a context manager, it drops the sandbox at the end of the block."""

    def __init__(self, transport: Transport, description: dict[str, Any]) -> None:
        self._transport = transport
        self._tokens = {user["username"]: user["token"] for user in description["users"] if "token" in user}
        #: The service's description of the sandbox when it was made or opened.
        self.description = description
        self.name: str = description["name"]
        #: The base URL for clients of the Weblate API, without a final slash.
        self.base_url: str = description["base_url"]
        #: The users, each with `username` and `is_superuser`.
        self.users: list[dict[str, Any]] = description["users"]
        self._path = f"/sandboxes{path_of(self.name)}"
        self.clock = Clock(transport, f"{self._path}/clock")
        self.faults = Faults(transport, f"{self._path}/faults")
        self.requests = Requests(transport, self.name)

    def headers(self, username: Optional[str] = None) -> dict[str, str]:
        """Returns the headers that authenticate a user. The default is the first superuser with a known token, else the first
        user with a known token.

        If the user's token isn't known, the method makes one. Raises UnderstudyError with status 404 for an unknown user, and
        KeyError if no user is named and no token is known.
        """
        known = [user for user in self.users if user["username"] in self._tokens]
        if username is None and known:
            username = max(known, key=lambda user: bool(user["is_superuser"]))["username"]
        if username is None:
            raise KeyError(f"no token of any user is known in sandbox {self.name}; name a user: sandbox.headers(username)")
        return {"Authorization": f"Token {self._tokens.get(username) or self.token(username)}"}

    def token(self, username: str) -> str:
        """Makes another token for a user. The token selects the sandbox by itself, and survives a reset or a restore."""
        made = self._transport.read("POST", f"{self._path}/tokens", {"username": username})
        self._tokens[username] = made["token"]
        return str(made["token"])

    def reset(self, *, undo: bool = False) -> None:
        """Returns to the last complete seed, loaded by `seed` or at creation. Removes faults, and empties the journal."""
        self._transport.read("POST", f"{self._path}/reset{_flags(undo=undo)}")

    def seed(
        self, content: Union[str, dict[str, Any]], *, check: bool = False, keep_tokens: bool = False, undo: bool = False
    ) -> dict[str, Any]:
        """Makes the sandbox hold exactly what the seed says. From then on, `reset` returns to this seed. Returns how
        many rows of each table changed.

        `check` changes nothing, and returns what would change. With `keep_tokens`, users without a token in the seed keep their
        tokens.
        """
        query = _flags(check=check, keep_tokens=keep_tokens, undo=undo)
        return cast(dict[str, Any], self._transport.read("PUT", f"{self._path}/seed{query}", content))

    def undo(self) -> None:
        """Takes back the last reset, restore or load that was called with `undo=True`. This is possible for an hour."""
        self._transport.read("POST", f"{self._path}/undo")

    def snapshot(self, name: str) -> None:
        self._transport.read("PUT", f"{self._path}{path_of('snapshots', name)}")

    def snapshots(self) -> list[dict[str, Any]]:
        """Returns the snapshots, each with `name`, `created` and `seed`."""
        return cast(list[dict[str, Any]], self._transport.read("GET", f"{self._path}/snapshots"))

    def delete_snapshot(self, name: str) -> None:
        self._transport.read("DELETE", f"{self._path}{path_of('snapshots', name)}")

    def restore(self, name: str, *, undo: bool = False) -> None:
        self._transport.read("POST", f"{self._path}{path_of('snapshots', name, 'restore')}{_flags(undo=undo)}")

    def export(self, format: str = "yaml") -> str:
        """Returns a seed that makes the sandbox again, without tokens. `format` is `yaml` or `json`."""
        return self._transport.read_text("GET", f"{self._path}/seed?format={format}")

    def drop(self) -> None:
        """Deletes the sandbox. If it is gone already, this is no error."""
        try:
            self._transport.read("DELETE", self._path)
        except UnderstudyError as error:
            if error.status != 404:
                raise

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.drop()


def _flags(**flags: bool) -> str:
    """Returns the flags that are set, as a query."""
    query = "&".join(f"{name}=true" for name, is_set in flags.items() if is_set)
    return query and f"?{query}"


class _Part:
    def __init__(self, transport: Transport, path: str) -> None:
        self._transport = transport
        self._path = path


class Clock(_Part):
    """The clock of a sandbox: the current time for the Weblate API's dates and rate limits. A reset brings back the seed's
    `now`, or the real time.
    """

    def get(self) -> Optional[str]:
        """Returns the time that the clock is set to, or None if the clock shows the real time."""
        return cast(Optional[str], self._transport.read("GET", self._path)["now"])

    def set(self, now: Union[str, datetime, None]) -> None:
        """Stops the clock at a time; with None, the clock shows the real time. A datetime needs a time zone."""
        self._transport.read("PUT", self._path, {"now": now.isoformat() if isinstance(now, datetime) else now})

    def advance(self, by: Union[str, timedelta]) -> str:
        """Advances the clock by a timedelta, or a text such as "90s", "30m", "1h" or "2d", and stops it. Returns the new time."""
        text = f"{by.total_seconds():f}s" if isinstance(by, timedelta) else by
        return cast(str, self._transport.read("POST", f"{self._path}/advance", {"by": text})["now"])


class Faults(_Part):
    def set(self, rules: Sequence[FaultRule]) -> Rules:
        """Replaces the rules. Returns the rules in force.

        `{"match": {"path": "/api/**"}, "status": 503, "skip": 1, "next": 2}` lets one request pass, and answers two with 503.
        A rule with a `status` from 400 on and no `body` answers with the error of that status. With the
        `connection` "close", the request isn't executed and gets no answer. With "cut", the request is executed, and the
        connection breaks in the middle of the answer.
        """
        return cast(Rules, self._transport.read("PUT", self._path, {"rules": list(rules)}))

    def add(self, rule: FaultRule) -> FaultInForce:
        """Adds a rule before the others. `remove` takes its `key`."""
        return cast(FaultInForce, self._transport.read("POST", self._path, rule))

    def remove(self, key: str) -> None:
        self._transport.read("DELETE", f"{self._path}{path_of(key)}")

    def list(self) -> Rules:
        return cast(Rules, self._transport.read("GET", self._path))

    def clear(self) -> None:
        self._transport.read("DELETE", self._path)
