"""Requests to the service's own API."""

from __future__ import annotations

import ipaddress
import json
from http.client import HTTPException
from typing import Any, Optional
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from .errors import UnderstudyError, describe_faults

# Above the time that the service takes for its longest request, loading a large seed.
TIMEOUT_SECONDS = 300


def path_of(*parts: str) -> str:
    """`/job-17/tokens`"""
    return "".join("/" + quote(part, safe="") for part in parts)


class _NoRedirects(HTTPRedirectHandler):
    """The service sends none, and one to another host would take the admin token along."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Transport:
    def __init__(self, url: str, admin_token: Optional[str]) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("the URL must begin with http:// or https://")
        self.url = url.rstrip("/")
        self._headers = {} if admin_token is None else {"Authorization": f"Bearer {admin_token}"}
        # A proxy of the environment can't reach this machine's loopback.
        proxies = [ProxyHandler({})] if _is_loopback(parts.hostname) else []
        self._opener = build_opener(_NoRedirects, *proxies)

    def read(self, method: str, path: str, body: Any = None) -> Any:
        """The answer's JSON. `body` is sent as JSON."""
        text = self.read_text(method, path, None if body is None else json.dumps(body), "application/json")
        try:
            return json.loads(text) if text else None
        except ValueError:
            raise self._foreign(200) from None

    def read_text(self, method: str, path: str, body: Optional[str], content_type: str) -> str:
        """`path` is below `/_understudy`."""
        headers = {**self._headers, **({} if body is None else {"Content-Type": content_type})}
        data = None if body is None else body.encode()
        request = Request(f"{self.url}/_understudy{path}", data, headers, method=method)
        try:
            with self._opener.open(request, timeout=TIMEOUT_SECONDS) as answer:
                content: bytes = answer.read()
                return content.decode()
        except HTTPError as error:
            with error:
                raise self._error_of(error.code, error.read()) from None
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", error)
            raise UnderstudyError("unreachable", f"{self.url} is not reachable ({reason})") from None

    def _error_of(self, status: int, content: bytes) -> UnderstudyError:
        try:
            faults = json.loads(content)["errors"]
            return UnderstudyError("refused", describe_faults(faults), status, faults)
        except (ValueError, KeyError, TypeError):
            return self._foreign(status)

    def _foreign(self, status: int) -> UnderstudyError:
        message = f"the server answered {status} in a form that is not Understudy's; check the URL"
        return UnderstudyError("foreign", message, status)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
