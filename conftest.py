"""What every test of the project has at hand."""

pytest_plugins = ["tests.plugins.clauses", "tests.plugins.mutations"]
