"""What a stranger may do to the client, and a command that isn't Understudy's."""

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
def serving(location=None):
    """A server that redirects; yields its URL, and the headers of the requests that it received."""
    received = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            received.append(self.headers)
            self.send_response(200 if location is None else 302)
            if location is not None:
                self.send_header("Location", location)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"[]")

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
