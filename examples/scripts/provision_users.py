"""Creates or updates the users in a CSV file with the columns username, full_name, email and groups (such as a;b).

    WEBLATE_URL=https://weblate.example.com WEBLATE_TOKEN=wlu_… python provision_users.py users.csv
"""

import csv
import os
import sys
from urllib.parse import quote

import requests

API = os.environ["WEBLATE_URL"].rstrip("/") + "/api/"

session = requests.Session()
session.headers["Authorization"] = f"Token {os.environ['WEBLATE_TOKEN']}"


def call(method, path, **arguments):
    response = session.request(method, API + path, **arguments)
    if response.status_code == 400:
        for error in response.json()["errors"]:
            print(f"  {error['attr']}: {error['detail']}", file=sys.stderr)
    response.raise_for_status()
    return response.json()


groups = {group["name"]: group["id"] for group in call("GET", "groups/?page_size=1000")["results"]}

with open(sys.argv[1], newline="", encoding="utf-8") as table:
    for row in csv.DictReader(table):
        name = row["username"]
        path = f"users/{quote(name)}/"
        fields = {key: row[key] for key in ("username", "full_name", "email")}
        if session.get(API + path).status_code == 404:
            call("POST", "users/", json={**fields, "is_active": True})
            print(name, "created")
        else:
            call("PATCH", path, json=fields)
            print(name, "updated")
        for group in filter(None, row["groups"].split(";")):
            call("POST", path + "groups/", data={"group_id": groups[group]})
