"""Send batching: a message's own head is what the library would write, whatever its length."""

from __future__ import annotations

import pytest
from websockets.frames import Frame, Opcode

from letitride.server.net.send_batching import head


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 65_535, 65_536, 100_000])
def test_the_head_of_a_message_is_the_one_of_the_library(length: int) -> None:
    message = b"x" * length
    assert Frame(Opcode.TEXT, message).serialize(mask=False) == head(length) + message
