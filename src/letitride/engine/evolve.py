"""Evolve: changes the table as an event says; it decides nothing, and the ledger alone checks what it moves."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from letitride.engine import events, faults, places
from letitride.engine.places import CardObject, Move
from letitride.engine.state import REDEALT, Coupon, Seat, Table
from letitride.engine.steps import KINDS, Step
from letitride.errors import InvariantBroken
from letitride.ledger import accounts
from letitride.ledger.transfers import Transfer, post
from letitride.rules.cards import DECK
from letitride.rules.keys import Rules


def new_table(opened: events.TableOpened) -> Table:
    """Return the table that an opening event describes: decks in their chest, seats empty."""
    rules = opened.rules.rules
    chest = tuple(CardObject(deck, card.index, card) for deck in range(1, rules.decks + 1) for card in DECK)
    return Table(
        rules=opened.rules,
        phase="opening",
        agenda=(),
        seats={number: Seat(number) for number in range(1, rules.seats + 1 + has_place_apart(rules))},
        cards={places.CHEST: chest},
        accounts=post({}, opened.chips, accounts.at_table),
    )


def has_place_apart(rules: Rules) -> bool:
    """Whether the table has a place more than seats, for the player who banks."""
    return rules.bank.mode == "player" and rules.bank.seat == "separate"


def evolve(table: Table, event: events.AnyEvent) -> Table:
    """Return the table after an event."""
    after = _apply(table, event)
    balances = post(after.accounts, event.chips, accounts.at_table) if event.chips else after.accounts
    return replace(after, accounts=balances, version=table.version + 1)


def _apply(table: Table, event: events.AnyEvent) -> Table:
    match event:
        case events.StepDone():  # the commonest first
            return _step(table, event)
        case events.ChoiceMade():
            chosen = {**table.seats[event.seat].choices, event.bet: event.choice}
            if event.signal == events.RULED_FOR_ABSENT:
                after = _seat(table, event.seat, choices=chosen)
            else:
                after = _seat(_handled(table), event.seat, choices=chosen, decided=True)
            return replace(after, agenda=(*event.inserted, *table.agenda[1:]))
        case events.WagersPlaced():
            after = _seat(table, event.seat, wagers=event.wagers, medium=event.medium, coupon=msgspec.UNSET)
            return replace(after, agenda=(*event.inserted, *table.agenda))
        case events.TableOpened():
            return new_table(event)
        case events.PhaseBegan():
            return _begin(table, event)
        case events.FacesUnbound():
            return replace(table, unbound={**table.unbound, event.deck: ()})
        case events.FacesBound():
            return _bound(table, event)
        case events.PlayerSat():
            return _seat(table, event.seat, player=event.player, sitting_out=False)
        case events.PlayerLeft():
            declined = tuple(seat for seat in table.declined if seat != event.seat)
            return replace(table, seats={**table.seats, event.seat: Seat(event.seat)}, declined=declined)
        case events.SatOut():
            return _seat(table, event.seat, sitting_out=event.out)
        case events.ChipsBought() | events.VoucherExchanged():
            return table
        case events.CouponLaid():
            return _seat(table, event.seat, coupon=Coupon(event.cents))
        case events.DeckLooked():
            return replace(table, agenda=table.agenda[1:])
        case events.CardsLooked():
            return _seat(_handled(table), event.seat, looked=True)
        case events.SideBetTakenBack():
            back, ruled = (*(table.seats[event.seat].taken_back or ()), event.wager), event.signal
            changed = {"taken_back": back} if ruled else {"taken_back": back, "decided": True}
            after = _seat(table if ruled else _handled(table), event.seat, **changed)
            return replace(after, agenda=(*event.inserted, *table.agenda))
        case events.CardsTucked():
            after = _seat(table, event.seat, tucked=True)
            return replace(after, agenda=tuple(step for step in table.agenda if not _asks(step, event.seat)))
        case events.SideBetClaimed():
            claim = "claimed" if event.shown else "waved"
            after = _seat(table, event.seat, claim=claim, results=event.results)
            waiting = sum(step.kind in {"pay", "take"} for step in table.agenda)  # earlier claims come first
            agenda = (*table.agenda[:waiting], *event.inserted, *table.agenda[waiting:])
            return replace(after, agenda=agenda, cards=places.moved(table.cards, event.moves))
        case events.BankTaken():
            player = table.seats[event.seat].player
            again = player == table.bank_player
            return replace(
                table,
                bank_seat=event.seat,
                bank_player=player,
                bank_stake=event.stake_cents,
                bank_hands=table.bank_hands + 1 if again else 1,
                declined=(),
                agenda=table.agenda[1:],
            )
        case events.BankDeclined():
            gave_back = bool(table.bank_stake)
            return replace(
                table,
                declined=(*table.declined, event.seat),
                agenda=(*event.inserted, *table.agenda[1:]),
                bank_stake=0,
                bank_hands=table.bank_hands - gave_back,
            )
        case events.RoundRead():
            return replace(
                table,
                seats={n: replace(s, results=event.results.get(n, s.results)) for n, s in table.seats.items()},
            )
        case events.MetersRead():
            others = {w: cents - table.cents(accounts.shared_meter(w)) for w, cents in event.readings.items()}
            return replace(table, elsewhere={**table.elsewhere, **others}, meters_read=table.phase == "choice_2")
        case events.MetersTaken():
            return replace(table, takes=event.takes)
        case events.RoundEnded():
            return _round_over(table)
        case events.RoundVoided():
            over = _round_over(table)
            waited = {n: replace(s, idle_rounds=table.seats[n].idle_rounds) for n, s in over.seats.items()}
            over = replace(over, seats=waited)  # no one sat out a round that was not dealt
            banked = bool(table.bank_stake)  # a hand without a result does not count as banked
            unmixed = table.rules.rules.decks == 2 and not table.rules.rules.misdeal.reshuffle
            return replace(over, bank_hands=table.bank_hands - banked, voiding=False, unmixed=unmixed)
        case _:
            return _trouble(table, event)


def _trouble(table: Table, event: events.AnyEvent) -> Table:
    """Return the table after an event that belongs to something going wrong, or to supervision."""
    match event:
        case events.MishapHappened():
            after = replace(table, cards=places.moved(table.cards, event.moves))
            if event.kind == "burn":  # it is done in place of the step that was due
                return replace(after, agenda=table.agenda[1:], misburned=event.moves[0])
            return after if event.wagers is None else _seat(after, event.seat, wagers=event.wagers)
        case events.PlayerWentAway():
            return _seat(table, event.seat, away=True)
        case events.PlayerCameBack():
            return _seat(table, event.seat, away=False)
        case events.Ruled():
            return _ruled(table, event)
        case events.BetsCorrected():
            after = _seat(table, event.seat, wagers=event.wagers, defied=event.refused)
            return replace(after, agenda=table.agenda[1:])
        case events.HandFolded():
            after = _seat(table, event.seat, dealt_in=False, void=True)
            return replace(
                after, agenda=event.agenda, phase="ruling" if event.last else table.phase, voiding=event.last
            )
        case events.SignPosted():
            return replace(table, signs={**table.signs, event.kind: event.sign})
        case events.SuspectsNamed():
            return _suspects(table, event)
        case events.DisputeRaised():
            return replace(table, disputes=(*table.disputes, event.dispute), disputes_raised=table.disputes_raised + 1)
        case events.DisputeDecided():
            said = f"{event.by}: {'upheld' if event.upheld else 'rejected'}{f', {event.why}' if event.why else ''}"
            after = replace(table, agenda=(*event.inserted, *table.agenda))
            closed = event.final or event.upheld
            changed = (
                replace(one, decisions=(*one.decisions, said), heard_by=event.next, appealed=False)
                if one.number == event.number
                else one
                for one in table.disputes
            )
            return replace(after, disputes=tuple(one for one in changed if not (closed and one.number == event.number)))
        case events.DisputeAppealed():
            appealed = (replace(one, appealed=True) if one.number == event.number else one for one in table.disputes)
            return replace(table, disputes=tuple(appealed))
        case events.AdviceAsked():
            return _seat(table, event.seat, wants_advice=event.wanted)
        case events.AdviceGiven():
            return table
        case events.TableClosed():
            return replace(table, phase="closed", agenda=())
        case _:
            raise InvariantBroken(f"no state follows from {type(event).__name__}")


def _handled(table: Table) -> Table:
    """Return the table when a player handles the cards: what shows when the first one does was exposed before."""
    early = () if faults.is_handled(table) else faults.early_community(table)
    return replace(table, exposed_early=tuple(number for number, _ in early)) if early else table


def _round_over(table: Table) -> Table:
    seats = {number: _fresh(seat, table) for number, seat in table.seats.items()}
    over = replace(table, seats=seats, bank_stake=0, action_seat=0, awards_hands=0, takes={}, meters_read=False)
    return replace(over, exposed=0, exposed_early=(), misburned=None)


def _fresh(seat: Seat, table: Table) -> Seat:
    """A seat as it comes out of a round."""
    took_part = seat.dealt_in or seat.void or table.player_banks(seat.number)
    return Seat(
        seat.number,
        seat.player,
        seat.sitting_out,
        acts_first=seat.acts_first,
        away=seat.away,
        leaves=seat.leaves,
        defied=seat.defied,
        idle_rounds=0 if took_part or not seat.player else seat.idle_rounds + 1,
    )


def _ruled(table: Table, event: events.Ruled) -> Table:
    after = replace(table, rulings=(*table.rulings, event.ruling), exposed=event.exposed or table.exposed)
    if event.void_seat:
        after = _seat(after, event.void_seat, dealt_in=False, void=True)
    if event.rules is not None:
        raised = event.rules.cents_min > table.rules.cents_min
        signs = {kind: sign for kind, sign in table.signs.items() if kind != "minimum" or not raised}
        after = replace(after, rules=event.rules, signs=signs)
    if event.ruling.name == "stub_count:new_deck_next":
        after = replace(after, new_deck_due=event.ruling.number)
    begun = replace(after, phase=event.phase, agenda=event.agenda, round=event.round)
    if event.ruling.name == REDEALT:
        seats = {n: replace(seat, looked=False, lammer=False) for n, seat in begun.seats.items()}
        begun = replace(begun, seats=seats, community_up=0, exposed=0)
    if event.voids_round:  # what the hands would have won is not told
        seats = {n: seat if seat.void else replace(seat, results=()) for n, seat in begun.seats.items()}
        begun = replace(begun, seats=seats)
    return replace(begun, voiding=event.voids_round)


def _suspects(table: Table, event: events.SuspectsNamed) -> Table:
    match event.measure:
        case "act_first":
            seats = {n: replace(seat, acts_first=n in event.seats) for n, seat in table.seats.items()}
            return replace(table, seats=seats)
        case "separate":
            return replace(_leaving(table, event.seats[1:], "separated"), separated=(*table.separated, event.players))
        case "english_only":
            return replace(table, english_only=True)
        case _:
            barred = tuple(dict.fromkeys((*table.barred, *event.players)))
            return replace(_leaving(table, event.seats, "barred"), barred=barred)


def _leaving(table: Table, seats: tuple[int, ...], why: str) -> Table:
    return replace(table, seats={n: replace(s, leaves=why) if n in seats else s for n, s in table.seats.items()})


def _asks(step: Step, seat: int) -> bool:
    return step.seat == seat and step.kind in {"ask", "await_choice", "tuck_cards", "lay_cards"}


def _seat(table: Table, number: int, **changed: object) -> Table:
    return replace(table, seats={**table.seats, number: replace(table.seats[number], **changed)})


def _begin(table: Table, event: events.PhaseBegan) -> Table:
    after = replace(table, phase=event.phase, agenda=event.agenda, round=event.round)
    if event.phase == "idle":
        return replace(after, declined=())
    if event.phase == "betting" and event.round != table.round:
        return replace(after, rulings=())
    if event.phase != "dealing":
        return after
    dealt = {step.seat for step in event.agenda if step.kind in {"deal_packet", "deal_card"}}
    seats = {n: replace(seat, dealt_in=n in dealt) for n, seat in after.seats.items()}
    limit = after.rules.rules.limit
    return replace(
        after,
        seats=seats,
        community_up=0,
        unmixed=False,
        bet_cents_min=limit.cents_min or 0,
        bet_cents_max=limit.cents_max or 0,
    )


def _bound(table: Table, event: events.FacesBound) -> Table:
    lying = {str(card.face): card for card in table.at(places.READY)}
    cards = {**table.cards, places.READY: tuple(lying[face] for face in event.order)}
    return replace(table, cards=cards, unbound=_without(table.unbound, event.deck))


def _without(unbound: Mapping[int, tuple[int, ...]], deck: int) -> Mapping[int, tuple[int, ...]]:
    return {other: cuts for other, cuts in unbound.items() if other != deck}


def _cut(unbound: Mapping[int, tuple[int, ...]], moves: tuple[Move, ...]) -> Mapping[int, tuple[int, ...]]:
    """Return the cuts that decks without faces have had, with one more."""
    deck = moves[0].card.deck
    return {**unbound, deck: (*unbound[deck], len(moves))} if deck in unbound else unbound


def _step(table: Table, event: events.StepDone) -> Table:
    step, seats = event.step, table.seats
    if event.chips and step.seat:
        seat = seats[step.seat]
        seats = {**seats, step.seat: replace(seat, **_account(seat, step, event.chips))}
    agenda, cards = (*event.inserted, *table.agenda[1:]), places.moved(table.cards, event.moves)
    after = replace(table, agenda=agenda, cards=cards, seats=seats)
    if table.unbound:
        if KINDS[step.kind].needs == "order":
            after = replace(after, unbound=_without(table.unbound, step.number))
        elif step.kind == "cut_deck":
            after = replace(after, unbound=_cut(table.unbound, event.moves))
    match step.kind:
        case "pay" | "take" | "ask" | "deal_packet" | "deal_card" | "open_hand" | "pick_up" | "collect_hand":
            return after  # the commonest: nothing but cards and chips
        case "place_lammer":
            return _seat(after, step.seat, lammer=True)
        case "collect_lammers":
            return replace(after, seats={n: replace(seat, lammer=False) for n, seat in after.seats.items()})
        case "turn_community":
            return replace(after, community_up=step.number)
        case "burn_bottom" | "burn_first" | "burn_last" | "burn_top" if _in_deal_and_seen(table, event.moves):
            return replace(after, exposed=after.exposed + 1)  # its face was seen in this deal
        case "show_awards":
            return replace(after, awards_hands=step.number)
        case "throw_dice":
            return replace(after, action_seat=event.found)
        case "tuck_cards" | "lay_cards":
            return _seat(after, step.seat, tucked=True)
        case "count_stub":
            return replace(after, rounds_since_count=-1)
        case "return_bets" | "forfeit_bets":
            return _seat(after, step.seat, results=event.results, lammer=False, coupon=msgspec.UNSET)
        case "return_excess" if event.wagers is not None:
            return _seat(after, step.seat, wagers=event.wagers)
        case "introduce_deck":
            due = 0 if after.new_deck_due == step.number else after.new_deck_due
            return replace(_brought(after, event), new_deck_due=due)
        case "change_card":
            return _brought(after, event)
        case "collect_community":
            return replace(after, rounds_since_count=after.rounds_since_count + 1)
        case "take_back_burned":
            return replace(after, misburned=None)
        case _:
            return after


def _in_deal_and_seen(table: Table, moves: tuple[Move, ...]) -> bool:
    """Whether a card that moves lay face up while the cards were dealt."""
    return table.phase == "dealing" and any(move.card.up for move in moves)


def _brought(table: Table, event: events.StepDone) -> Table:
    """Return the table with the cards in use that a step brought, instead of those that it took away."""
    deck = event.step.number
    new = {move.card.serial for move in event.moves if move.source == places.OUTSIDE}
    gone = {move.card.serial for move in event.moves if move.target == places.OUTSIDE}
    before = table.deck_serials.get(deck, frozenset(range(52))) if gone else frozenset()
    serials = {**table.deck_serials, deck: before - gone | new}
    return replace(table, deck_serials=serials, cards_brought=table.cards_brought + len(new))


def _account(seat: Seat, step: Step, transfers: tuple[Transfer, ...]) -> dict[str, object]:
    """What the house or the bank has taken of a seat, paid it, and charged it, after these amounts."""
    taken, paid, fee, back = seat.taken_cents, seat.paid_cents, seat.fee_cents, dict(seat.back)
    coupon = seat.coupon
    for amount in transfers:
        if coupon is not msgspec.UNSET and amount.source == accounts.laid_coupon(seat.number):
            coupon = replace(coupon, fate="won" if step.kind == "pay" else "lost")
        elif amount.target in _BANKS and accounts.parse(amount.source).kind is accounts.Kind.FELT:
            taken += amount.cents
        elif amount.source in _BANKS and accounts.parse(amount.target).kind is accounts.Kind.FELT:
            taken -= amount.cents
        elif amount.source in _BANKS and amount.target == accounts.stack(seat.number):
            paid += amount.cents
        elif amount.target == accounts.FEES:
            fee += amount.cents
        elif step.kind in {"pay", "take", "return_wager"}:
            back[step.wager] = amount.cents
    return {"taken_cents": taken, "paid_cents": paid, "fee_cents": fee, "back": back, "coupon": coupon}


_BANKS = frozenset({accounts.TRAY, accounts.BANK})
