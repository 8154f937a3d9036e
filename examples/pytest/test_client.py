import requests
from weblate_understudy import start


def test_faults():
    with start() as api, api.sandbox(from_="documented") as sandbox:
        sandbox.faults.set([{"match": {"path": "/api/users/*/notifications/"}, "status": 503, "next": 1}])
        url = f"{sandbox.base_url}/api/users/alice/notifications/"
        assert [requests.get(url).status_code for _ in range(2)] == [503, 200]
