"""Tests of the server. A house in the process of a test hashes passwords really, and as cheaply as it can be done."""

from functools import partial

from argon2 import PasswordHasher

from letitride.server.people import passwords

# Each house hashes once as it is made, which takes longer than most of what is tested there.
passwords.PasswordHasher = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
