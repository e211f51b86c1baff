"""Codec: events to bytes and back under names that never change; never a Python class name, never a catalog."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, Final, cast

import msgspec

from letitride.engine import events
from letitride.engine.events import AnyEvent
from letitride.engine.state import Phase, Ruling
from letitride.engine.steps import Step
from letitride.errors import InvalidData
from letitride.ledger.transfers import Transfer
from letitride.rules.cards import DECK, JOKER, Card
from letitride.rules.words import show_value
from letitride.storage.rules_codec import WireRules, from_wire, to_wire

Reader = Callable[[bytes], AnyEvent]
"""Reads the body of one event as one version wrote it."""

NAMES: Final[Mapping[type[AnyEvent], tuple[str, int]]] = {
    events.TableOpened: ("table-opened", 1),
    events.PhaseBegan: ("phase-began", 1),
    events.StepDone: ("step-done", 1),
    events.FacesUnbound: ("faces-unbound", 1),
    events.FacesBound: ("faces-bound", 1),
    events.PlayerSat: ("player-sat", 1),
    events.ChipsBought: ("chips-bought", 1),
    events.VoucherExchanged: ("voucher-exchanged", 2),
    events.PlayerLeft: ("player-left", 1),
    events.SatOut: ("sat-out", 1),
    events.WagersPlaced: ("wagers-placed", 1),
    events.DeckLooked: ("deck-looked", 1),
    events.CardsLooked: ("cards-looked", 1),
    events.ChoiceMade: ("choice-made", 1),
    events.CardsTucked: ("cards-tucked", 1),
    events.SideBetClaimed: ("side-bet-claimed", 1),
    events.BankTaken: ("bank-taken", 1),
    events.BankDeclined: ("bank-declined", 1),
    events.RoundRead: ("round-read", 1),
    events.MetersRead: ("meters-read", 1),
    events.MetersTaken: ("meters-taken", 1),
    events.RoundEnded: ("round-ended", 1),
    events.MishapHappened: ("mishap-happened", 1),
    events.PlayerWentAway: ("player-went-away", 1),
    events.PlayerCameBack: ("player-came-back", 1),
    events.Ruled: ("ruled", 1),
    events.BetsCorrected: ("bets-corrected", 1),
    events.HandFolded: ("hand-folded", 1),
    events.SignPosted: ("sign-posted", 1),
    events.SuspectsNamed: ("suspects-named", 1),
    events.DisputeRaised: ("dispute-raised", 1),
    events.DisputeDecided: ("dispute-decided", 1),
    events.DisputeAppealed: ("dispute-appealed", 1),
    events.AdviceAsked: ("advice-asked", 1),
    events.AdviceGiven: ("advice-given", 1),
    events.RoundVoided: ("round-voided", 1),
    events.TableClosed: ("table-closed", 1),
    events.CouponLaid: ("coupon-laid", 1),
    events.SideBetTakenBack: ("side-bet-taken-back", 1),
}
"""The name and the version under which each event is written. A change of what an event holds is a new version, and
the old one keeps its reader."""

_FACES: Final = {str(card): card for card in (*DECK, JOKER)}


class _Opened(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The opening as it is written."""

    chips: tuple[Transfer, ...]
    rules: WireRules


class _Ruled(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ruling as it is written."""

    chips: tuple[Transfer, ...]
    ruling: Ruling
    agenda: tuple[Step, ...]
    phase: Phase
    round: int
    voids_round: bool
    void_seat: int
    exposed: int
    rules: WireRules | None


def to_plain(value: object) -> object:
    """Return what JSON has for a value it does not know."""
    if isinstance(value, Card):
        return str(value)
    raise NotImplementedError(f"no spelling for a {type(value).__name__}")


def from_plain(kind: type, value: object) -> object:
    """Return the value that was written."""
    if kind is Card and isinstance(value, str) and value in _FACES:
        return _FACES[value]
    raise ValueError(f"expected a card like 'Th', got {value!r}")


# Neither keys nor fields are sorted: the order of a seat's wagers is the order in which they are taken and paid.
_ENCODER: Final = msgspec.json.Encoder(enc_hook=to_plain)
_LINES: Final = msgspec.json.Decoder(list[tuple[str, msgspec.Raw]])


def encode(happened: Iterable[AnyEvent]) -> bytes:
    """Return events as canonical JSON: a list of [name/version, what it holds], every field written out."""
    return _ENCODER.encode([(name_of(type(event)), _body(event)) for event in happened])


def decode(written: bytes) -> tuple[AnyEvent, ...]:
    """Return the events that were written, or say in one sentence what cannot be read."""
    try:
        lines = _LINES.decode(written)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidData(f"expected a list of events, got {_why(error)}") from None
    return tuple(_read(name, bytes(body)) for name, body in lines)


def name_of(kind: type[AnyEvent]) -> str:
    """Return the name an event is written under: 'step-done/1'."""
    name, version = NAMES[kind]
    return f"{name}/{version}"


def _body(event: AnyEvent) -> object:
    if isinstance(event, events.TableOpened):
        return _Opened(event.chips, to_wire(event.rules))
    if isinstance(event, events.Ruled):
        fields = {field: getattr(event, field) for field in event.__struct_fields__}
        rules = None if event.rules is None else to_wire(event.rules)
        return _Ruled(**{**fields, "rules": rules})
    return event


def _read(name: str, body: bytes) -> AnyEvent:
    kind, _, version = name.rpartition("/")
    if not version.isdecimal() or (kind, int(version)) not in READERS:
        raise InvalidData(f"expected an event that is known here, like 'step-done/1', got {show_value(name)}")
    try:
        return READERS[kind, int(version)](body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidData(f"{name}: expected what such an event holds, got {_why(error)}") from None
    except InvalidData as error:
        raise InvalidData(f"{name}: {error}") from None


def _why(error: Exception) -> str:
    if isinstance(error, msgspec.ValidationError):
        why = str(error)  # it may quote a name that came from outside
        return f"something else ({why if why.isprintable() else ascii(why)})"
    return "bytes that are no JSON"


@lru_cache(maxsize=32)  # the rules are half of what there is to read of a table's past, and read whenever that is
def _read_opened(body: bytes) -> events.TableOpened:
    wire = _decoder(_Opened).decode(body)
    return events.TableOpened(chips=wire.chips, rules=from_wire(wire.rules))


def _read_ruled(body: bytes) -> events.Ruled:
    wire = _decoder(_Ruled).decode(body)
    fields = {field: getattr(wire, field) for field in wire.__struct_fields__}
    return events.Ruled(**{**fields, "rules": None if wire.rules is None else from_wire(wire.rules)})


def _plain_reader(kind: type[AnyEvent]) -> Reader:
    return lambda body: cast("AnyEvent", _decoder(kind).decode(body))


@cache
def _decoder(kind: type[Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind, dec_hook=from_plain)


READERS: Final[Mapping[tuple[str, int], Reader]] = {
    **{NAMES[kind]: _plain_reader(kind) for kind in NAMES},
    ("table-opened", 1): _read_opened,
    ("ruled", 1): _read_ruled,
    ("voucher-exchanged", 1): _plain_reader(events.VoucherExchanged),  # it did not say which voucher
}
"""What reads each version of each event; an old version's reader returns today's event."""
