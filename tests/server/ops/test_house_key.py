"""House key: made once for its owner alone, read again, and anything else is one sentence."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from letitride.errors import InvalidData
from letitride.server.ops.house_key import house_key
from letitride.storage.vault import Vault, fresh_key


def test_a_key_is_made_once_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "data" / "house.key"
    first = house_key(path)
    assert house_key(path) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in path.parent.iterdir()] == ["house.key"]
    assert house_key(tmp_path / "other.key") != first


@pytest.mark.parametrize("text", ["", "12", "zz" * 32, "ä" * 64])
def test_a_file_that_is_no_key_is_one_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "house.key"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidData, match="expected"):
        house_key(path)
    assert path.read_text(encoding="utf-8") == text


def test_what_is_sealed_opens_by_the_same_key_for_the_same_purpose_and_unchanged() -> None:
    key = fresh_key()
    sealed = Vault(key).seal(b"52 cards", b"t/1")
    assert b"52 cards" not in sealed
    assert Vault(key).open(sealed, b"t/1") == b"52 cards"
    assert Vault(key).open(sealed, b"t/2") is None
    assert Vault(fresh_key()).open(sealed, b"t/1") is None
    assert Vault(key).open(sealed[:-1] + bytes([sealed[-1] ^ 1]), b"t/1") is None
    assert Vault(key).open(b"", b"t/1") is None
