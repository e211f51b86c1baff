// Orders: what the book lets this role order at this table, each with the fields the server asks for; it knows no rule.
import { useSignal } from "@preact/signals";
import type { Http, View } from "../../generated/api";
import { capital } from "../../net/api";
import type { Command } from "../../net/table";
import { Drawer } from "../../parts/Drawer";
import { say } from "../../parts/Toast";
import { t, type Text } from "../../texts";
import { fieldCents, Form, named, textOf } from "./parts";

interface Props {
  view: View;
  desk: Http.DeskOfTable;
  onAct: (command: Command) => Promise<void>;
}

export function Orders({ view, desk, onAct }: Props) {
  /** As it was when it was opened: while it is filled in, nothing moves. */
  const open = useSignal<Http.OrderTold | null>(null);
  const offer = open.value;
  return (
    <details class="staff-fold">
      <summary>
        <h2>{t("staff.orders")}</h2>
      </summary>
      <ul class="staff-kinds">
        {desk.orders.map((one) => (
          <li key={one.kind}>
            <button type="button" aria-haspopup="dialog" aria-disabled={Boolean(one.refused)} onClick={() => !one.refused && (open.value = one)}>
              {named(`staff.order.${one.kind}`)}
              {one.refused && <span class="small">{capital(one.refused)}</span>}
            </button>
          </li>
        ))}
      </ul>
      {offer && (
        <Drawer title={named(`staff.order.${offer.kind}`)} open place="middle" onClose={() => (open.value = null)}>
          <OrderForm
            offer={offer}
            view={view}
            minute={desk.minute}
            onAct={async (command) => {
              await onAct(command);
              say(t("staff.order.done", { order: named(`staff.order.${offer.kind}`) }));
              open.value = null;
            }}
          />
        </Drawer>
      )}
    </details>
  );
}

interface OrderProps {
  offer: Http.OrderTold;
  view: View;
  minute: number;
  onAct: (command: Command) => Promise<void>;
}

function OrderForm({ offer, view, minute, onAct }: OrderProps) {
  const asks = (field: Http.OrderTold["asks"][number]): boolean => offer.asks.includes(field);
  const one = offer.seats_max === 1;
  const [least, most] = view.sign.limits_cents;
  async function send(form: FormData): Promise<void> {
    await onAct({
      type: "Order",
      kind: offer.kind as never,
      why: textOf(form, "why"),
      ...(asks("seats") ? { seats: form.getAll("seats").map(Number) } : {}),
      ...(asks("number") ? { number: Number(form.get("number")) } : {}),
      ...(asks("cards") ? { cards: textOf(form, "cards").split(/[ ,]+/).filter(Boolean) } : {}),
      ...(asks("cents_min") ? { cents_min: fieldCents(form, "cents_min") ?? 0 } : {}),
      ...(asks("cents_max") ? { cents_max: fieldCents(form, "cents_max") ?? 0 } : {}),
      ...(asks("when") ? { when: utcMinute(textOf(form, "when")) } : {}),
      ...(asks("ground") ? { ground: textOf(form, "ground") as never } : {}),
    });
  }
  return (
    <Form submit={t("staff.order.give")} onSubmit={send}>
      <p>{t(`staff.order.${offer.kind}.how` as Text)}</p>
      {asks("ground") && (
        <fieldset class="choices">
          <legend>{t("staff.ground")}</legend>
          {offer.grounds.map((ground) => (
            <label key={ground}>
              <input type="radio" name="ground" value={ground} required /> {named(`staff.ground.${ground}`)}
            </label>
          ))}
        </fieldset>
      )}
      {asks("seats") && (
        <fieldset class="choices">
          <legend>{t(offer.seats_min === 0 ? "staff.order.forfeit" : offer.seats_min > 1 ? "staff.order.seats" : "staff.order.seat")}</legend>
          {offer.seats.map((seat) => (
            <label key={seat}>
              <input type={one ? "radio" : "checkbox"} name="seats" value={seat} required={one} />
              {t("staff.seat.of", { number: seat, player: view.seats[seat]?.player ?? "" })}
            </label>
          ))}
        </fieldset>
      )}
      {asks("number") && (
        <label>
          {t("staff.order.deck")}
          <select name="number">
            {offer.decks.map((deck) => (
              <option key={deck} value={deck}>
                {deck ? t("staff.order.decknumber", { number: deck }) : t("staff.order.deckinplay")}
              </option>
            ))}
          </select>
        </label>
      )}
      {asks("cards") && (
        <label>
          {t("staff.order.cards")}
          <input name="cards" maxLength={155} pattern=" *([2-9TJQKA][cdhs][ ,]*)*" autocomplete="off" />
          <span class="small">{t("staff.order.cards.how")}</span>
        </label>
      )}
      {(asks("cents_min") || asks("cents_max")) && (
        <div class="staff-pair">
          {asks("cents_min") && (
            <label>
              {t("staff.least")}
              <input name="cents_min" required inputMode="decimal" pattern="[0-9]+([.][0-9]{1,2})?" defaultValue={String((least ?? 0) / 100)} />
            </label>
          )}
          {asks("cents_max") && (
            <label>
              {t("staff.most")}
              <input name="cents_max" required inputMode="decimal" pattern="[0-9]+([.][0-9]{1,2})?" defaultValue={String((most ?? 0) / 100)} />
            </label>
          )}
        </div>
      )}
      {asks("when") && (
        <label>
          {t("staff.order.when")}
          <input name="when" type="time" required defaultValue={localTime(minute + offer.notice_minutes + 1)} />
        </label>
      )}
      {offer.notice_minutes > 0 && <p class="small">{noticeOf(offer)}</p>}
      <label>
        {t("staff.why")}
        <input name="why" required maxLength={200} autocomplete="off" />
      </label>
    </Form>
  );
}

/** What the book wants on a sign beforehand, and where it says so. */
function noticeOf(offer: Http.OrderTold): string {
  const clauses = offer.notice_clauses.map((one) => one.id).join(", ");
  const words = offer.kind === "limits" ? "staff.order.notice.limits" : "staff.order.notice";
  return t(clauses ? words : "staff.order.notice.house", { minutes: offer.notice_minutes, clauses });
}

/** A time on the wall clock here as minutes of the day in UTC. */
function utcMinute(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return (((hours * 60 + minutes + new Date().getTimezoneOffset()) % 1440) + 1440) % 1440;
}

/** A minute of the day in UTC as a time for a field. */
function localTime(minute: number): string {
  const here = (((minute - new Date().getTimezoneOffset()) % 1440) + 1440) % 1440;
  return `${String(Math.floor(here / 60)).padStart(2, "0")}:${String(here % 60).padStart(2, "0")}`;
}
