"""Makes the known world of the transcripts in a new, empty Weblate: the users, projects, components and subscriptions
of seed.json with their ids and tokens, and the next ids. make-world.ts runs it.

Groups, roles and languages stay as the release makes them by itself. This program prints a line for each
group whose id or name differs from seed.json: answers about these groups will differ.
"""

import json
import sys
from datetime import datetime
from itertools import count

import django

django.setup()

from django.db import connection, transaction
from rest_framework.authtoken.models import Token
from weblate.accounts.models import Subscription
from weblate.auth.models import Group, User
from weblate.lang.models import Language
from weblate.trans.models import Component, Project


def set_next_id(model, value):
    """Sets the sequence of the ids, which PostgreSQL does not advance when a row is inserted with its id."""
    with connection.cursor() as cursor:
        table = model._meta.db_table
        cursor.execute("select setval(pg_get_serial_sequence(%s, 'id'), %s, false)", [table, value])


def create(model, row_id, **fields):
    # To Weblate an object with an id is an existing row, so the sequence gives the id.
    set_next_id(model, row_id)
    return model.objects.create(**fields)


def make_projects(seed):
    # Weblate makes a project's groups with the project. So that these groups get the ids of seed.json, the
    # sequence begins with the lowest of these ids, and the projects are made in order.
    set_next_id(Group, min(group["id"] for group in seed["groups"] if group["defining_project"]))
    projects = {}
    for row in seed["projects"]:
        access = Project.ACCESS_PRIVATE if row["private"] else Project.ACCESS_PUBLIC
        fields = {key: row[key] for key in ("name", "slug", "web")}
        projects[row["slug"]] = create(Project, row["id"], access_control=access, **fields)
    english = Language.objects.get(code="en")
    components = [
        Component(
            id=row["id"],
            name=row["name"],
            slug=row["slug"],
            project=projects[row["project"]],
            vcs="local",
            repo="local:",
            file_format="po",
            filemask=f"{row['slug']}/*.po",
            source_language=english,
        )
        for row in seed["components"]
    ]
    # save() would make a repository and read its files; in the known world no component has a repository.
    Component.objects.bulk_create(components)
    return projects, {(one.project.slug, one.slug): one for one in components}


def make_user(row):
    fields = {key: row[key] for key in ("full_name", "email", "is_superuser", "is_active")}
    user = User.objects.filter(username=row["username"]).first()
    if user is None:
        user = create(User, row["id"], username=row["username"], **fields)
        user.set_unusable_password()
    user.date_joined = datetime.fromisoformat(row["date_joined"])
    user.save()
    if row["token"]:
        Token.objects.filter(user=user).delete()
        Token.objects.create(user=user, key=row["token"])
    wanted, given = set(row["groups"]), {group.id for group in user.groups.all()}
    user.groups.add(*Group.objects.filter(id__in=wanted - given))
    user.groups.remove(*Group.objects.filter(id__in=given - wanted))
    return user


def make_subscriptions(seed, users, projects, components):
    Subscription.objects.filter(user__in=users.values()).delete()
    for row in seed["subscriptions"]:
        component = row["component"] and components[tuple(row["component"].split("/"))]
        create(
            Subscription,
            row["id"],
            user=users[row["user"]],
            notification=row["notification"],
            scope=row["scope"],
            frequency=row["frequency"],
            project=row["project"] and projects[row["project"]],
            component=component,
        )


def renumber_groups(seed):
    """Gives projects' groups the ids of seed.json: a release may make these groups in any order."""
    wanted = {(group["defining_project"], group["name"]): group["id"] for group in seed["groups"]}
    made = {(one.defining_project.slug, one.name): one.id for one in Group.objects.exclude(defining_project=None)}
    fresh = count(max(wanted.values()) + 1)
    moves = {made[key]: wanted[key] if key in wanted else next(fresh) for key in sorted(made)}
    table = Group._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute("set constraints all deferred")
        cursor.execute(
            "select conrelid::regclass::text, attname from pg_constraint join pg_attribute"
            " on attrelid = conrelid and attnum = any(conkey) where contype = 'f' and confrelid = %s::regclass",
            [table],
        )
        for owner, column in [*cursor.fetchall(), (table, "id")]:
            for old, new in moves.items():
                cursor.execute(f'update {owner} set "{column}" = %s where "{column}" = %s', [-new, old])
            cursor.execute(f'update {owner} set "{column}" = -"{column}" where "{column}" < 0')


def list_other_groups(seed):
    """Returns a line for each group whose id or name differs from seed.json."""
    wanted = {group["id"]: group["name"] for group in seed["groups"]}
    made = dict(Group.objects.values_list("id", "name"))
    return [
        f"group {one}: {wanted.get(one, 'none')} in seed.json, {made.get(one, 'none')} here"
        for one in sorted(wanted.keys() | made.keys())
        if wanted.get(one) != made.get(one)
    ]


@transaction.atomic
def make_world(seed):
    projects, components = make_projects(seed)
    renumber_groups(seed)
    users = {row["username"]: make_user(row) for row in seed["users"]}
    make_subscriptions(seed, users, projects, components)
    for model in (Group, Project, Component):
        set_next_id(model, max(model.objects.values_list("id", flat=True)) + 1)
    set_next_id(User, seed["next_id"]["users"])
    set_next_id(Subscription, seed["next_id"]["subscriptions"])


with open(sys.argv[1], encoding="utf-8") as file:
    world = json.load(file)
make_world(world)
print(*list_other_groups(world), sep="\n")
