import pytest
import requests


@pytest.mark.understudy(seed={"users": [{"username": "zoe"}]}, allow_unmatched=True)
def test_zoe_has_no_subscriptions(sandbox):
    url = f"{sandbox.base_url}/api/users/zoe/notifications/"
    assert requests.get(url, headers=sandbox.headers("zoe")).json()["count"] == 0
    assert requests.get(f"{sandbox.base_url}/api/changes/").status_code == 404
