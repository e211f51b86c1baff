// Round details: what a round was in full: decisions and what each way was worth, bets and results, rulings.
import type { Http } from "../generated/api";
import { words } from "../coach/advisor";
import { betName, money, signed, t, type Text } from "../texts";
import { ruled } from "../texts/engine";
import { holdingWords, ruleWords } from "../texts/strategy";

/** An average result in dollars and cents, with a fraction of a cent where it is less. */
export const fine = (cents: number): string => (Math.abs(cents) < 1 && cents ? t("results.fraction", { cents: Math.round(cents * 100) / 100 }) : signed(Math.round(cents)));

/** What a bet is called: by its own title where the house made it. */
const named = (one: Http.OwnWager): string => (betName(one.wager) === one.wager.replaceAll("_", " ") ? one.title : betName(one.wager));

/** What happened to a bet. */
const fate = (one: Http.OwnWager): string => (one.fate === "lost" && one.paid_cents ? t("fate.envy", { amount: money(one.paid_cents) }) : t(`fate.${one.fate}` as Text));

export function RoundDetails({ round }: { round: Http.OwnRound }) {
  const made = round.decisions ?? [];
  const wagers = round.wagers ?? [];
  const rulings = round.rulings ?? [];
  const fee = round.fee_cents ?? 0;
  const bank = round.bank_stake_cents ?? 0;
  return (
    <div class="round-details">
      {made.length > 0 && (
        <ul class="round-decisions">
          {made.map((one) => (
            <li key={one.bet} class={(one.cost?.value ?? 0) > 0 ? "is-bad" : ""}>
              <Decision made={one} />
            </li>
          ))}
        </ul>
      )}
      <table class="rows">
        <caption class="spoken">{t("results.bets")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("results.bet")}</th>
            <th scope="col">{t("results.stake")}</th>
            <th scope="col">{t("results.fate")}</th>
            <th scope="col">{t("coach.result")}</th>
          </tr>
        </thead>
        <tbody>
          {wagers.map((one) => (
            <tr key={one.wager}>
              <th scope="row">{named(one)}</th>
              <td>{money(one.stake_cents)}</td>
              <td>{fate(one)}</td>
              <td>{signed(one.net_cents)}</td>
            </tr>
          ))}
          {bank > 0 && <Beside label={t("results.bank")} stake={bank} net={round.bank_net_cents ?? 0} />}
          {fee > 0 && <Beside label={t("rail.fee")} net={-fee} />}
        </tbody>
      </table>
      {round.worth && (
        <p class="small">
          {t("results.one", {
            expected: fine(round.worth.expected.value),
            mistakes: fine(-round.worth.mistakes.value),
            luck: fine(wagers.reduce((sum, one) => sum + one.net_cents, 0) - round.worth.expected.value + round.worth.mistakes.value),
          })}
        </p>
      )}
      {rulings.map((one) => (
        <p key={one.name} role="note">
          {ruled(one)}
        </p>
      ))}
    </div>
  );
}

function Beside({ label, stake, net }: { label: string; stake?: number; net: number }) {
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>{stake ? money(stake) : ""}</td>
      <td />
      <td>{signed(net)}</td>
    </tr>
  );
}

/** A decision in a sentence, what both ways were worth on average, and why. */
function Decision({ made }: { made: Http.OwnDecision }) {
  if (!made.best || !made.ride || !made.withdraw) return <>{t("coach.unseen", { bet: made.bet })}</>;
  const cost = made.cost?.value ?? 0;
  const cards = made.bet + 2;
  return (
    <>
      <b>
        {t("coach.bet", { bet: made.bet, best: words(made.chosen) })}
        {cost > 0 ? ` · ${t("results.cost", { cost: fine(-cost) })}` : ` · ${t(made.even ? "results.even" : "results.good")}`}
      </b>
      <span class="small">
        {t("coach.have", { holding: holdingWords(made.holding ?? "", cards, made.holding ?? "") })}{" "}
        {made.best === "ride" && made.rule ? t("coach.rule", { rule: ruleWords(made.rule, cards, made.rule) }) : made.even ? "" : t(made.best === "ride" ? "results.ride" : "coach.norule")}{" "}
        {t("results.worth", { ride: fine(made.ride.value), withdraw: fine(made.withdraw.value) })}
      </span>
    </>
  );
}
