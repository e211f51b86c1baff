// Signs: what the signs at the table say: limits, fees, pays; as the view gives them.
import type { View } from "../../generated/api";
import { money, t, type Text } from "../../texts";

const range = ([least, most]: [number | null, number | null]): string => `${money(least ?? 0)} – ${money(most ?? 0)}`;

export function LimitsSign({ view }: { view: View }) {
  const { sign, notices } = view;
  const rows: [string, string][] = [
    [t(sign.limits_scope === "area" ? "sign.area" : "sign.bet"), range(sign.limits_cents)],
    ...(sign.bonus_cents !== null ? ([[t("wager.bonus"), money(sign.bonus_cents)]] as [string, string][]) : []),
    ...(sign.three_card_cents ? ([[t("wager.three_card"), range(sign.three_card_cents)]] as [string, string][]) : []),
    ...(sign.cover_all_cents ? ([[t("wager.cover_all"), range(sign.cover_all_cents)]] as [string, string][]) : []),
    ...(sign.payout_cents_max ? ([[t("sign.payout"), money(sign.payout_cents_max)]] as [string, string][]) : []),
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

const wall = (minute: number): string => `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")} UTC`;

/** The pays of each wager; the row of a hand that was made is marked. */
export function PaysSign({ view, wagers }: { view: View; wagers?: string[] }) {
  const shown = wagers ?? Object.keys(view.sign.pays);
  return (
    <div class="sign sign-pays">
      {shown.map((wager) => (
        <table key={wager}>
          <caption>{wager === "base" ? t("sign.base") : t(`wager.${wager}` as Text)}</caption>
          <tbody>
            {Object.entries(view.sign.pays[wager] ?? {}).map(([hand, odds]) => (
              <tr key={hand}>
                <th scope="row">{hand}</th>
                <td>{odds ?? "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  );
}
