// Play: the best play of a base table as rules to learn, and what is new in it against the published table.
import type { Http } from "../../generated/api";
import { t, type Text } from "../../texts";
import { holdingWords, ruleWords } from "../../texts/strategy";

export function Play({ strategy, against }: { strategy: Http.LiveStrategy; against: string }) {
  const changed = [...strategy.bet1.changed, ...strategy.bet2.changed].length;
  return (
    <section class="par-play" aria-labelledby="par-play">
      <h2 id="par-play">{t("par.play")}</h2>
      <p>{changed ? t("par.play.changed", { n: changed, id: against }) : t("par.play.same", { id: against })}</p>
      <div class="par-bets">
        {(["bet1", "bet2"] as const).map((bet) => (
          <Bet key={bet} name={bet} bet={strategy[bet]} />
        ))}
      </div>
    </section>
  );
}

function Bet({ name, bet }: { name: "bet1" | "bet2"; bet: Http.LiveBet }) {
  const cards = name === "bet1" ? 3 : 4;
  const worded = (rule: string): string => ruleWords(bet.codes[rule] ?? "", cards, rule);
  return (
    <div class="par-bet">
      <h3>{t(`par.${name}` as Text)}</h3>
      <p class="small">{t("par.rides.with")}</p>
      <ul class="par-rules">
        {bet.rules.map((rule) => (
          <li key={rule} class={bet.new_rules.includes(rule) ? "is-new" : ""}>
            {worded(rule)}
            {bet.new_rules.includes(rule) && <b class="par-mark"> {t("par.new")}</b>}
          </li>
        ))}
        {bet.gone_rules.map((rule) => (
          <li key={rule} class="is-gone">
            <s>{worded(rule)}</s> <b class="par-mark">{t("par.gone")}</b>
          </li>
        ))}
        {!bet.rules.length && <li>{t("par.rides.never")}</li>}
      </ul>
      {bet.changed.length > 0 && <Classes caption={t("par.classes.changed")} classes={bet.changed} cards={cards} />}
      <details class="par-more">
        <summary>
          <h4>{t("par.classes", { n: bet.classes.length })}</h4>
        </summary>
        <Classes caption={t("par.classes.all")} classes={bet.classes} cards={cards} />
      </details>
    </div>
  );
}

function Classes({ caption, classes, cards }: { caption: string; classes: Http.LiveClass[]; cards: number }) {
  const choice = (rides: boolean) => t(rides ? "par.ride" : "par.withdraw");
  return (
    <table class="rows par-classes">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{t("par.cards")}</th>
          <th scope="col">{t("par.best")}</th>
          <th scope="col">{t("par.value")}</th>
        </tr>
      </thead>
      <tbody>
        {classes.map((one) => (
          <tr key={one.name}>
            <th scope="row">{holdingWords(one.name, cards, one.words)}</th>
            <td class={one.rides ? "is-ride" : "is-pull"}>
              {choice(one.rides)}
              {one.rode !== null && one.rode !== one.rides && <span class="small"> {t("par.before", { choice: choice(one.rode) })}</span>}
            </td>
            <td>{one.text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What a maximum payout does to the base game. */
export function Capped({ capped }: { capped: Http.LiveCapped }) {
  return (
    <>
      {capped.changed.length ? (
        <ul class="par-rules">
          {capped.changed.map((one) => (
            <li key={one.bet + one.words}>{t("par.capped.change", { bet: one.bet, words: holdingWords(one.name, one.bet + 2, one.words), now: t(`par.under.${one.now_code}` as Text) })}</li>
          ))}
        </ul>
      ) : (
        <p>{t("par.capped.same")}</p>
      )}
    </>
  );
}
