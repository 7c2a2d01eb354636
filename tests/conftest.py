"""Profiles for the property tests: `HYPOTHESIS_PROFILE=soak` looks for an hour instead of a moment."""

import os

from hypothesis import settings

settings.register_profile("default", deadline=None)
settings.register_profile("soak", deadline=None, max_examples=20_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
