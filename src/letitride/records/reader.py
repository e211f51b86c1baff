"""Reader: reads a round record from its text and says file, line and what was expected where it cannot."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final, NoReturn

import msgspec

from letitride.engine import commands
from letitride.engine.orders import ORDERED
from letitride.engine.refusal import CODES, LINE_MAX, NAME_MAX
from letitride.engine.state import Choice
from letitride.engine.steps import KINDS
from letitride.errors import InvalidData
from letitride.records import floor_lines
from letitride.records.decks import named_cards
from letitride.records.record import Action, Dealt, Record, Round, Setting
from letitride.rules.cards import JOKER, parse_cards
from letitride.rules.rulings import THEN
from letitride.rules.settlement import Spot
from letitride.rules.wager_table import BASE_SPOTS, PUBLISHED
from letitride.rules.words import did_you_mean, one_of, shortened, show_value

_ACTS: Final = {
    "sits": "'sits NAME AMOUNT' or 'sits out'",
    "rejoins": "'rejoins' alone",
    "buys": "'buys AMOUNT'",
    "exchanges": "'exchanges AMOUNT chips', 'exchanges AMOUNT tokens' or 'exchanges AMOUNT match_play'",
    "leaves": "'leaves' alone",
    "bets": "'bets' and what is bet",
    "inspects": "'inspects' alone",
    "looks": "'looks' alone",
    "rides": "'rides 1' or 'rides 2', each on its own line",
    "withdraws": "'withdraws 1', 'withdraws 2' or 'withdraws' and a side bet, each on its own line",
    "tucks": "'tucks' alone",
    "claims": "'claims' alone",
    "waves": "'waves' alone",
    "banks": "'banks AMOUNT'",
    "declines": "'declines' alone",
    "corrects": "'corrects AMOUNT'",
    "folds": "'folds' alone",
    "refuses": "'refuses' alone",
    "goes": "'goes away'",
    "comes": "'comes back'",
    "disputes": "'disputes' and what about",
    "appeals": "'appeals' alone",
    "asks": "'asks advice'",
    "wants": "'wants no advice'",
    "reports": "'reports' and what is wrong",
    "advises": "'advises seat N: WORDS'",
}
"""What a player does, and how it is written."""
_WORDS = (
    *("rulebook", "set", "dealer", "floor", "seat", "round", "deck", "hand", "community", "burn", "dice"),
    *("missing", "redeal", "mishap", *floor_lines.ROLES[2:]),
)

_RULED: Final = (*THEN, *ORDERED, "change_cards")
"""What is ruled or ordered, as a line may say it after '=> ruled'."""
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_CARDS_MAX: Final = 54
_SIDE_BETS: Final = tuple(wager.spot for wager in PUBLISHED.values() if not wager.is_base)
_WAGER: Final = r"[a-z][a-z0-9_]*"
"""The id of a wager, which may be a house's own."""


def read_record(text: str, where: str = "record") -> Record:
    """Read a round record; `where` names it in refusals."""
    return _Reader(where).read(text)


class _Reader:
    """Reads line by line, keeping what a refusal has to name."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.number = 0
        self.record = Record("", (), (), ())

    def read(self, text: str) -> Record:
        for self.number, raw in enumerate(re.split(r"\r\n|\r|\n", text), 1):
            if control := _CONTROL.search(raw):
                self._fail("plain text", f"the control character {show_value(control[0])}")
            line = raw.partition("#")[0]
            if len(line) > LINE_MAX:
                self._fail(f"a line of at most {LINE_MAX:,} characters", f"one of {len(line):,}")
            try:
                if words := line.split():
                    self._line(words)
            except floor_lines.BadLine as bad:
                self._fail(bad.expected, bad.came)
        if not self.record.rulebook:
            raise InvalidData(f"{self.where}: expected a line 'rulebook ID', got none")
        return self.record

    def _fail(self, expected: str, came: str) -> NoReturn:
        raise InvalidData(f"{self.where}, line {self.number}: expected {expected}, got {shortened(came)}")

    def _line(self, words: list[str]) -> None:
        first, *rest = words
        record = self.record
        if first != "rulebook" and not record.rulebook:
            self._fail("'rulebook ID' before anything else", show_value(" ".join(words)))
        match first:
            case "rulebook":
                digest = re.fullmatch(r"sha256:([0-9a-f]{64})", rest[1]) if len(rest) == 2 else None
                if record.rulebook:
                    expected = f"one record in a file, since 'rulebook' stands in line {record.line} already"
                    self._fail(expected, f"{show_value(' '.join(words))}; a further round begins with 'round'")
                if len(rest) != 1 and digest is None:
                    expected = "one line 'rulebook ID', or 'rulebook ID sha256:…' with 64 hex digits"
                    self._fail(expected, show_value(" ".join(words)))
                self.record = replace(record, rulebook=rest[0], digest=digest[1] if digest else "", line=self.number)
            case "set":
                key, equals, value = " ".join(rest).partition("=")
                if not equals or record.opening or record.rounds:
                    self._fail("'set KEY = VALUE' before any player acts", show_value(" ".join(words)))
                self.record = replace(
                    record, settings=(*record.settings, Setting(key.strip(), value.strip(), self.number))
                )
            case "round":
                if rest:
                    self._fail("'round' alone", show_value(" ".join(words)))
                self.record = replace(record, rounds=(*record.rounds, Round(Dealt(), (), self.number)))
            case "deck" | "hand" | "community" | "burn" | "dice" | "missing":
                self._dealt(first, rest)
            case "redeal":
                if rest or not record.rounds or record.rounds[-1].redealt is not None:
                    self._fail("'redeal' alone, once in a round", show_value(" ".join(words)))
                *before, last = record.rounds
                self.record = replace(record, rounds=(*before, replace(last, redealt=Dealt())))
            case "dealer" if rest in (["auto"], ["by", "hand"]):
                if record.opening or record.rounds:
                    self._fail("'dealer auto' or 'dealer by hand' before any player acts", show_value(" ".join(words)))
                self.record = replace(record, auto=rest == ["auto"])
            case "seat" | "mishap":
                self._act(words)
            case _ if first in floor_lines.ROLES:
                self._act(words)
            case _:
                hint = did_you_mean(first, _WORDS)
                self._fail(f"a line that begins with {one_of(_WORDS)}", show_value(first) + hint)

    def _dealt(self, kind: str, rest: list[str]) -> None:
        if not self.record.rounds:
            self._fail(f"'round' before '{kind}'", "none")
        *before, last = self.record.rounds
        again = last.redealt is not None
        dealt = last.redealt or last.dealt
        match kind:
            case "deck" if not rest:
                self._fail("'deck' and the cards of the deck", "none")
            case "deck":
                dealt = replace(dealt, order=self._marked(rest))
            case "hand":
                seat = self._seat(rest[0] if rest else "")
                if seat in dict(dealt.hands):
                    self._fail("one hand for each seat", f"a second one for seat {seat}")
                dealt = replace(
                    dealt, hands=(*dealt.hands, (seat, self._marked(rest[1:], (3,), "'hand SEAT' and three cards")))
                )
            case "community":
                dealt = replace(dealt, community=self._marked(rest, (2,), "'community' and two cards"))
            case "dice":
                dealt = replace(dealt, dice=self._whole(rest[0] if len(rest) == 1 else ""))
            case "missing":
                dealt = replace(dealt, missing=tuple(map(str, self._cards(rest))))
            case _:
                dealt = replace(dealt, burn=self._marked(rest, (1, 2), "'burn' and one or two cards"))
        what = f"hand {dealt.hands[-1][0]}" if kind == "hand" else kind
        dealt = replace(dealt, lines=(*dealt.lines, (what, self.number)))
        used = named_cards(dealt)
        if gone := [card for card in used if card in dealt.missing]:
            if kind == "missing":
                self._fail("cards that no other line names", f"{gone[0]}, which line {dealt.line_of(gone[0])} names")
            self._fail("cards that the deck has", f"{gone[0]}, which is missing by line {dealt.line('missing')}")
        self._cards(list(used))  # no card twice
        if dealt.order and (dealt.hands or dealt.community or dealt.burn):
            self._fail("a deck, or hands and community cards", "both")
        changed = replace(last, redealt=dealt) if again else replace(last, dealt=dealt)
        self.record = replace(self.record, rounds=(*before, changed))

    def _marked(self, words: list[str], many: tuple[int, ...] = (), expected: str = "") -> tuple[str, ...]:
        """Read cards that may be marked as face up in the deck (^) or as foreign to it (*)."""
        spaced = " ".join(words).replace(",", " ").split()
        if len(spaced) == 1:  # all in one word
            spaced = re.findall(r"(?i:joker)[\^*]*|(?:10|.).[\^*]*", spaced[0])
        marks = ["^" * ("^" in word) + "*" * ("*" in word) for word in spaced]
        faces = [word.rstrip("^*") for word in spaced]
        own = [face for face, mark in zip(faces, marks, strict=True) if "*" not in mark]
        if len(faces) > _CARDS_MAX:
            self._fail("at most 52 cards, and 2 that do not belong to the deck", f"{len(faces):,}")
        if str(JOKER) in map(str.capitalize, own):
            self._fail(f"'{JOKER}*', since a joker belongs to no deck", show_value(" ".join(words)))
        self._cards(own)
        cards = tuple(self._face(face) + mark for face, mark in zip(faces, marks, strict=True))
        if many and len(cards) not in many:
            self._fail(expected, show_value(" ".join(words)))
        return cards

    def _face(self, word: str) -> str:
        return str(JOKER) if word.capitalize() == str(JOKER) else str(self._cards([word])[0])

    def _act(self, words: list[str]) -> None:
        refused = ""
        ruled: tuple[str, ...] = ()
        if "=>" in words:
            place = words.index("=>")
            expected, words = words[place + 1 :], words[:place]
            match expected:
                case ["ruled", decision, *_]:
                    if decision.partition(":")[0] not in _RULED:
                        unknown = f"the unknown ruling {show_value(decision)}"
                        self._fail("a ruling after '=> ruled'", unknown + did_you_mean(decision, _RULED))
                    ruled = tuple(expected[1:])
                case [code] if code != "ruled":
                    if code not in CODES:
                        unknown = f"the unknown code {show_value(code)}"
                        self._fail("a refusal code after '=>'", unknown + did_you_mean(code, CODES))
                    refused = code
                case _:
                    self._fail("one refusal code after '=>', or 'ruled' and a decision", show_value(" ".join(expected)))
        action = Action(self._command(words), self.number, refused, ruled)
        if self.record.rounds:
            *before, last = self.record.rounds
            self.record = replace(self.record, rounds=(*before, replace(last, actions=(*last.actions, action))))
        else:
            self.record = replace(self.record, opening=(*self.record.opening, action))

    def _command(self, words: list[str]) -> commands.AnyCommand:
        first, second = words[0], words[1] if len(words) > 1 else ""
        if first == "mishap":
            return floor_lines.read_mishap(words[1:])
        if first == "seat":
            return self._seat_act(words)
        if second in floor_lines.VERBS:
            return floor_lines.read_act(first, second, words[2:])
        if first not in {"dealer", "floor"} and second != "check_deck":  # a supervisor or a device may check a deck
            self._fail(f"'{first}' and one of {', '.join(floor_lines.VERBS)}", show_value(second))
        return self._step(words)

    def _step(self, words: list[str]) -> commands.Do:
        by, kind, *rest = [*words, ""] if len(words) == 1 else words
        if kind not in KINDS:
            own = "'auto', 'by hand', " if by == "dealer" else ""
            expected = f"'{by}' and {own}{', '.join(map(repr, floor_lines.VERBS))} or a step of the script"
            self._fail(expected, show_value(kind) + did_you_mean(kind, (*KINDS, *floor_lines.VERBS, "auto")))
        fields: dict[str, Any] = {}  # a reader: each field of the command has a type of its own
        readings: dict[str, int] = {}
        names = {"seat": "seat", "wager": "wager", "number": "number", "cut": "cut", "throw": "throw"}
        while rest:
            name = rest.pop(0)
            if name == "order":
                fields["order"] = self._marked(rest)
                rest = []
            elif name == "face-up":
                fields["face_up"] = True
            elif name == "meter" and len(rest) > 1:
                wager, amount, *rest = rest
                readings[wager] = self._cents(amount)
            elif name in names and rest:
                value = rest.pop(0)
                fields[names[name]] = value if name == "wager" else self._whole(value)
            else:
                expected = "seat N, wager NAME, number N, cut N, throw N, meter NAME AMOUNT, face-up or order CARDS"
                self._fail(expected, show_value(name))
        do = commands.Do(by=by, kind=kind, **fields)
        return commands.with_readings(do, readings) if readings else do

    def _cards(self, words: list[str]) -> tuple[Any, ...]:
        try:
            return parse_cards(" ".join(words))
        except InvalidData as error:
            raise InvalidData(f"{self.where}, line {self.number}: {error}") from None

    def _seat_act(self, words: list[str]) -> commands.AnyCommand:
        if len(words) < 3:
            self._fail("'seat N' and what the player does", show_value(" ".join(words)))
        seat, act, rest = self._seat(words[1]), words[2], words[3:]
        by = f"seat:{seat}"
        match (act, rest):
            case ("by", [other, *more]):  # another person acts on this seat
                return msgspec.structs.replace(self._seat_act(["seat", words[1], *more]), by=other)
            case ("sits", ["out"]):
                return commands.SitOut(by=by, seat=seat)
            case ("sits", [*name, amount]) if name:
                if len(" ".join(name)) > NAME_MAX:
                    self._fail(f"a name of at most {NAME_MAX} characters", show_value(" ".join(name)))
                return commands.Sit(by=by, seat=seat, player=" ".join(name), cents=self._cents(amount))
            case ("rejoins", []):
                return commands.SitOut(by=by, seat=seat, out=False)
            case ("buys", [amount]):
                return commands.BuyChips(by=by, seat=seat, cents=self._cents(amount))
            case ("exchanges", [amount, ("chips" | "tokens" | "match_play") as into]):
                return commands.ExchangeVoucher(by=by, seat=seat, cents=self._cents(amount), into=into)
            case ("leaves", []):
                return commands.Leave(by=by, seat=seat)
            case ("inspects", []):
                return commands.LookOver(by=by, seat=seat)
            case ("looks", []):
                return commands.Look(by=by, seat=seat)
            case ("withdraws", [spot]) if spot[:1].isalpha():
                return commands.TakeBack(by=by, seat=seat, wager=spot)
            case (("rides" | "withdraws"), [bet]):
                choice: Choice = "ride" if act == "rides" else "withdraw"
                return commands.Choose(by=by, seat=seat, bet=self._whole(bet), choice=choice)  # type: ignore[arg-type]  # legal refuses other bets
            case ("banks", [amount]):
                return commands.TakeBank(by=by, seat=seat, cents=self._cents(amount))
            case ("declines", []):
                return commands.DeclineBank(by=by, seat=seat)
            case ("tucks", []):
                return commands.Tuck(by=by, seat=seat)
            case (("claims" | "waves"), []):
                return commands.Claim(by=by, seat=seat, shown=act == "claims")
            case ("bets", _):
                return self._bets(seat, rest)
            case _ if wrong := floor_lines.read_seat_act(seat, act, rest):
                return wrong
            case _:
                came = show_value(" ".join(words[2:]))
                if act in _ACTS:
                    return self._fail(_ACTS[act], came)
                return self._fail(f"one of {', '.join(_ACTS)}, with what it needs", came + did_you_mean(act, _ACTS))

    def _bets(self, seat: int, rest: list[str]) -> commands.PlaceWagers:
        wagers: dict[Spot, int] = {}
        medium: Any = "chips"
        spoken = False
        coupon: int | msgspec.UnsetType = msgspec.UNSET
        if not rest:
            self._fail("what is bet, or 'nothing'", "''")
        words = iter(rest)
        for word in words:
            if re.fullmatch(r"[0-9.]+", word) and wagers:
                self._fail("the base amount once, before the other wagers", show_value(word))
            if match := re.fullmatch(r"([12$])=([0-9.]+)", word):
                self._bet_once(wagers, BASE_SPOTS["12$".index(match[1])], match[2])
            elif re.fullmatch(r"[0-9.]+", word):
                wagers.update(dict.fromkeys(BASE_SPOTS, self._cents(word)))
            elif word == "with":
                medium = next(words, "")
                if medium not in {"chips", "plaques", "tokens", "vouchers", "cash"}:
                    self._fail("chips, plaques, tokens, vouchers or cash", show_value(medium))
            elif word == "spoken":
                spoken = True
            elif word == "match-play":
                if coupon is not msgspec.UNSET:
                    self._fail("one coupon", "a second one")
                coupon = self._cents(next(words, ""))
            elif word in _SIDE_BETS or (re.fullmatch(_WAGER, word) and word != "nothing" and len(rest) > 1):
                self._bet_once(wagers, word, next(words, ""))  # whether the table offers it is the table's to say
            elif word != "nothing":
                expected = ", ".join(("an amount", "1=", "2=", "$=", *_SIDE_BETS, "with", "spoken", "match-play"))
                self._fail(f"{expected} or nothing", show_value(word))
        if ("nothing" in rest) != (not wagers):
            self._fail("amounts, or 'nothing'", show_value(" ".join(rest)))
        return commands.PlaceWagers(
            by=f"seat:{seat}", seat=seat, wagers=wagers, medium=medium, spoken=spoken, coupon_cents=coupon
        )

    def _bet_once(self, wagers: dict[Spot, int], spot: Spot, word: str) -> None:
        if spot in wagers:
            self._fail(f"one amount for {spot}", f"a second one, {show_value(word)}")
        wagers[spot] = self._cents(word)

    def _seat(self, word: str) -> int:
        if not re.fullmatch(r"[0-9]{1,2}", word):
            self._fail("the number of a seat", show_value(word))
        return int(word)

    def _whole(self, word: str) -> int:
        return floor_lines.whole(word)

    def _cents(self, word: str) -> int:
        return floor_lines.cents(word)
