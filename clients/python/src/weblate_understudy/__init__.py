"""Client of Understudy's control API, and a pytest plugin (`pytest_plugin`). The client needs the standard library only."""

from .client import Client as Client, connect as connect
from .errors import UnderstudyError as UnderstudyError
from .requests import Expect as Expect, RequestMismatchError as RequestMismatchError, Requests as Requests
from .sandbox import Faults as Faults, Sandbox as Sandbox
from .types import (
    ExchangeMatch as ExchangeMatch,
    FaultInForce as FaultInForce,
    FaultRule as FaultRule,
    RequestMatch as RequestMatch,
    Search as Search,
)
from .service import Service as Service, start as start

__version__ = "0.1.0"
