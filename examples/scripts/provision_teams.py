"""Creates or updates the teams in a CSV file with the columns team, languages, projects and roles.

    WEBLATE_URL=https://weblate.example.com WEBLATE_TOKEN=wlu_… python provision_teams.py teams.csv
"""

import csv
import os
import sys

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
    return response.json() if response.content else None


def listed(path):
    """Yields all entries of a list, page by page."""
    url = path
    while url:
        page = call("GET", url)
        yield from page["results"]
        url = page["next"] and page["next"].removeprefix(API)


def last(url):
    """Returns the last segment: `cs` of https://weblate.example.com/api/languages/cs/"""
    return url.rstrip("/").rsplit("/", 1)[-1]


projects = {project["slug"]: project["id"] for project in listed("projects/")}
roles = {role["name"]: role["id"] for role in listed("roles/")}
teams = {team["name"]: team for team in listed("groups/") if team["defining_project"] is None}


def make_equal(team, part, key, wanted):
    """Adds wanted entries that are missing, and removes entries that aren't wanted. `wanted` maps the last
    segment of an entry's link to the value with which POST adds the entry. Returns whether anything changed."""
    held = {last(link) for link in team[part]}
    for name in sorted(wanted.keys() - held):
        call("POST", f"groups/{team['id']}/{part}/", json={key: wanted[name]})
    for name in sorted(held - wanted.keys()):
        entry = projects[name] if part == "projects" else name
        call("DELETE", f"groups/{team['id']}/{part}/{entry}/")
    return held != wanted.keys()


with open(sys.argv[1], newline="", encoding="utf-8") as table:
    for row in csv.DictReader(table):
        name = row["team"]
        fields = {"name": name, "project_selection": 0, "language_selection": 0}
        is_new = name not in teams
        if is_new:
            team = call("POST", "groups/", json=fields)
        else:
            team = call("PATCH", f"groups/{teams[name]['id']}/", json=fields)
        values = {part: row[part].split(";") if row[part] else [] for part in ("languages", "projects", "roles")}
        changes = [
            make_equal(team, "languages", "language_code", {code: code for code in values["languages"]}),
            make_equal(team, "projects", "project_id", {slug: projects[slug] for slug in values["projects"]}),
            make_equal(team, "roles", "role_id", {str(roles[role]): roles[role] for role in values["roles"]}),
        ]
        print(name, "created" if is_new else "changed" if any(changes) else "unchanged")
