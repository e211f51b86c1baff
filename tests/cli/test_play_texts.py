"""The terminal's catalogue of texts: whole in every language, used, worded as docs/style-of-words.md says, and chosen."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import icu
import pytest

from letitride.analysis.strategy import class_values, rides_with
from letitride.cli.terminal import language as texts_of
from letitride.cli.terminal.chances import chance_of
from letitride.cli.terminal.coach import feature_words, rule_words
from letitride.cli.terminal.game import Game
from letitride.cli.terminal.hands import card_words, hand_words, odds_words, read_words
from letitride.cli.terminal.language import Language, language_of, refusal_words, ruling_words, speak, step_words, texts
from letitride.cli.terminal.plain import Plain
from letitride.cli.terminal.session import Session
from letitride.cli.terminal.story import Story
from letitride.cli.terminal.wanted import wanted_table
from letitride.engine.orders import ORDERED
from letitride.engine.refusal import Refusal
from letitride.engine.state import Ruling
from letitride.engine.steps import KINDS, Step
from letitride.records.rounds import ShownHand
from letitride.rules import catalog
from letitride.rules.cards import DECK
from letitride.rules.hands import Reading, evaluate, reading
from letitride.rules.rulings import THEN, WHAT
from letitride.rules.three_hands import reading_three
from tests.cli import command
from tests.repository.words import AVOIDED, sentences_over

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src" / "letitride"
OTHERS = [one for one in get_args(Language) if one != texts_of.FIRST]
ENGINE = re.compile(r"^(no|step|what|then|order|read|ranks?|suit|card|hand|odds)\.")
"""What has its English in the engine and the rules; a catalogue has it for the other languages."""
STAFF = frozenset({"_step", "_bad_order", "_went_away", "_refuse_decision", "refuse_advice", "refuse_close"})
"""The functions of the engine that refuse what dealers, the floor and devices do."""


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    speak(texts_of.FIRST)


def values(text: str) -> set[str]:
    """The names of the values that are put into a text."""
    read = icu.MessagePattern()
    read.parse(text)
    parts = (read.getPart(at) for at in range(read.countParts()))
    return {read.getSubstring(one) for one in parts if one.getType() == icu.UMessagePatternPartType.ARG_NAME}


def asked() -> tuple[dict[str, list[set[str]]], list[re.Pattern[str]]]:
    """The keys that the terminal asks for with the values it gives, and the patterns of those that are put together."""
    keys: dict[str, list[set[str]]] = {}
    patterns: list[re.Pattern[str]] = []
    for path in (SOURCES / "cli" / "terminal").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and re.fullmatch(r"[a-z_]+(\.[a-z_]+)*", node.value)
            ):
                keys.setdefault(node.value, [])
            if isinstance(node, ast.JoinedStr):
                parts = (
                    re.escape(str(one.value)) if isinstance(one, ast.Constant) else r"[\w.]+" for one in node.values
                )
                patterns.append(re.compile("".join(parts)))
            if (
                isinstance(node, ast.Call)
                and getattr(node.func, "id", "") == "t"
                and isinstance(node.args[0], ast.Constant)
            ) and all(one.arg for one in node.keywords):
                keys.setdefault(node.args[0].value, []).append({str(one.arg) for one in node.keywords})
    return keys, patterns


def test_every_text_is_there_is_used_and_gets_its_values() -> None:
    english, (keys, patterns) = texts("en"), asked()
    assert [key for key, given in keys.items() if given and key not in english and not ENGINE.match(key)] == []
    wrong = {
        key: (values(english[key]), given)
        for key, given in keys.items()
        if key in english
        for one in given
        if one != values(english[key])
    }
    assert wrong == {}
    unused = [key for key in english if key not in keys and not any(one.fullmatch(key) for one in patterns)]
    assert unused == []
    assert [key for key in english if ENGINE.match(key)] == []


@pytest.mark.parametrize("language", OTHERS)
def test_another_language_is_whole_and_asks_for_the_same_values(language: Language) -> None:
    english, other = texts("en"), texts(language)
    assert [key for key in english if key not in other] == []
    assert [key for key in other if key not in english and not ENGINE.match(key)] == []
    assert {key for key, text in english.items() if values(text) != values(other[key])} == set()


@pytest.mark.parametrize("language", get_args(Language))
def test_texts_are_in_icu_message_format_and_short(language: Language) -> None:
    for key, text in texts(language).items():
        named = values(text)
        given = [icu.Formattable(2 if f"{{{name}, plural" in text else "word") for name in named]
        read = icu.MessageFormat(text, icu.Locale(language)).format(list(named), given)
        assert sentences_over(30, read) == [], key


@pytest.mark.parametrize("language", get_args(Language))
def test_the_line_of_keys_fits_eighty_columns(language: Language) -> None:
    bars = [text for key, text in texts(language).items() if key.startswith("bar.") and key != "bar.always"]
    assert max(len(f" {one}  │  {texts(language)['bar.always']}") for one in bars) <= 80


def test_english_has_no_word_that_the_guide_avoids() -> None:
    said = {
        **texts("en"),
        **{f"step.{name}": kind.text for name, kind in KINDS.items() if name not in {"dead_game", "game_over"}},
    }
    found = [
        (key, hit.group())
        for key, text in said.items()
        for one in AVOIDED
        if (hit := re.search(one, text, re.IGNORECASE))
    ]
    assert found == []


def refusals(*names: str) -> Iterator[tuple[str, str, str, set[str]]]:
    """The refusals that files of the engine hold: the function, the code, the case and the names of the values."""
    for name in names:
        for function in ast.parse((SOURCES / "engine" / name).read_text("utf-8")).body:
            for node in ast.walk(function):
                if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refusal"):
                    continue
                code, _, *case = node.args
                given = {
                    str(key.value)
                    for one in node.keywords
                    if isinstance(one.value, ast.Dict)
                    for key in one.value.keys
                    if isinstance(key, ast.Constant)
                }
                assert isinstance(code, ast.Constant)
                cases = {str(one.value) for one in case if isinstance(one, ast.Constant)} or {"" if not case else "*"}
                yield (
                    getattr(function, "name", ""),
                    str(code.value),
                    cases.pop(),
                    {one.removesuffix("_cents") for one in given},
                )


@pytest.mark.parametrize("language", OTHERS)
def test_every_refusal_that_a_player_meets_is_worded_with_its_values(language: Language) -> None:
    other = texts(language)
    seen = set()
    for function, code, case, given in refusals("legal.py", "bets.py", "disputes.py", "refusal.py"):
        if function in STAFF:
            continue
        key = f"no.{code}.{case}" if case and case != "*" else f"no.{code}"
        assert key in other, (key, function)
        assert values(other[key]) <= given, key
        seen |= {key} if case != "*" else {one for one in other if one == key or one.startswith(f"{key}.")}
    also = {f"no.{code}" for _, code, _, _ in refusals("rulings.py")}
    assert [key for key in other if key.startswith("no.") and key not in seen | also] == []


@pytest.mark.parametrize("language", OTHERS)
def test_steps_rulings_and_orders_are_all_worded(language: Language) -> None:
    other = texts(language)
    for family, names in (("step", KINDS), ("what", WHAT), ("then", THEN), ("order", {*ORDERED, "change_cards"})):
        assert {key.removeprefix(f"{family}.") for key in other if key.startswith(f"{family}.")} == set(names)
    for name, kind in KINDS.items():
        assert values(other[f"step.{name}"]) == values(kind.text), name


def test_spanish_words_what_the_engine_says() -> None:
    speak("es")
    wagers = catalog.table_rules("washington-1").by_spot
    assert step_words(Step("pay", 3, "three_card"), wagers) == "paga 3 Card Bonus del asiento 3"
    assert step_words(Step("take", 1, "base-$"), wagers) == "recoge apuesta $ del asiento 1, que perdió"
    refused = Refusal("below_minimum", "", "spot", {"bet": "each base bet", "least_cents": 1_250})
    assert refusal_words(refused) == "El mínimo de cada apuesta base es $12.50."
    assert refusal_words(Refusal("house_does_not_pay", "In English.")) == "In English."
    assert (
        ruling_words(Ruling(name="drawn_card:used_next", sentence=""))
        == "Se sacó una carta por error: se usa como la carta siguiente."
    )
    assert ruling_words(Ruling(name="order:annul:fraud", sentence="")) == "Orden: se anula la ronda."
    assert ruling_words(Ruling(name="", sentence="something else")) == "Something else."


@pytest.mark.parametrize(
    ("readings", "says", "words"),
    [
        ("royal_flush", "royal flush", "escalera real"),
        ("flush A", "flush, ace high", "color al as"),
        ("straight Q", "straight, queen high", "escalera a la reina"),
        ("four_of_a_kind 6", "four of a kind, sixes", "póquer de seises"),
        ("full_house AK", "full house, aces over kings", "full de ases y reyes"),
        ("two_pair J2", "two pair, jacks and twos", "doble par, jotas y doses"),
        ("pair T", "pair of tens", "par de dieces"),
        ("high_card 9", "nine high", "carta alta: nueve"),
        (
            "pair T; flush J",
            "pair of tens; three cards: flush, jack high",
            "par de dieces; las tres cartas: color a la jota",
        ),
        ("", "2 cards", "mano que no se puede leer"),
    ],
)
def test_a_hand_is_read_in_the_language_that_is_spoken(readings: str, says: str, words: str) -> None:
    parts = tuple(
        Reading(hand, ranks) for hand, _, ranks in (one.partition(" ") for one in readings.split("; ") if one)
    )
    hand = ShownHand(words=says, readings=parts)
    assert read_words(hand) == says
    assert not parts or "; three cards: ".join(one.words for one in parts) == says
    speak("es")
    assert read_words(hand) == words


def test_no_hand_no_card_no_pay_and_no_rule_stays_english_in_spanish() -> None:
    english = re.compile(r"\b(of|high|pair|cards?|to|way|ways|win|suited|and)\b")
    hands = [DECK[at : at + 5] for at in range(48)]
    read = {reading(evaluate(tuple(hand))) for hand in hands} | {reading_three(hand[:3]) for hand in hands}
    speak("es")
    words = [*(read_words(ShownHand(words=one.words, readings=(one,))) for one in read), *map(card_words, DECK)]
    for house in catalog.rulebook_ids():
        for pays in catalog.ready_rules(house, {}).pays.values():
            words += [
                word
                for label, pay in pays.on_the_felt(min(3, len(pays.columns))).items()
                for word in (hand_words(label), odds_words(pay))
            ]
    base = catalog.ready_rules("nsw-1", {}).base_pays
    for cards in (3, 4):
        words += [rule_words(one, cards) for one in rides_with(base, cards)]
        words += [feature_words(one.feature) for one in class_values(base, cards)]
    assert [word for word in words if english.search(word)] == []


@pytest.mark.parametrize(
    ("chosen", "environment", "found"),
    [
        ("es", {"LANG": "en_US.UTF-8"}, "es"),
        (None, {"LANG": "es_MX.UTF-8"}, "es"),
        (None, {"LC_ALL": "", "LC_MESSAGES": "es_ES", "LANG": "en_US"}, "es"),
        (None, {"LC_ALL": "C", "LC_MESSAGES": "es_ES", "LANG": "es_ES"}, "en"),
        (None, {"LANG": "fr_FR.UTF-8"}, "en"),
        (None, {}, "en"),
    ],
)
def test_the_language_is_chosen_or_the_one_of_the_environment(
    chosen: Language | None, environment: dict[str, str], found: str
) -> None:
    assert language_of(chosen, environment) == found


@pytest.mark.parametrize("house", catalog.rulebook_ids())
def test_a_round_of_every_book_is_told_in_spanish(house: str) -> None:
    speak("es")
    wanted = wanted_table(house, {}, seed=3, seats=3, seat=2, rounds=2, coach="before")
    lines, said = iter(["?", "h", "d", "", "mantener", "retirar", "d", "", "r", "t", "h"] * 3), list[str]()
    game = Game(Session(wanted, chance_of(3)))
    Plain(game, Story(wanted.own_seats, script=True), lambda: f"{next(lines, 'q')}\n", said.append).play()
    stray = re.compile(r"\b(you|your|the|bet|bets|dealer|expected|round|with|hand)\b", re.IGNORECASE)
    assert [line for line in said[1:] if stray.search(line.partition(" (")[0])] == []
    assert any(line.startswith("Ronda 1: ") for line in said)


def test_the_command_speaks_spanish_by_option_and_by_locale() -> None:
    by_option = command.run(
        "play", "nsw-1", "--plain", "--seed", "1", "--rounds", "1", "--language", "es", answers="\nr\nt\n"
    )
    by_locale = command.run(
        "play", "nsw-1", "--plain", "--seed", "1", "--rounds", "1", answers="\nr\nt\n", LC_ALL="es_MX.UTF-8"
    )
    assert by_option.stdout == by_locale.stdout
    assert "Apuesta 1: R la mantiene, T la retira." in by_option.stdout
    wrong = command.run("play", "nsw-1", "--plain", "--language", "es", "--seat", "9", answers="")
    assert wrong.returncode != 0
    assert "se esperaba un asiento de 1 a 7 después de --seat; se recibió 9" in wrong.stderr
