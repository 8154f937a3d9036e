"""Prints the requirements of the Weblate in this environment, one a line as pip reads them. Weblate was installed
without them, so that this program can replace a requirement that the system can't build.
"""

import shutil
import subprocess
from importlib.metadata import requires

from packaging.requirements import Requirement


def can_build(library):
    return bool(shutil.which("pkg-config")) and not subprocess.run(["pkg-config", "--exists", library]).returncode


# PyGObject from 3.51 on needs girepository 2.0, which Debian 12 lacks. No request needs PyGObject.
instead = {} if can_build("girepository-2.0") else {"pygobject": "PyGObject<3.51"}
for line in requires("weblate"):
    one = Requirement(line)
    # Of Weblate's extras, only `postgres` (the driver) is installed.
    if one.marker and not any(one.marker.evaluate({"extra": extra}) for extra in ("", "postgres")):
        continue
    extras = f"[{','.join(sorted(one.extras))}]" if one.extras else ""
    print(instead.get(one.name.lower(), f"{one.name}{extras}{one.specifier}"))
print("granian")
