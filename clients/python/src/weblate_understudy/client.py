"""The client of a running service: makes, opens and lists sandboxes."""

from __future__ import annotations

from typing import Any, Optional, Union, cast

from .sandbox import Sandbox
from .transport import Transport, path_of


def connect(url: str, admin_token: Optional[str] = None) -> Client:
    """Returns the client of a running service. Nothing is sent until the first call.

    `admin_token` is the service's UNDERSTUDY_ADMIN_TOKEN, if it requires one. Raises ValueError if `url` is no HTTP URL.
    """
    return Client(Transport(url, admin_token))


class Client:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        #: The service's URL, without a final slash: `http://127.0.0.1:8000`.
        self.url = transport.url

    def sandbox(
        self,
        name: Optional[str] = None,
        *,
        from_: Optional[str] = None,
        seed: Union[str, dict[str, Any], None] = None,
        expires_in_seconds: Optional[int] = None,
    ) -> Sandbox:
        """Makes a sandbox, whose users have tokens.

        `from_` names a shipped seed, such as `documented`, or another sandbox. Instead of `from_`, `seed` gives a seed
        as a dict, or as a text in YAML or JSON. By default, the sandbox is like `default` after a reset. An existing sandbox of
        this name is replaced. Raises UnderstudyError (`refused`) with all errors of the options or of the seed.
        """
        options = {"from": from_, "seed": seed, "expires_in_seconds": expires_in_seconds}
        body = {key: value for key, value in options.items() if value is not None}
        method, path = ("POST", "") if name is None else ("PUT", path_of(name))
        return Sandbox(self._transport, self._transport.read(method, f"/sandboxes{path}", body))

    def open(self, name: str) -> Sandbox:
        """Opens an existing sandbox, such as `default`. `token(username)` makes tokens for its users."""
        return Sandbox(self._transport, self._transport.read("GET", f"/sandboxes{path_of(name)}"))

    def sandboxes(self) -> list[dict[str, Any]]:
        """Returns the service's descriptions of all sandboxes, including `default`."""
        return cast(list[dict[str, Any]], self._transport.read("GET", "/sandboxes"))
