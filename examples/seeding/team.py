"""Replaces the content of the sandbox `default` of a running service, with Python's standard library.

    UNDERSTUDY_URL=http://127.0.0.1:8000 python3 team.py
"""

import json
import os
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

testers = [
    {
        "username": f"tester-{n}",
        "full_name": f"Tester {n}",
        "subscriptions": [{"notification": "NewAnnouncementNotificaton", "scope": "watched", "frequency": "daily"}],
    }
    for n in range(1, 6)
]
team = {
    "projects": [{"slug": "website", "name": "Website"}],
    "components": [{"project": "website", "slug": "pages", "name": "Pages"}],
    "users": [
        {
            "username": "ada",
            "full_name": "Ada Example",
            "is_superuser": True,
            "token": "wlu_ada_public_sample_token_000000000000",
            "subscriptions": [{"notification": "NewStringNotificaton", "component": "website/pages"}],
        },
        *testers,
    ],
}

headers = {"Content-Type": "application/json"}
if token := os.environ.get("UNDERSTUDY_ADMIN_TOKEN"):
    headers["Authorization"] = f"Bearer {token}"
url = os.environ.get("UNDERSTUDY_URL", "http://127.0.0.1:8000") + "/_understudy/sandboxes/default/seed"
try:
    with urlopen(Request(url, json.dumps(team).encode(), headers, method="PUT")) as response:
        print(response.read().decode())
except HTTPError as error:
    # The body of the response names each error of the seed, with its place.
    sys.exit(error.read().decode())
