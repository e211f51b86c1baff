// Signs: what the signs at the table say: limits, fees, pays; as the view gives them.
import type { SideBetView, View } from "../../generated/api";
import { BASE } from "../../generated/wagers";
import { betAbout, betName, money, t, type Text } from "../../texts";
import { handName, payName } from "../../texts/hands";
import { markOf, baseSpots, sideBet } from "./spots";

/** What the signs at a table say. */
export type Signed = Pick<View, "sign" | "meters" | "notices">;

const range = (least: number | null, most: number | null): string => (least === most ? money(least ?? 0) : `${money(least ?? 0)} – ${money(most ?? 0)}`);

export function LimitsSign({ view }: { view: Signed }) {
  const { sign, notices } = view;
  const rows: [string, string][] = [
    [t(sign.limits_scope === "area" ? "sign.area" : "sign.bet"), range(...sign.limits_cents)],
    ...sign.side_bets.map((bet): [string, string] => [marked(view, bet), range(bet.cents_min, bet.cents_max)]),
    ...Object.entries(view.meters).map(([wager, cents]): [string, string] => [t("sign.meter", { bet: betName(wager) }), money(cents)]),
    ...(sign.payout_cents_max ? ([[t(`sign.payout.${sign.payout_scope}` as Text), money(sign.payout_cents_max)]] as [string, string][]) : []),
    ...(sign.payout_sides ?? []).map((bet): [string, string] => [t("sign.payout.side", { bet }), money(sign.payout_cents_max ?? 0)]),
    ...(sign.fee ? ([[t("sign.fee"), money(sign.fee.wager_cents)]] as [string, string][]) : []),
  ];
  return (
    <div class="sign sign-limits">
      <h2>{t("sign.limits")}</h2>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {notices.minimum && <p>{t("sign.minimum", { cents: money(notices.minimum.cents ?? 0), when: wall(notices.minimum.when) })}</p>}
      {notices.closing && <p>{t("sign.closing", { when: wall(notices.closing.when) })}</p>}
      {notices.english_only && <p>{t("sign.english")}</p>}
    </div>
  );
}

/** A side bet by its name, with what its spot says where that is shorter: '3 Card Bonus (3CB)'. */
function marked(view: Signed, bet: SideBetView): string {
  const mark = markOf(view, bet);
  return mark === bet.title ? bet.title : `${bet.title} (${mark})`;
}

const wall = (minute: number): string => `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")} UTC`;

export interface PaysProps {
  view: Signed;
  wagers?: string[];
  /** The rows that were paid last, by wager. */
  lit?: Record<string, string>;
  /** How many hands there are, for pays that depend on it; 0: it is not known. */
  hands?: number;
}

/** How many hands of a round have bets, for the pays that depend on it; the player's own is counted before it bets. */
export const handsIn = (view: View): number => Math.max(1, Object.values(view.seats).filter((seat) => baseSpots(view).some((spot) => seat.wagers[spot])).length);

/** The pays of each wager. */
export function PaysSign({ view, wagers, lit = {}, hands = 0 }: PaysProps) {
  const shown = wagers ?? Object.keys(view.sign.pay_values);
  return (
    <div class="sign sign-pays">
      {shown.map((wager) => (
        <table key={wager}>
          <caption>
            {wager === BASE ? t("sign.base") : betName(wager)}
            {view.meters[wager] !== undefined && <strong>{` · ${money(view.meters[wager])}`}</strong>}
            {hands > 0 && Object.values(view.sign.pay_values[wager] ?? {}).some((pays) => pays.length > 1) && <small>{t("sign.hands", { hands })}</small>}
            {sideBet(view, wager) && <small>{betAbout(sideBet(view, wager)!)}</small>}
          </caption>
          <tbody>
            {Object.entries(view.sign.pay_values[wager] ?? {}).map(([hand, pays]) => (
              <tr key={hand} class={lit[wager] === hand ? "is-lit" : ""}>
                <th scope="row">{handName(hand)}</th>
                <td>{pays.length ? payName(pays, hands) : "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  );
}
