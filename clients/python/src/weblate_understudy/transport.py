"""Requests to the service's control API."""

from __future__ import annotations

import json
import re
from http.client import HTTPException
from typing import Any, Optional
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from .errors import UnderstudyError

# More than the service needs for its longest request, which loads a large seed.
TIMEOUT_SECONDS = 300
_LOOPBACK = re.compile(r"localhost|127(\.\d+){3}|::1")


def path_of(*parts: str) -> str:
    """`/job-17/tokens`"""
    return "".join("/" + quote(part, safe="") for part in parts)


class _NoRedirects(HTTPRedirectHandler):
    """Follows no redirects: the service sends none, and a redirect to another host would pass the admin token on."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Transport:
    def __init__(self, url: str, admin_token: Optional[str]) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("the URL must begin with http:// or https://")
        self.url = url.rstrip("/")
        self._headers = {} if admin_token is None else {"Authorization": f"Bearer {admin_token}"}
        # A proxy that the environment names can't reach this machine's loopback.
        proxies = [ProxyHandler({})] if _LOOPBACK.fullmatch(parts.hostname) else []
        self._opener = build_opener(_NoRedirects, *proxies)

    def read(self, method: str, path: str, body: Any = None) -> Any:
        """Returns the answer's JSON. `body` is sent as YAML if it is a text, else as JSON."""
        text = self.read_text(method, path, body)
        try:
            return json.loads(text) if text else None
        except ValueError:
            raise self._foreign(200) from None

    def read_text(self, method: str, path: str, body: Any = None, accept: str = "*/*") -> str:
        """Returns the answer's text. `path` is below `/_understudy`. `body` is sent as YAML if it is a text, else as JSON."""
        text, kind = (body, "yaml") if isinstance(body, str) else (json.dumps(body), "json")
        headers = {**self._headers, "Accept": accept, **({} if body is None else {"Content-Type": f"application/{kind}"})}
        data = None if body is None else text.encode()
        request = Request(f"{self.url}/_understudy{path}", data, headers, method=method)
        try:
            with self._opener.open(request, timeout=TIMEOUT_SECONDS) as answer:
                content: bytes = answer.read()
                return content.decode()
        except HTTPError as error:
            with error:
                raise self._error_of(error, f"{method} /_understudy{path}") from None
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", error)
            raise UnderstudyError("unreachable", f"{self.url} is not reachable ({reason})") from None

    def _error_of(self, error: HTTPError, operation: str) -> UnderstudyError:
        status, version = error.code, error.headers.get("X-Understudy")
        try:
            errors = json.loads(error.read())["errors"]
            lines = [one["detail"] if one["attr"] is None else f"{one['attr']}: {one['detail']}" for one in errors]
        except (ValueError, KeyError, TypeError):
            return self._foreign(status)
        # The 404 of a missing sandbox, user or snapshot has another detail, which names what is missing.
        if version and (status == 405 or lines == ["Not found."]):
            lines = [f"the service is Understudy {version}, which has no {operation}: use the same version of service and client"]
        return UnderstudyError("refused", "\n".join(lines), status, errors)

    def _foreign(self, status: int) -> UnderstudyError:
        message = f"the server answered {status} in a form that is not Understudy's; check the URL"
        return UnderstudyError("foreign", message, status)
