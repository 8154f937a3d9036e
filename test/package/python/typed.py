"""Read by mypy alone: what is right passes, and each line of `wrong` is refused."""

from weblate_understudy import ExchangeMatch, FaultRule, Sandbox


def right(sandbox: Sandbox) -> None:
    sandbox.requests.expect(method="POST", path="/api/**", body={"scope": 10}, times={"min": 1}, within=2)
    sandbox.requests.expect.in_order([{"method": "GET"}, {"status": 404, "user": None}])
    sandbox.requests.list(status="4xx", limit=3)
    sandbox.faults.set([{"match": {"path": "/api/**"}, "status": 503, "next": 2}])
    rule: FaultRule = {"connection": "cut", "delay_ms": {"min": 1, "max": 2}}
    print(sandbox.faults.add(rule)["key"])


def wrong(sandbox: Sandbox) -> None:
    sandbox.requests.expect(methd="POST")
    sandbox.requests.list(statsu=404)
    sandbox.faults.add({"statsu": 503})
    sandbox.faults.set([{"match": {"pth": "/"}, "status": 503}])
    match: ExchangeMatch = {"user": 3}
