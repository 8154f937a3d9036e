"""One service for a test run. With pytest-xdist, the controller owns the service, because it outlives the workers. It listens
on a socket, and starts the service when the first worker asks."""

from __future__ import annotations

import threading
from multiprocessing.connection import Client as ask
from multiprocessing.connection import Listener
from typing import Callable, Optional

from .errors import UnderstudyError
from .service import Service


class ServiceOwner:
    def __init__(self, start_service: Callable[[], Service]) -> None:
        self._start = start_service
        self._lock = threading.Lock()
        self._service: Optional[Service] = None
        #: The service's URL, or why the service did not start. A failed start isn't tried again.
        self._outcome: Optional[tuple[str, str]] = None
        self._listener: Optional[Listener] = None

    def url(self) -> str:
        """Returns the service's URL. The first call starts the service."""
        return _url_of(*self._get_outcome())

    def _get_outcome(self) -> tuple[str, str]:
        with self._lock:
            if self._outcome is None:
                try:
                    self._service = self._start()
                    self._outcome = "url", self._service.url
                except UnderstudyError as error:
                    self._outcome = "failed", str(error)
            return self._outcome

    def listen(self) -> str:
        """Returns the address for `ask_owner`: a socket in a folder that only this account can enter."""
        if self._listener is None:
            self._listener = Listener(backlog=64)
            threading.Thread(target=self._answer, args=(self._listener,), daemon=True).start()
        return str(self._listener.address)

    def _answer(self, listener: Listener) -> None:
        while self._listener is not None:
            try:
                with listener.accept() as connection:
                    connection.send(self._get_outcome())
            except Exception:
                # The listener is closed, or the worker is gone.
                continue

    def close(self) -> None:
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.close()
        if self._service is not None:
            self._service.close()


def ask_owner(address: str) -> str:
    with ask(address) as connection:
        return _url_of(*connection.recv())


def _url_of(kind: str, text: str) -> str:
    if kind == "failed":
        raise UnderstudyError("not_started", text)
    return text
