"""What every test of the project has at hand."""

import os

from hypothesis import settings

pytest_plugins = ["tests.plugins.clauses", "tests.plugins.mutations", "pytester"]

# A slow machine is no failure. `make test` says the same twice of the same code; `make prove` looks for new examples.
settings.register_profile("default", deadline=None, derandomize=True)
settings.register_profile("prove", deadline=None, max_examples=1_500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
