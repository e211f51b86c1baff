"""Rulings: what a report leads to under the book in force: the ruling itself, and the steps that carry it out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from letitride.engine import agenda, commands, events, faults, places
from letitride.engine.refusal import Refusal
from letitride.engine.state import Ruling, Seat, Table
from letitride.engine.steps import KINDS, Step
from letitride.ledger import accounts
from letitride.rules.roles import DEVICE_REPORTS, MACHINE, PLAYER, reporters
from letitride.rules.rulings import REPORTED, VOIDS, WHAT, Situation, Verdict, rule

_BEFORE_SETTLING = frozenset({"over_maximum", "under_minimum", "uneven_bets", "exposed_card"})
_ASKS_A_PLAYER = frozenset({"await_choice", "await_correction"})


def refuse(table: Table, report: commands.Report) -> Refusal | None:
    """Return why a report is not taken up, or None where something is wrong indeed."""
    if report.kind not in REPORTED:
        return Refusal("unknown_trouble", f"There's no irregularity called '{report.kind}'.")
    if refusal := _refuse_reporter(table, report):
        return refusal
    if report.seat and report.seat not in table.seats:
        return Refusal(
            "no_such_seat",
            f"This table has seats 1 to {len(table.seats)}. There's no seat {report.seat}.",
            values={"seats": len(table.seats), "seat": report.seat},
        )
    if (table.phase == "ruling" or faults.is_mending(table)) and not _is_before_the_next_card(table, report):
        return Refusal("ruling_first", "The last ruling has to be carried out first.")
    if faults.was_ruled(table, report):
        return Refusal("already_ruled", "That has already been ruled on.")
    if _is_so(table, report):
        return None
    if table.phase == "settling" and report.kind in _BEFORE_SETTLING:
        return Refusal("too_late", "It's too late for that. The bets are being settled.")
    return _nothing_wrong(table, report)


def _is_before_the_next_card(table: Table, report: commands.Report) -> bool:
    """Whether a card drawn in error is reported when a ruling has the next card dealt, which that card may be."""
    step = table.next_step
    return report.kind == "drawn_card" and step is not None and step.kind in {"replace_card", "replace_community"}


def _nothing_wrong(table: Table, report: commands.Report) -> Refusal:
    if report.kind == "absent":
        if not report.seat:
            return Refusal("nothing_wrong", "Name the seat of the absent player.")
        return Refusal("nothing_wrong", f"No decision by seat {report.seat} is due now.")
    exposed = [number for number, _ in faults.early_community(table)]
    if report.kind == "exposed_community" and exposed:
        return Refusal("nothing_wrong", f"Name the exposed card in the report: community card {exposed[0]}.")
    if report.kind == "deck":  # a card that is missing or lies face down may be there all the same
        return Refusal(
            "nothing_wrong", f"Nothing in sight shows that {WHAT['deck']}{_where(report)}. A count can tell."
        )
    return Refusal("nothing_wrong", f"Nothing shows that {WHAT[report.kind]}{_where(report)}.")


def _refuse_reporter(table: Table, report: commands.Report) -> Refusal | None:
    if report.by == MACHINE:
        if report.kind in DEVICE_REPORTS:
            return None
        return Refusal("not_your_role", f"No device can tell that {WHAT[report.kind]}. A person has to report it.")
    allowed = reporters(report.kind)
    if report.by in allowed and report.by != PLAYER:  # a player's report names the seat
        return None
    if PLAYER not in allowed:
        return Refusal("not_your_role", f"Only the staff of the table can report that {WHAT[report.kind]}.")
    if report.by in {f"seat:{number}" for number, seat in table.seats.items() if seat.player}:
        return None
    return Refusal("not_your_role", "Only the staff of the table and seated players can report an irregularity.")


def _where(report: commands.Report) -> str:
    return f" (seat {report.seat})" if report.seat else f" (card {report.number})" if report.number else ""


def _is_so(table: Table, report: commands.Report) -> bool:
    rules, kind = table.rules.rules, report.kind
    if kind in DEVICE_REPORTS:
        return rules.device == "shuffler" and _device_is_on(table, kind)
    if kind == "absent":
        step = table.next_step
        return step is not None and step.kind in _ASKS_A_PLAYER and step.seat == report.seat
    if kind == "deck" and _holder_found(table, report):
        return True
    return (kind, report.seat, report.number) in {(one.kind, one.seat, one.number) for one in faults.evident(table)}


def _holder_found(table: Table, report: commands.Report) -> bool:
    """Whether a player who has looked found a foreign card: the player reports it, or those who run the table do.

    A player speaks of the own hand, named or not; those who were shown the card say whose hand it is in.
    """
    if report.by.startswith("seat:"):
        own = table.own_seats(int(report.by.removeprefix("seat:")))
        return any(report.seat in {0, number} and faults.holds_foreign(table, number) for number in own)
    return report.seat in table.seats and faults.holds_foreign(table, report.seat)


def _device_is_on(table: Table, kind: str) -> bool:
    """Whether the shuffler has a part in what goes on."""
    if kind == "device_jam":
        holds_cards = bool(table.at(places.NEST) or table.at(places.READY))
        return holds_cards and table.phase != "closed" and not table.at(places.DRAWN)
    return table.phase in faults.ROUND


def situation(table: Table, report: commands.Report) -> Situation:
    """Return what the ruling on a report depends on."""
    drawn = table.at(places.DRAWN)
    seat = table.seats.get(report.seat)
    # What was exposed before the cards were handled is ruled so, however late it is noticed: nsw:12.6.
    before = report.kind == "exposed_community" and report.number in table.exposed_early
    uneven = report.kind == "absent" and seat is not None and seat.has_base and not seat.is_even
    return Situation(
        kind=report.kind,
        in_deal=faults.in_deal(table) if report.kind != "device_failure" else faults.cards_to_come(table),
        hands=len(table.dealt_in),
        looked=0 if before else sum(table.seats[number].handled for number in table.dealt_in),
        own_look=seat is not None and seat.handled,
        exposed=max(1, faults.cards_exposed(table)),
        seen=(bool(drawn) and drawn[0].up) or (report.kind == "wrong_burn" and faults.turned_since_burn(table)),
        cards_out=not table.no_card_is_out,
        uneven=True if uneven else msgspec.UNSET,
    )


def follow(table: Table, report: commands.Report) -> events.Ruled:
    """Return the ruling on a report, with the steps that carry it out."""
    return ruled(table, report, situation(table, report))


def ruled(table: Table, report: commands.Report, case: Situation) -> events.Ruled:
    """Return what the book in force says about a situation, and what is to be done."""
    verdict = rule(table.rules.rules, case)
    ruling = Ruling(
        name=verdict.name,
        sentence=verdict.sentence,
        seat=report.seat,
        number=report.number,
        key=verdict.key,
        by=report.by,
        case=case,
        clauses=cite(table, verdict.name, verdict.decision),
    )
    shown = verdict.kind.startswith("exposed_") or (case.seen and case.kind == "drawn_card")
    exposed = case.exposed if shown else table.exposed
    if verdict.decision in VOIDS:
        return voided(table, ruling, verdict)
    if verdict.decision == "redealt":
        steps = tuple(_redeal(table))
        return events.Ruled(ruling=ruling, agenda=steps, phase="dealing", round=table.round)
    if verdict.decision == "hand_void":
        return hand_voided(table, ruling, report.seat, counted=verdict.kind == "hand_count")
    ruling = msgspec.structs.replace(ruling, sentence=ruling.sentence + _side_bets_void(table, ruling))
    left = table.agenda
    if verdict.kind == "absent" and left[0].kind == "await_correction":
        left = left[1:]  # no one is there to make the bets equal
    steps = (*_mend(table, report, verdict), *left)
    return events.Ruled(ruling=ruling, agenda=steps, phase=table.phase, round=table.round, exposed=exposed)


def _side_bets_void(table: Table, ruling: Ruling) -> str:
    """Return in words which side bets are returned by a ruling under which play goes on."""
    said = ""
    for wager in table.voided_by(ruling):
        seats = [n for n in table.concerned(ruling, wager) if wager.spot in table.seats[n].wagers]
        if seats:
            whose = (
                f"the {wager.title} bet of seat {seats[0]} goes" if len(seats) == 1 else f"all {wager.title} bets go"
            )
            said += f"; {whose} back"
    return said


def cite(table: Table, name: str, *more: str) -> tuple[str, ...]:
    """Return the clauses that demand a ruling; where there is none it is a house default."""
    return cited(table.rules.ruling_clauses, name, *more)


def cited(clauses: Mapping[str, tuple[str, ...]], name: str, *more: str) -> tuple[str, ...]:
    """Return the clauses of a ruling, and beside them those of whatever else it is; without any of its own, none."""
    own = clauses.get(name, ())
    general = tuple(clause for other in more for clause in clauses.get(other, ()) if own)
    return tuple(dict.fromkeys((*own, *general)))


def _mend(table: Table, report: commands.Report, verdict: Verdict) -> Iterator[Step]:
    """Yield what is done at once, in the round that goes on."""
    seat, number = report.seat, report.number
    match verdict.decision:
        case "turned_over":
            yield Step("turn_down", seat) if seat else Step("turn_down_community", number=number)
        case "replaced" if seat:
            yield from (Step("discard_exposed", seat), Step("replace_card", seat))
        case "replaced":
            yield from (Step("discard_community", number=number), Step("replace_community", number=number))
        case "burned":
            yield Step("turn_down_burn")
        case "used_next":
            yield Step("use_drawn")
        case "put_right":
            yield from (Step("take_back_burned"), agenda.missed_burn(table))
        case "discarded" if seat:
            yield from (Step("count_hand", seat), Step("discard_hand", seat))
        case "discarded":
            yield Step("discard_drawn")
        case "go_on" if verdict.new_device:
            yield from _reshuffle(table, new_device=True, rest=False)
        case "counted":
            yield from (Step("check_hands"), Step("count_down", number=faults.deck_in_play(table)))
        case "reshuffled":
            yield from _reshuffle(table, new_device=verdict.new_device)
        case "to_maximum":
            yield Step("return_excess", seat)
        case "correct_or_fold" | "must_correct":
            yield Step("await_correction", seat, number=1 if verdict.decision == "correct_or_fold" else 2)


def hand_voided(table: Table, ruling: Ruling, seat: int, *, counted: bool = False) -> events.Ruled:
    """Return a ruling that ends one hand; where it is the last, the round ends with it."""
    steps, last = hand_void(table, seat, counted=counted)
    phase = "ruling" if last else table.phase
    return events.Ruled(ruling=ruling, agenda=steps, phase=phase, round=table.round, void_seat=seat, voids_round=last)


def hand_void(table: Table, seat: int, *, counted: bool = False) -> tuple[tuple[Step, ...], bool]:
    """Return what is left to do when a hand ends, its bets back, its cards in the rack; and whether it was the last."""
    count = (Step("count_hand", seat),) if counted else ()
    ended = (*count, Step("return_bets", seat), Step("discard_hand", seat))
    if table.dealt_in == (seat,):
        return (*ended, *_without_hands(table)), True
    left = (step for step in table.agenda if step.seat != seat)
    best = table.rules.on_best_hand
    every = best is not None and table.rules.terms(best.id).count == "hands_dealt"
    counts = table.seats[seat].has_base or every
    fewer = (Step("show_awards", number=s.number - counts) if s.kind == "show_awards" else s for s in left)
    return (*ended, *fewer), False


def _without_hands(table: Table) -> Iterator[Step]:
    """Yield the end of a round in which no hand is left."""
    yield Step("collect_round")
    if table.bank_stake:
        if table.seats[table.bank_seat].fee_cents:
            yield Step("return_bets", table.bank_seat)
        yield Step("return_stake", table.bank_seat)
    yield from _still_to_mix(table)


def _still_to_mix(table: Table) -> Iterator[Step]:
    """Yield the mixing of the deck that went into the nest and waits for it."""
    pending = {step.kind: step for step in table.agenda}
    if "mix_deck" in pending and "swap_decks" not in pending:
        yield pending["mix_deck"]


def _reshuffle(table: Table, *, new_device: bool, rest: bool = True) -> Iterator[Step]:
    """Yield what follows a jam: all cards that the device holds are mixed again, with the `rest` of a deck in play."""
    yield Step("replace_device") if new_device else Step("clear_jam")
    if rest and faults.in_deal(table) and not table.no_card_is_out:
        yield Step("mix_rest", number=faults.deck_in_play(table))
    if nest := table.at(places.NEST):
        if not any(step.kind in {"start_shuffle", "mix_deck"} for step in table.agenda):
            yield Step("start_shuffle", number=nest[0].deck)
    elif table.at(places.READY) and table.no_card_is_out:
        yield from agenda.prepare(table)


def _redeal(table: Table) -> Iterator[Step]:
    """Yield the same round dealt again: the bets stay, those in the tray are put back and collected anew."""
    rules = table.rules.rules
    yield Step("floor_collects")
    if table.at(places.READY):
        yield Step("floor_unloads")
    for wager in table.rules.taken_before_deal:
        collected_at = (n for n in table.dealt_in if _is_collected(table, table.seats[n], wager.spot))
        yield from (Step("restore_bonus", n, wager.spot) for n in collected_at)
    if rules.shuffler.controller:
        yield Step("insert_maintenance_key", number=3)
        yield from (Step("press_reset_key"), Step("confirm_reset"), Step("remove_maintenance_key"))
    if rules.bet.cutoff == "call_and_lockout":
        yield Step("lock_out")
    if rules.decks == 1:
        yield from agenda.prepare(table)
    seats = agenda.order_of_deal(table, table.dealt_in)
    collected = msgspec.structs.replace(table, cards={**table.cards, places.READY: ()})
    yield from (step for step in agenda.dealing(collected, seats) if step.kind not in {"collect_fee", "throw_dice"})


def _is_collected(table: Table, seat: Seat, spot: str) -> bool:
    return spot in seat.wagers and not table.cents(accounts.felt(seat.number, spot))


def voided(table: Table, ruling: Ruling, verdict: Verdict, forfeits: tuple[int, ...] = ()) -> events.Ruled:
    """Return a ruling that ends the round, or what has been bet for it, without a result."""
    deck = faults.deck_in_play(table)
    in_round = table.phase in faults.ROUND or table.phase == "betting"
    steps = tuple(_void(table, verdict, deck, forfeits) if in_round else _new_deck(verdict, deck))
    return events.Ruled(ruling=ruling, agenda=steps, phase="ruling", round=table.round, voids_round=in_round)


_DECLARED = {"misdeal": "declare_misdeal", "hands_void": "declare_hands_void", "round_void": "declare_round_void"}


def _void(table: Table, verdict: Verdict, deck: int, forfeits: tuple[int, ...]) -> Iterator[Step]:
    rules = table.rules.rules
    floor = verdict.decision == "misdeal" and rules.misdeal.declared_by == "floor"
    yield Step("floor_declares_misdeal" if floor else _DECLARED[verdict.decision])
    if verdict.count_deck:
        yield Step("floor_collects")
        if rules.device == "shuffler":
            yield Step("floor_unloads")
        yield Step("floor_counts", number=deck)
    else:
        yield Step("collect_round")
    staked = [seat for seat in table.seats.values() if seat.wagers or seat.fee_cents]
    # Those who were paid come first, so that what a player's bank paid is there for those from whom it took.
    for seat in sorted(staked, key=lambda one: one.taken_cents - one.paid_cents):
        if not seat.void:
            yield Step("forfeit_bets" if seat.number in forfeits else "return_bets", seat.number)
    if table.bank_stake:
        yield Step("return_stake", table.bank_seat)
    if verdict.check_deck:
        yield Step("check_through", number=deck)
    if verdict.new_device:
        yield Step("replace_device")
    if verdict.new_device and rules.decks == 2:  # the deck that waits in the device goes with it
        yield from _new_deck(verdict, 3 - deck)
    yield from _new_deck(verdict, deck)
    if not verdict.new_device:
        yield from _still_to_mix(table)
    if rules.device == "shuffler" and rules.shuffler.controller:
        yield Step("resume_by_guide")


def _new_deck(verdict: Verdict, deck: int) -> Iterator[Step]:
    if verdict.new_deck or verdict.check_deck:
        yield from (Step("remove_deck", number=deck), Step("introduce_deck", number=deck))


COUNTS: Final = frozenset({"count_deck", "count_stub", "count_cards", "count_down", "check_hands"})  # more may follow


def after_count(table: Table, done: events.StepDone) -> Iterator[events.AnyEvent]:
    """Yield what follows from a count: nothing where it is right."""
    step = done.step
    by = KINDS[step.kind].actor
    match step.kind:
        case "count_deck" if done.found != 52:
            yield follow(table, commands.Report(by=MACHINE, kind="device_miscount"))
        case "count_stub" if done.found != 52 - _dealt_out(table):
            yield _wrong_deck(table, by, "stub_count")
        case "count_cards" if not faults.deck_is_whole(table, step.number):
            yield _wrong_deck(table, by, "deck")
        case "count_down" if not faults.deck_is_whole(table, step.number):
            yield _wrong_deck(table, by, "deck")
        case "check_hands":
            wrong = [one for one in faults.evident(table) if one.kind in {"hand_count", "dealer_count"}]
            if wrong:
                yield follow(table, msgspec.structs.replace(wrong[0], by=by))


def due_after(table: Table, step: Step) -> tuple[Step, ...]:
    """Return the steps that become due by a count, before the rest of the agenda."""
    match step.kind:
        case "check_deck" if not faults.deck_is_whole(table, step.number):
            in_nest, in_rack = (
                any(card.deck == step.number for card in table.at(place)) for place in (places.NEST, places.RACK)
            )
            back = ("load_deck",) if in_nest else ("rack_deck",) if in_rack else ()
            again = ("remove_deck", "introduce_deck", "check_deck", *back)
            return tuple(Step(kind, number=step.number) for kind in again)
        case "floor_counts" if not faults.deck_is_whole(table, step.number):
            return Step("remove_deck", number=step.number), Step("introduce_deck", number=step.number)
        case "count_down" if table.rules.rules.shuffler.controller and faults.deck_is_whole(table, step.number):
            return (Step("resume_by_guide"),)
        case _:
            return ()


def _dealt_out(table: Table) -> int:
    """How many cards have left the deck in play, as anybody can count them on the table and in the rack."""
    deck = faults.deck_in_play(table)
    elsewhere = (held for place, held in table.cards.items() if place not in {places.READY, places.OUTSIDE})
    return sum(card.deck == deck for held in elsewhere for card in held)


def _wrong_deck(table: Table, by: str, kind: str) -> events.Ruled:
    case = Situation(kind=kind, cards_out=not table.no_card_is_out)  # type: ignore[arg-type]  # its two callers pass an irregularity
    report = commands.Report(by=by, kind=kind, number=faults.deck_in_play(table))  # type: ignore[arg-type]  # its two callers pass an irregularity
    return ruled(table, report, case)
