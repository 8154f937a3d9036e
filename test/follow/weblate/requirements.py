"""Prints what the Weblate of this environment requires beside itself, a line each as pip takes it. The release was
installed alone before; so a requirement that the system can't build can be another one than the release names.
"""

import shutil
import subprocess
from importlib.metadata import requires

from packaging.requirements import Requirement


def can_build(library):
    return bool(shutil.which("pkg-config")) and not subprocess.run(["pkg-config", "--exists", library]).returncode


# PyGObject from 3.51 on needs girepository 2.0, which Debian 12 lacks. It draws, and the interface doesn't.
instead = {} if can_build("girepository-2.0") else {"pygobject": "PyGObject<3.51"}
for line in requires("weblate"):
    one = Requirement(line)
    # Of the extras, only the driver of PostgreSQL.
    if one.marker and not any(one.marker.evaluate({"extra": extra}) for extra in ("", "postgres")):
        continue
    extras = f"[{','.join(sorted(one.extras))}]" if one.extras else ""
    print(instead.get(one.name.lower(), f"{one.name}{extras}{one.specifier}"))
print("granian")
