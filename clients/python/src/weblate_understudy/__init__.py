"""Client of Understudy's own API, and a pytest plugin (`pytest_plugin`). It needs the standard library only."""

from .client import Client, connect
from .describe import describe_requests
from .errors import UnderstudyError
from .requests import Expect, RequestMismatchError, Requests
from .sandbox import Faults, Sandbox
from .service import Service, start

__version__ = "0.1.0"

__all__ = [
    "Client",
    "Expect",
    "Faults",
    "RequestMismatchError",
    "Requests",
    "Sandbox",
    "Service",
    "UnderstudyError",
    "connect",
    "describe_requests",
    "start",
]
