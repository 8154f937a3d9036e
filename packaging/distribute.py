"""Makes the source archive and the wheel for PyPI from dist/clients/python, in a folder: distribute.py FOLDER"""

import os
import sys
from pathlib import Path

from flit_core import buildapi

folder = Path(sys.argv[1]).resolve()
folder.mkdir(parents=True, exist_ok=True)
os.chdir(Path(__file__).parent.parent / "dist/clients/python")
print(folder / buildapi.build_sdist(folder))
print(folder / buildapi.build_wheel(folder))
