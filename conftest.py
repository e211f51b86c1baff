"""What every test of the project has at hand."""

import os

from hypothesis import settings

pytest_plugins = ["tests.plugins.clauses", "tests.plugins.mutations", "pytester"]

settings.register_profile("default", deadline=None)  # a slow machine is not a failure
settings.register_profile("prove", deadline=None, max_examples=1_500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
