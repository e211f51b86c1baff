// Payouts: a real round as it lay, seat by seat, and what every spot is paid; every figure is the server's.
import { useSignal } from "@preact/signals";
import type { PageProps } from "..";
import type { Http } from "../../generated/api";
import { ask } from "../../net/api";
import { Button } from "../../parts/Button";
import { bookTitle } from "../../state/titles";
import { betName, centsOf, money, signed, t } from "../../texts";
import { Form, No, textOf, useAsked } from "../staff/parts";

const USUAL = "nsw-1";
const HANDS = 3;
const CARD = "(10|[2-9TJQKAtjqka])[cdhsCDHS]";

export default function Payouts({ params }: PageProps) {
  const book = useSignal(params.book ?? USUAL);
  const books = useAsked(() => ask("GET /api/rulebooks"));
  const felt = useAsked(() => ask("GET /api/rulebooks/{ref}/felt", { path: { ref: book.value } }), [book.value]);
  const hands = useSignal(HANDS);
  const told = useSignal<Http.PayoutTold | null>(null);
  const found = felt.value.value?.book === book.value ? felt.value.value : null;
  return (
    <div class="page desk">
      <h1>{t("desk.payouts.title")}</h1>
      <p>{t("desk.payouts.about")}</p>
      <No>{felt.refused.value}</No>
      <div class="form desk-ask">
        <label>
          {t("desk.book")}
          <select
            value={book.value}
            onChange={(event) => {
              book.value = event.currentTarget.value;
              told.value = null;
            }}
          >
            {(books.value.value ?? []).map((one) => (
              <option key={one.id} value={one.id}>
                {bookTitle(one.id)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {found && (
        <Form
          key={found.book}
          submit={t("desk.payouts.pay")}
          class="desk-round"
          onSubmit={async (form) => {
            told.value = null;
            told.value = await ask("POST /api/payout", { body: entered(form, found, hands.value) });
          }}
        >
          <label>
            {t("desk.payouts.community")}
            <input name="community" required placeholder="Ks 2d" pattern={`\\s*${CARD}[\\s,]*${CARD}\\s*`} autocomplete="off" />
          </label>
          {found.banked && (
            <div class="staff-inline">
              <label>
                {t("desk.payouts.bankseat")}
                <input name="bank_seat" type="number" min={1} max={Math.max(found.seats, 2)} required />
              </label>
              <label>
                {t("desk.payouts.bank")}
                <input name="bank" inputMode="decimal" required />
              </label>
            </div>
          )}
          {Array.from({ length: Math.min(hands.value, found.seats) }, (_, at) => (
            <Entry key={at} at={at} felt={found} />
          ))}
          {hands.value < found.seats && (
            <p>
              <Button onClick={() => (hands.value += 1)}>{t("desk.payouts.more")}</Button>
            </p>
          )}
        </Form>
      )}
      {told.value && <Paid told={told.value} />}
    </div>
  );
}

function Entry({ at, felt }: { at: number; felt: Http.FeltOfBook }) {
  const sides = felt.spots.filter((one) => !one.base);
  return (
    <fieldset class="staff-box desk-hand">
      <legend>{t("desk.payouts.hand", { number: at + 1 })}</legend>
      <label>
        {t("desk.payouts.seat")}
        <input name={`seat-${at}`} type="number" min={1} max={felt.seats} defaultValue={String(at + 1)} />
      </label>
      <label>
        {t("desk.payouts.cards")}
        <input name={`cards-${at}`} required={at === 0} placeholder="Th Td 4c" pattern={`\\s*(${CARD}[\\s,]*){3}`} autocomplete="off" />
      </label>
      <label>
        {t("desk.payouts.bets")}
        <input name={`base-${at}`} inputMode="decimal" required={at === 0} placeholder="25" />
      </label>
      <div class="choices">
        {[1, 2].map((bet) => (
          <label key={bet}>
            <input type="checkbox" name={`rides-${at}`} value={bet} />
            {t("desk.payouts.rides", { bet })}
          </label>
        ))}
      </div>
      {sides.map((one) => (
        <label key={one.spot}>
          {betName(one.wager)}
          <input name={`${one.spot}@${at}`} inputMode="decimal" />
        </label>
      ))}
    </fieldset>
  );
}

/** Cards as they were typed, written as the server reads them. */
const cardsOf = (text: string): string[] =>
  (text.match(new RegExp(CARD, "g")) ?? []).map((one) => one.slice(0, -1).toUpperCase().replace("10", "T") + one.slice(-1).toLowerCase());

function entered(form: FormData, felt: Http.FeltOfBook, hands: number): Http.RoundEntered {
  const every = Array.from({ length: Math.min(hands, felt.seats) }, (_, at) => at).filter((at) => textOf(form, `cards-${at}`));
  const cents = (name: string): number => centsOf(textOf(form, name)) ?? 0;
  return {
    rulebook: felt.book,
    values: {},
    community: cardsOf(textOf(form, "community")),
    bank_seat: felt.banked ? Number(form.get("bank_seat")) : 0,
    bank_cents: felt.banked ? cents("bank") : 0,
    dice: 0,
    meters: {},
    hands: every.map((at) => ({
      seat: Number(form.get(`seat-${at}`)),
      cards: cardsOf(textOf(form, `cards-${at}`)),
      rides: form.getAll(`rides-${at}`).map(Number),
      wagers: Object.fromEntries(
        felt.spots.map((one) => [one.spot, cents(one.base ? `base-${at}` : `${one.spot}@${at}`)] as const).filter(([, amount]) => amount > 0),
      ),
    })),
  };
}

function Paid({ told }: { told: Http.PayoutTold }) {
  const { paid, record } = told;
  return (
    <section class="staff-box" aria-label={t("desk.payouts.paid")}>
      <h2>{t("desk.payouts.paid")}</h2>
      <p class="staff-actions no-print">
        <Button onClick={() => print()}>{t("desk.payouts.print")}</Button>{" "}
        <a class="button" download="round.round" href={`data:text/plain;charset=utf-8,${encodeURIComponent(record)}`}>
          {t("desk.payouts.save")}
        </a>
      </p>
      <p>
        {bookTitle(paid.rulebook)} · {t("desk.payouts.community")}: {paid.community.join(" ")}
      </p>
      {paid.hands.map((hand) => (
        <div key={hand.seat} class="par-wide" role="region" aria-label={t("desk.payouts.of", { seat: hand.seat })} tabIndex={0}>
          <h3>
            {t("desk.payouts.of", { seat: hand.seat })}: {hand.cards.join(" ")} · {hand.hand}
          </h3>
          <table class="rows">
            <thead>
              <tr>
                <th scope="col">{t("desk.payouts.spot")}</th>
                <th scope="col">{t("desk.payouts.bet")}</th>
                <th scope="col">{t("desk.payouts.how")}</th>
                <th scope="col">{t("desk.payouts.amount")}</th>
                <th scope="col">{t("desk.payouts.net")}</th>
              </tr>
            </thead>
            <tbody>
              {hand.spots.map((spot) => (
                <tr key={spot.spot}>
                  <th scope="row">{spot.name}</th>
                  <td>{money(spot.stake_cents)}</td>
                  <td>{spot.steps.join("; ")}</td>
                  <td>{money(spot.paid_cents)}</td>
                  <td>{signed(spot.net_cents)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p>
            {hand.fee_cents > 0 && `${t("desk.payouts.fee", { cents: money(hand.fee_cents) })} `}
            {t("desk.payouts.total", { cents: signed(hand.net_cents) })}
          </p>
        </div>
      ))}
      {paid.bank_fee_cents > 0 && <p>{t("desk.payouts.bankfee", { cents: money(paid.bank_fee_cents) })}</p>}
    </section>
  );
}
