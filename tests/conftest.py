"""No deadline for property tests on a busy machine, and a home of their own for what tests leave in a cache."""

import os
import tempfile

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

_home = tempfile.TemporaryDirectory(prefix="readwell-home-")
os.environ["HOME"] = _home.name
