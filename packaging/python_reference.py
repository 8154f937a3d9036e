"""Writes docs/reference/python-client.md, which has every public member of the client.
With `check`, only checks that the page is up to date:
python3 packaging/python_reference.py [check]
"""

import ast
import sys
from pathlib import Path

root = Path(__file__).parent.parent
source = root / "clients/python/src/weblate_understudy"
page = root / "docs/reference/python-client.md"
modules = ["service", "client", "sandbox", "requests", "types", "errors"]


def signature(node):
    text = ast.get_source_segment(code, node).split("\n")
    body = node.body[0].lineno - node.lineno
    return "\n".join(line[node.col_offset :] if i else line for i, line in enumerate(text[:body])).rstrip().rstrip(":")


def docstring(node):
    return (ast.get_docstring(node) or "").strip()


def member(node):
    return "\n\n".join(part for part in (f"```python\n{signature(node)}\n```", docstring(node)) if part)


def block(lines):
    return "```python\n" + "\n".join(lines) + "\n```"


def source_of(node):
    """Returns the lines of the statement, with the comment above it."""
    lines = code.split("\n")
    start = node.lineno - 1
    while lines[start - 1].strip().startswith("#:"):
        start -= 1
    return [line[node.col_offset :] for line in lines[start : node.end_lineno]]


def attributes(node):
    """Returns the attributes that the class's constructor sets."""
    init = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
    set_there = [one for each in init for one in each.body if isinstance(one, (ast.Assign, ast.AnnAssign))]
    public = [one for one in set_there if not ast.unparse(one).startswith("self._")]
    return [block(line for one in public for line in source_of(one))] if public else []


def is_public(node):
    return not node.name.startswith("_") or node.name in ("__call__",)


parts = []
for module in modules:
    code = (source / f"{module}.py").read_text()
    tree = ast.parse(code)
    parts.append(f"## {module}\n\n{docstring(tree)}")
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and is_public(node):
            parts.append(member(node))
        if module == "types" and isinstance(node, ast.Assign) and not ast.unparse(node).startswith("_"):
            parts.append(block(source_of(node)))
        if isinstance(node, ast.ClassDef) and is_public(node):
            if module == "types":
                parts.append(block(source_of(node)))
                continue
            parts.append(f"### {node.name}\n\n{docstring(node)}".strip())
            parts += attributes(node)
            parts += [member(one) for one in node.body if isinstance(one, ast.FunctionDef) and is_public(one)]

text = """# Python client

This page has every public member of `weblate_understudy`, from its source. [Test with
pytest](../how-to/test-with-pytest.md) explains how to use them. `packaging/python_reference.py` writes this page.

""" + "\n\n".join(parts) + "\n"
if sys.argv[1:] == ["check"]:
    sys.exit(0 if page.exists() and page.read_text() == text else f"{page} is out of date: python3 {__file__}")
page.write_text(text)
