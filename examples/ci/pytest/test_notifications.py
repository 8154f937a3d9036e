"""pip install pytest requests && pytest"""

import requests


def subscriptions(sandbox):
    url = f"{sandbox.base_url}/api/users/alice/notifications/"
    headers = {"Authorization": f"Token {sandbox.tokens['alice']}"}
    return url, headers, requests.get(url, headers=headers).json()


def test_unsubscribes(sandbox):
    url, headers, before = subscriptions(sandbox)
    for one in before["results"]:
        assert requests.delete(f"{url}{one['id']}/", headers=headers).status_code == 204
    assert subscriptions(sandbox)[2]["count"] == 0


def test_sees_nothing_of_the_test_before(sandbox):
    assert subscriptions(sandbox)[2]["count"] == 10
