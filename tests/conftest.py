"""Profiles for the property tests, and a home of their own for what tests leave in a cache.

`HYPOTHESIS_PROFILE=soak` looks for an hour instead of a moment.
"""

import os
import tempfile

from hypothesis import settings

settings.register_profile("default", deadline=None)
settings.register_profile("soak", deadline=None, max_examples=20_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

_home = tempfile.TemporaryDirectory(prefix="readwell-home-")
os.environ["HOME"] = _home.name
