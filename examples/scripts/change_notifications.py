"""Gives every user the same subscription: new announcements of watched projects, as a daily digest.

    WEBLATE_URL=https://weblate.example.com WEBLATE_TOKEN=wlu_… python change_notifications.py
"""

import os
from urllib.parse import quote

import requests

API = os.environ["WEBLATE_URL"].rstrip("/") + "/api/"
WANTED = {"notification": "NewAnnouncementNotificaton", "scope": 10, "frequency": 2}

session = requests.Session()
session.headers["Authorization"] = f"Token {os.environ['WEBLATE_TOKEN']}"


def pages(url):
    while url:
        response = session.get(url)
        response.raise_for_status()
        page = response.json()
        yield from page["results"]
        url = page["next"]


for user in pages(API + "users/"):
    name = user["username"]
    if name == "anonymous":
        continue
    url = f"{API}users/{quote(name)}/notifications/"
    same = [
        entry
        for entry in pages(url)
        if (entry["notification"], entry["scope"]) == (WANTED["notification"], WANTED["scope"])
    ]
    if not same:
        response = session.post(url, json=WANTED)
    elif same[0]["frequency"] != WANTED["frequency"]:
        response = session.patch(f"{url}{same[0]['id']}/", json={"frequency": WANTED["frequency"]})
    else:
        print(name, "unchanged")
        continue
    response.raise_for_status()
    print(name, "created" if response.status_code == 201 else "changed")
