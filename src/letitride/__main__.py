"""`python -m letitride`: the same as the command."""

from letitride.cli.main import run

run()
