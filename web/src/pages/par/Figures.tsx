// Figures: what a wager is worth, each figure with its convention, what it was, and the fraction behind it.
import type { Http } from "../../generated/api";
import { betName, decimal, t, type Text } from "../../texts";
import { handName } from "../../texts/hands";

/** Told among the fractions alone. */
const ASIDE = ["skewness"];

/** What a figure is called. */
export const figureName = (one: Http.LiveFigure): string => t(`figure.${one.name}` as Text);

/** By how much a figure has changed; shares change by points. */
export const changeOf = (one: Http.LiveFigure): string => (one.is_share ? t("par.points", { change: one.change_number ?? "" }) : (one.change_number ?? ""));

/** The heading of a wager: '3 Card Bonus', 'Cover All, 3 hands'. */
export function headingOf(wager: Http.LiveWager): string {
  const name = betName(wager.wager);
  const bet = name.charAt(0).toUpperCase() + name.slice(1);
  return wager.hands ? t("par.heading", { bet, hands: wager.hands }) : bet;
}

export function Figures({ figures, against, name }: { figures: Http.LiveFigure[]; against: string; name: string }) {
  return (
    <>
      <dl class="par-figures">
        {figures.filter((one) => !ASIDE.includes(one.name)).map((one) => (
          <div key={one.name} class={one.change ? "par-figure is-changed" : "par-figure"} data-figure={one.name}>
            <dt>{figureName(one)}</dt>
            <dd class="figure">{one.text}</dd>
            <dd class="small">{t(`figurehow.${one.name}` as Text)}</dd>
            {one.change && (
              <dd class="par-change">
                <span>{changeOf(one)}</span> <span class="small">{t("par.change", { before: one.before ?? "", id: against })}</span>
              </dd>
            )}
          </div>
        ))}
      </dl>
      <details class="par-more">
        <summary>
          <h3>{t("par.exactly")}</h3>
        </summary>
        <div class="par-wide" role="region" aria-label={t("par.exactly.of", { name })} tabIndex={0}>
          <table class="rows">
            <tbody>
              {figures.map((one) => (
                <tr key={one.name}>
                  <th scope="row">{figureName(one)}</th>
                  <td class="par-fraction">{one.exact ?? t("par.root", { value: one.value })}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
}

export function Lines({ wager }: { wager: Http.LiveWager }) {
  return (
    <details class="par-more">
      <summary>
        <h3>{t("par.lines")}</h3>
      </summary>
      <div class="par-wide" role="region" aria-label={t("par.lines.of", { name: headingOf(wager) })} tabIndex={0}>
        <table class="rows par-lines">
          <thead>
            <tr>
              <th scope="col">{t("par.hand")}</th>
              <th scope="col">{t("par.pay")}</th>
              <th scope="col">{t("par.odds")}</th>
              <th scope="col">{t("par.combinations")}</th>
              <th scope="col">{t("par.result")}</th>
            </tr>
          </thead>
          <tbody>
            {wager.lines.map((one) => (
              <tr key={one.category}>
                <th scope="row">{handName(one.category)}</th>
                <td class={one.pay !== one.pay_before && one.pay_before ? "is-changed" : ""}>{one.pay ?? t("par.loses")}</td>
                <td>{one.one_in === null ? t("par.never") : t("par.one_in", { n: one.one_in })}</td>
                <td>{decimal(one.combinations)}</td>
                <td>{one.result_text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
