"""The page's catalogue of texts: it speaks as docs/style-of-words.md says, in every language, and asks for the same values."""

from __future__ import annotations

import json
import re
import runpy
import shutil
import subprocess
from pathlib import Path

import icu
import pytest

from letitride.analysis.strategy import rule_codes
from letitride.rules import catalog
from tests.repository.words import ON_SCREEN, sentences_over

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "web" / "src" / "texts"
STAFF = re.compile(r"^(staff|staffdrill|assign|instructor|desk)\.")
"""Texts that staff alone see; English serves for them."""
WORDS_MAX = 30


def texts(language: str) -> dict[str, str]:
    """The texts of a language by key."""
    found: dict[str, str] = json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return found


def values(text: str) -> set[str]:
    """The names of the values that are put into a text: '{name}', '{cards, plural, …}'."""
    return set(re.findall(r"\{(\w+)(?:\}|, (?:plural|select))", text))


def read(text: str) -> str:
    """A text as a person may read it: the plural of a plural, a word for a value."""
    spoken = re.sub(r"\{\w+, plural, (?:=?\w+ \{[^{}]*\} )*other \{([^{}]*)\}\}", r"\1", text)
    return re.sub(r"\{\w+\}", "value", spoken)


LANGUAGES = sorted(path.stem for path in FOLDER.glob("*.json"))


def test_english_has_no_word_that_the_guide_avoids() -> None:
    found = [
        f"{key}: '{hit.group()}' in {text!r}"
        for key, text in texts("en").items()
        for pattern in ON_SCREEN
        if (hit := re.search(pattern, read(text), re.IGNORECASE))
    ]
    assert found == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_on_screen_is_longer_than_thirty_words(language: str) -> None:
    sent = json.loads((ROOT / "web" / "src" / "generated" / "engine.json").read_text(encoding="utf-8"))
    shown = {**sent, **texts(language)} if language == "en" else texts(language)
    found = {key: long for key, text in shown.items() if (long := sentences_over(WORDS_MAX, read(text)))}
    assert found == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_in_the_terminal_is_longer_either(language: str) -> None:
    catalogue = ROOT / "src" / "letitride" / "cli" / "terminal" / "texts" / f"{language}.json"
    shown: dict[str, str] = json.loads(catalogue.read_text(encoding="utf-8"))
    found = {key: long for key, text in shown.items() if (long := sentences_over(WORDS_MAX, read(text)))}
    assert found == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_for_players_is_there_and_asks_for_the_same_values(language: str) -> None:
    sent = json.loads((ROOT / "web" / "src" / "generated" / "engine.json").read_text(encoding="utf-8"))
    english = {**sent, **texts("en")}
    other = english if language == "en" else texts(language)
    assert [key for key in english if key not in other and not STAFF.match(key)] == []
    assert [key for key in other if key not in english] == []
    assert {key: text for key, text in other.items() if values(text) != values(english[key])} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_count_with_the_number_itself(language: str) -> None:
    """'1 cards' comes of a number beside a word that does not follow it."""
    counted = r"\{(\w+)\} (cards|seconds|minutes|rounds|players|tables|hands|entries|answers|cartas|segundos|minutos|rondas)\b"
    found = {key: text for key, text in texts(language).items() if re.search(counted, text)}
    assert found == {}


def test_refusals_are_worded_by_codes_that_exist() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src" / "letitride").rglob("*.py"))
    codes = [key.removeprefix("no.") for key in texts("en") if re.fullmatch(r"no\.[a-z_]+", key)]
    assert codes
    assert [code for code in codes if f'"{code}"' not in sources] == []


def test_the_guide_is_in_the_repository_and_names_what_is_avoided() -> None:
    guide = (ROOT / "docs" / "style-of-words.md").read_text(encoding="utf-8")
    assert "| thing | word on screen and paper |" in guide
    assert [word for word in ("complain", "mishap", "let it go by", "hold of drop", "walk") if word not in guide] == []


@pytest.mark.parametrize(
    ("language", "key", "text", "told"),
    [
        ("en", "lobby.unused", "Nobody reads this.", "en.json, lobby.unused: no source uses this text."),
        ("en", "lobby.tables", None, "pages/lobby/Lobby.tsx: en.json has no text lobby.tables."),
        ("es", "lobby.now", None, "es.json, lobby.now: the text is missing."),
        ("es", "lobby.as", "Juegas.", "es.json, lobby.as: expected the values name as in en.json, got none."),
        ("en", "lobby.as", "You're playing as {name.", "en.json, lobby.as: expected ICU MessageFormat"),
    ],
)
def test_the_build_fails_on_a_catalogue_that_is_not_whole(
    tmp_path: Path, language: str, key: str, text: str | None, told: str
) -> None:
    web = tmp_path / "web"
    shutil.copytree(ROOT / "web", web, ignore=shutil.ignore_patterns("node_modules"))
    (web / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    path = web / "src" / "texts" / f"{language}.json"
    changed = {**texts(language), key: text}
    path.write_text(json.dumps({key: text for key, text in changed.items() if text is not None}), encoding="utf-8")
    node = runpy.run_path(str(ROOT / "scripts" / "web.py"))["node_folder"]() / "bin" / "node"
    done = subprocess.run(
        [str(node), "build.mjs", str(tmp_path / "assets")], cwd=web, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert told in done.stderr
    assert not (tmp_path / "assets").exists()


def said(key: str, **given: int) -> str:
    """A text of the English page, as the page says it."""
    return str(
        icu.MessageFormat(texts("en")[key], icu.Locale("en")).format(
            list(given), list(map(icu.Formattable, given.values()))
        )
    )


def rule_words(code: str, cards: int) -> str:
    """What the page makes of the code of a rule (web/src/texts/strategy.ts)."""
    kind, ways, highs = (*code.split(":"), "", "0")[:3]
    if kind not in {"suited", "unsuited"}:
        return said("rule.paying") if kind == "paying" else said(f"cards.{kind}")
    least, _, most = ways.partition("-")
    more = said("rule.highs", highs=int(highs))
    if not most:
        return said(f"rule.{kind}.any", cards=cards) + more
    if least == most:
        return said(f"rule.{kind}.exact", cards=cards, ways=int(most)) + more
    return said(f"rule.{kind}.range", cards=cards, least=int(least), ways=int(most)) + more


def test_the_page_words_every_rule_of_best_play_as_the_strategy_does() -> None:
    tables = [table.pays["base"] for table in map(catalog.paytable, catalog.paytable_ids()) if "base" in table.pays]
    rules = {
        (words, code, cards) for pays in tables for cards in (3, 4) for words, code in rule_codes(pays, cards).items()
    }
    assert len(rules) > 10
    assert {(words, rule_words(code, cards)) for words, code, cards in rules} == {
        (words, words) for words, _, _ in rules
    }
