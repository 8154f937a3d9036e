"""What failed tests print is what the JavaScript client prints, word by word; test/client compares that with the same texts."""

import json
from pathlib import Path

import pytest
from weblate_understudy.describe import (
    describe_disorder,
    describe_last,
    describe_mismatch,
    describe_others,
    describe_unserved,
)

TEXTS = json.loads((Path(__file__).parent / "texts.json").read_text("utf-8"))


def entry_of(name):
    return {**TEXTS["entry"], **TEXTS["entries"][name]}


def found_of(case):
    found = case["found"]
    requests = [entry_of(name) for name in found["requests"]] * case.get("repeated", 1)
    near = [{**miss, "request": entry_of(miss["request"])} for miss in found["near_misses"]]
    return {**found, "requests": requests, "near_misses": near}


def each(kind):
    return pytest.mark.parametrize("case", TEXTS[kind], ids=lambda case: case["title"])


@each("mismatches")
def test_mismatch(case):
    times = case.get("times")
    if isinstance(times, dict):
        times = (times.get("min"), times.get("max"))
    text = describe_mismatch("job", case["match"], times, case.get("within_seconds", 0), found_of(case))
    assert text == "\n".join(case["text"])


@each("disorders")
def test_disorder(case):
    text = describe_disorder("job", case["matches"], case.get("within_seconds", 0), case["count"], found_of(case))
    assert text == "\n".join(case["text"])


@each("others")
def test_others(case):
    found = found_of(case)
    text = describe_others("job", case.get("within_seconds", 0), found["requests"], found)
    assert text == "\n".join(case["text"])


@each("last")
def test_report(case):
    assert describe_last(found_of(case)) == "\n".join(case["text"])


@each("unserved")
def test_unserved(case):
    assert describe_unserved(found_of(case), "say so") == "\n".join(case["text"])
