"""Floor lines: the lines of a record for irregularities, reports, orders and disputes, read and written."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

import msgspec

from letitride.engine import commands
from letitride.engine.state import DisputedBet
from letitride.rules.roles import MACHINE, RUNS, SPECTATOR, STAFF
from letitride.rules.rulings import REPORTED
from letitride.rules.settlement import Spot
from letitride.rules.wager_table import BASE_SPOTS
from letitride.rules.words import show_value

Fields = dict[str, Any]
"""The fields of a command as its reader finds them: each has a type of its own, which the command checks."""
ROLES: Final = (*RUNS, MACHINE, *(role for role in STAFF if role not in RUNS), SPECTATOR)
"""Those who report, order, decide or advise at the beginning of a line."""
VERBS: Final = ("reports", "orders", "decides", "advises")
MISHAPS: Final[tuple[str, ...]] = get_args(commands.MishapKind)
GROUNDS: Final[Mapping[str, str]] = {
    "collusion": "players who look at one another's cards or pass information",
    "device": "a forbidden device at the table",
    "refused_correction": "a player who refused to make uneven bets equal",
    "fraud": "a fraud that affects the outcome",
    "disturbance": "a fire, a brawl or another disruption of play",
}
"""What an order rests on, in words."""


class BadLine(Exception):
    """A line that cannot be read: what was expected, and what came."""

    def __init__(self, expected: str, came: str) -> None:
        self.expected, self.came = expected, came


def read_mishap(words: list[str]) -> commands.Mishap:
    """Read 'mishap KIND …'."""
    kind, *rest = words or [""]
    if kind not in MISHAPS:
        raise BadLine(f"'mishap' and one of {', '.join(MISHAPS)}", show_value(kind))
    fields, left = _fields(rest, seat=whole, card=whole)
    wagers: dict[Spot, int] = {}
    for word in left:
        if match := re.fullmatch(r"([12$])=([0-9.]+)", word):
            wagers[BASE_SPOTS["12$".index(match[1])]] = cents(match[2])
        elif word not in ({"seen"} if kind == "drawn" else {"dealer", "community"}):
            raise BadLine("seat N, card N, dealer, community, seen, or amounts like 1=5", show_value(word))
    number = 1 if "seen" in left else fields.get("card", 0)
    return commands.Mishap(by="table", kind=kind, seat=fields.get("seat", 0), number=number, wagers=wagers)  # type: ignore[arg-type]  # checked above


def read_act(by: str, verb: str, rest: list[str]) -> commands.AnyCommand:
    """Read what follows a role: 'reports …', 'orders …', 'decides …', 'advises …'."""
    match verb:
        case "reports":
            return _report(by, rest)
        case "orders":
            return _order(by, rest)
        case "decides":
            return _decision(by, rest)
        case _:
            before, _, said = " ".join(rest).partition(":")
            fields, left = _fields(before.split(), seat=whole)
            if left:
                raise BadLine("'advises seat N: WORDS'", show_value(" ".join(rest)))
            return commands.Advise(by=by, seat=fields.get("seat", 0), words=said.strip())


def _report(by: str, rest: list[str]) -> commands.Report:
    if not rest or rest[0] not in REPORTED:
        raise BadLine(f"'reports' and one of {', '.join(REPORTED)}", show_value(" ".join(rest)))
    fields, left = _fields(rest[1:], seat=whole, card=whole)
    if left:
        raise BadLine("seat N or card N", show_value(left[0]))
    return commands.Report(by=by, kind=rest[0], seat=fields.get("seat", 0), number=fields.get("card", 0))


def _order(by: str, rest: list[str]) -> commands.Order:
    kinds = get_args(commands.OrderKind)
    if not rest or rest[0] not in kinds:
        raise BadLine(f"'orders' and one of {', '.join(kinds)}", show_value(" ".join(rest)))
    words, why = _because(rest[1:])
    fields, left = _fields(
        words,
        seats=_seats,
        deck=whole,
        cards=_faces,
        min=cents,
        max=cents,
        at=_minute,
        ground=_ground,
        **{"from": _minute},
    )
    if left:
        raise BadLine(
            "seats 1,3, deck N, cards Qs,4d, min N, max N, at HH:MM, from HH:MM, ground WORD or because …",
            show_value(left[0]),
        )
    return commands.Order(
        by=by,
        kind=rest[0],  # type: ignore[arg-type]  # checked above
        seats=fields.get("seats", ()),
        number=fields.get("deck", 0),
        cards=fields.get("cards", ()),
        cents_min=fields.get("min", 0),
        cents_max=fields.get("max", 0),
        minute=fields.get("at", 0),
        when=fields.get("from", 0),
        ground=fields.get("ground", ""),
        why=why,
    )


def _decision(by: str, rest: list[str]) -> commands.DecideDispute:
    words, why = _because(rest)
    fields, left = _fields(words, dispute=whole, award=cents, without=_roles)
    if left not in (["upheld"], ["rejected"]):
        expected = "'decides dispute N upheld' or 'rejected', 'award N', 'without ROLE' and 'because …'"
        raise BadLine(expected, show_value(" ".join(rest)))
    return commands.DecideDispute(
        by=by,
        number=fields.get("dispute", 0),
        upheld=left == ["upheld"],
        cents=fields.get("award", 0),
        why=why,
        absent=fields.get("without", ()),
    )


def read_seat_act(seat: int, act: str, rest: list[str]) -> commands.AnyCommand | None:
    """Read what a player does when something is wrong; None where it is another act."""
    by = f"seat:{seat}"
    match (act, rest):
        case ("corrects", [amount]):
            return commands.Correct(by=by, seat=seat, cents=cents(amount))
        case ("folds", []):
            return commands.Fold(by=by, seat=seat)
        case ("refuses", []):
            return commands.RefuseCorrection(by=by, seat=seat)
        case ("goes", ["away"]):
            return commands.WentAway(by=by, seat=seat)
        case ("comes", ["back"]):
            return commands.CameBack(by=by, seat=seat)
        case ("appeals", []):
            return commands.AppealDispute(by=by, seat=seat)
        case ("asks", ["advice"]):
            return commands.AskAdvice(by=by, seat=seat)
        case ("wants", ["no", "advice"]):
            return commands.AskAdvice(by=by, seat=seat, wanted=False)
        case ("disputes", about):
            return _disputed(by, seat, " ".join(about))
        case (_, _) if act in VERBS:
            return read_act(by, act, rest)
        case _:
            return None


def _because(words: list[str]) -> tuple[list[str], str]:
    if "because" not in words:
        return words, ""
    place = words.index("because")
    return words[:place], " ".join(words[place + 1 :])


def _fields(words: list[str], **readers: Callable[[str], Any]) -> tuple[Fields, list[str]]:
    """Read 'name value' pairs; return them with the words that are left."""
    found: Fields = {}
    left: list[str] = []
    queue = iter(words)
    for word in queue:
        if word in readers and word not in found:
            found[word] = readers[word](next(queue, ""))
        else:
            left.append(word)
    return found, left


def whole(word: str) -> int:
    """Read a whole number of at most four digits."""
    if re.fullmatch(r"[0-9]{5,}", word):
        raise BadLine("a whole number up to 9999", show_value(word))
    if not re.fullmatch(r"[0-9]{1,4}", word):
        raise BadLine("a whole number", show_value(word))
    return int(word)


def _seats(word: str) -> tuple[int, ...]:
    return tuple(whole(one) for one in word.split(","))


def _faces(word: str) -> tuple[str, ...]:
    return tuple(word.split(","))


def _minute(word: str) -> int:
    match = re.fullmatch(r"([0-9][0-9]):([0-9][0-9])", word)
    if not match:
        raise BadLine("a time like 14:20", show_value(word))
    return 60 * int(match[1]) + int(match[2])


def _roles(word: str) -> tuple[str, ...]:
    return tuple(word.split(","))


def _ground(word: str) -> str:
    if word not in GROUNDS:
        raise BadLine(f"one of {', '.join(GROUNDS)}", show_value(word))
    return word


def cents(word: str) -> int:
    """Read dollars: '10', '7.50'."""
    match = re.fullmatch(r"([0-9]{1,9})(?:\.([0-9][0-9]))?", word)
    if re.fullmatch(r"[0-9]{10,}(\.[0-9][0-9])?", word):
        raise BadLine("an amount of at most 999999999.99 dollars", show_value(word))
    if not match:
        raise BadLine("an amount in dollars like 10 or 7.50", show_value(word))
    return 100 * int(match[1]) + int(match[2] or 0)


def written_cents(amount: int) -> str:
    """Write dollars as a record has them."""
    return f"{amount // 100}" if amount % 100 == 0 else f"{amount // 100}.{amount % 100:02}"


OfTheTable = commands.Mishap | commands.Report | commands.Order | commands.DecideDispute | commands.Advise
"""What is not a player's act at their own seat."""


def write(command: OfTheTable) -> str:
    """Return one of these as a line of a record."""
    match command:
        case commands.Mishap():
            return " ".join(["mishap", command.kind, *_mishap_words(command)])
        case commands.Report():
            at = f" seat {command.seat}" if command.seat else ""
            at += f" card {command.number}" if command.number else ""
            return f"{_who(command.by)} reports {command.kind}{at}"
        case commands.Order():
            return f"{_who(command.by)} orders {command.kind}{_order_words(command)}"
        case commands.DecideDispute():
            award = f" award {written_cents(command.cents)}" if command.cents else ""
            fate = "upheld" if command.upheld else "rejected"
            without = f" without {','.join(command.absent)}" if command.absent else ""
            return f"{_who(command.by)} decides dispute {command.number} {fate}{award}{without}{_why(command.why)}"
        case commands.Advise():
            return f"{_who(command.by)} advises seat {command.seat}: {command.words}"


WhenWrong = (
    commands.Correct
    | commands.Fold
    | commands.RefuseCorrection
    | commands.WentAway
    | commands.CameBack
    | commands.AppealDispute
    | commands.AskAdvice
    | commands.RaiseDispute
)
"""What a player does, or what is said of one, when something is wrong."""


def write_seat_act(command: WhenWrong) -> str:
    """Return what a player does when something is wrong, as a line of a record has it."""
    match command:
        case commands.Correct():
            return f"corrects {written_cents(command.cents)}"
        case commands.Fold():
            return "folds"
        case commands.RefuseCorrection():
            return "refuses"
        case commands.WentAway():
            return "goes away"
        case commands.CameBack():
            return "comes back"
        case commands.AppealDispute():
            return "appeals"
        case commands.AskAdvice():
            return "asks advice" if command.wanted else "wants no advice"
        case commands.RaiseDispute():
            return f"disputes {_bet_words(command.concerns)}{command.about}"


_BET: Final = re.compile(r"\[round (\d+)(?: ([a-z][a-z0-9_$-]*))?(?: (\d+(?:\.\d\d)?))?\] (.+)")
"""What a dispute is about, before what its player says: '[round 3 base-1 20] My flush was not paid'."""


def _disputed(by: str, seat: int, text: str) -> commands.RaiseDispute:
    found = _BET.fullmatch(text)
    if found is None:
        return commands.RaiseDispute(by=by, seat=seat, about=text)
    number, wager, amount, about = found.groups()
    bet = DisputedBet(round=int(number), wager=wager or "", cents=cents(amount) if amount else 0)
    return commands.RaiseDispute(by=by, seat=seat, about=about, concerns=bet)


def _bet_words(bet: DisputedBet | msgspec.UnsetType) -> str:
    if isinstance(bet, msgspec.UnsetType):
        return ""
    parts = [f"round {bet.round}", bet.wager, written_cents(bet.cents) if bet.cents else ""]
    return f"[{' '.join(part for part in parts if part)}] "


def _who(by: str) -> str:
    return by.replace("seat:", "seat ")


def _why(why: str) -> str:
    return f" because {why}" if why else ""


def _mishap_words(command: commands.Mishap) -> list[str]:
    words = [f"seat {command.seat}"] if command.seat else []
    if command.kind == "drawn":
        return ["seen"] if command.number else []
    if command.kind in {"exposed", "long", "short"} and not command.seat:
        words.append("community" if command.kind == "exposed" else "dealer")
    words += [f"card {command.number}"] if command.number else []
    spots = zip(("1", "2", "$"), BASE_SPOTS, strict=True)
    return words + [f"{name}={written_cents(command.wagers[s])}" for name, s in spots if s in command.wagers]


def clock(minute: int) -> str:
    """Write a time of day."""
    return f"{minute // 60:02}:{minute % 60:02}"


def _order_words(command: commands.Order) -> str:
    parts = [f" seats {','.join(map(str, command.seats))}"] if command.seats else []
    parts += [f" deck {command.number}"] if command.number else []
    parts += [f" cards {','.join(command.cards)}"] if command.cards else []
    parts += [f" min {written_cents(command.cents_min)}"] if command.cents_min else []
    parts += [f" max {written_cents(command.cents_max)}"] if command.cents_max else []
    parts += [f" at {clock(command.minute)}"] if command.minute else []
    parts += [f" from {clock(command.when)}"] if command.when else []
    parts += [f" ground {command.ground}"] if command.ground else []
    return "".join(parts) + _why(command.why)
