"""Refusals: how a refusal is described in the interface."""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel


class Refused(BaseModel):
    """Why something was refused, in a sentence."""

    detail: str


Described = dict[int | str, dict[str, Any]]
BAD: Final[Described] = {422: {"description": "Bad input: a sentence, or a list of what is wrong with the form."}}
FORBIDDEN: Final[Described] = {
    401: {"model": Refused, "description": "Nobody in particular."},
    403: {"model": Refused, "description": "Somebody who may not do this."},
}
MISSING: Final[Described] = {404: {"model": Refused, "description": "Something that does not exist."}}
BUSY: Final[Described] = {409: {"model": Refused, "description": "Not at this moment."}}
