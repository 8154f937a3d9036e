"""Redirects, an older service, a program that isn't Understudy, and a stranger at the socket of the shared service."""

import os
import socket
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from weblate_understudy import UnderstudyError, connect, start
from weblate_understudy.shared_service import ServiceOwner, ask_owner


@contextmanager
def serving(location=None, missing=False):
    """A server that redirects, or lacks what is asked for; yields its URL, and the headers of the requests that it received."""
    received = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            received.append(self.headers)
            body = b'{"errors": [{"code": "x", "detail": "Not found.", "attr": null}]}' if missing else b"[]"
            self.send_response(404 if missing else 200 if location is None else 302)
            if location is not None:
                self.send_header("Location", location)
            self.send_header("X-Understudy", "0.0.9 (W)")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", received
    finally:
        server.shutdown()
        server.server_close()


def test_a_redirect_takes_the_admin_token_nowhere():
    with serving() as (other, received), serving(f"{other}/_understudy/sandboxes") as (url, _):
        with pytest.raises(UnderstudyError) as caught:
            connect(url, "open-sesame").sandboxes()
        assert (caught.value.kind, caught.value.status) == ("foreign", 302)
        assert received == []


def test_an_older_service_that_lacks_an_operation_is_named():
    with serving(missing=True) as (url, _), pytest.raises(UnderstudyError) as caught:
        connect(url).sandboxes()
    assert (caught.value.kind, caught.value.status) == ("refused", 404)
    assert str(caught.value) == (
        "the service is Understudy 0.0.9 (W), which has no GET /_understudy/sandboxes: use the same version of service and client"
    )


def test_a_command_that_prints_something_else():
    program = "import sys; print('Hello', flush=True); sys.stdin.read()"
    with pytest.raises(UnderstudyError, match="did not start:\nHello"):
        start(command=[sys.executable, "-c", program], start_timeout=3600)


class Found:
    url = "http://127.0.0.1:1"

    def close(self):
        pass


def test_a_silent_stranger_holds_no_worker():
    owner = ServiceOwner(Found)
    address = owner.listen()
    assert os.stat(os.path.dirname(address)).st_mode & 0o077 == 0, "other accounts can't reach the socket"
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.connect(address)
        assert ask_owner(address) == Found.url
    owner.close()
