// Edges: the house edge of each bet at a table, rounded and as the exact fraction, with its convention.
import type { Http } from "../generated/api";
import { betName, money, t } from "../texts";

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** The edges of a table by wager, in the order of the felt: of a bet on the best hand one for each number of hands. */
function byWager(edges: Http.Edge[]): [string, Http.Edge[]][] {
  const names = [...new Set(edges.map((one) => one.wager))];
  return names.map((name) => [name, edges.filter((one) => one.wager === name)]);
}

/** The edge of each bet, as a range where it depends on the number of hands: 'Base game', '3.5057%'. */
export function edgesLine(edges: Http.Edge[]): [string, string][] {
  return byWager(edges).map(([wager, found]) => {
    const texts = found.map((one) => one.text).sort((a, b) => Number.parseFloat(a) - Number.parseFloat(b));
    const [low, high] = [texts[0]!, texts.at(-1)!];
    return [capital(betName(wager)), low === high ? low : `${low} – ${high}`];
  });
}

const named = (one: Http.Edge): string => {
  const bet = capital(betName(one.wager));
  return one.hands ? t("edge.hands", { bet, hands: one.hands }) : bet;
};

export function EdgeFigures({ edges }: { edges: Http.Edge[] }) {
  return (
    <>
      <dl class="edge-list">
        {edges.map((one) => (
          <div key={named(one)}>
            <dt>
              {named(one)}
              {one.stake_cents && <span class="small">{` ${t("edge.at", { stake: money(one.stake_cents) })}`}</span>}
            </dt>
            <dd>{one.text}</dd>
            {one.risk_text && <dd class="small">{t("edge.risk", { risk: one.risk_text })}</dd>}
          </div>
        ))}
      </dl>
      <p class="small">{t("edge.how")}</p>
      <details>
        <summary class="small">{t("par.exactly")}</summary>
        <dl class="edge-list edge-exact">
          {edges.map((one) => (
            <div key={named(one)}>
              <dt>{named(one)}</dt>
              <dd>{one.exact}</dd>
              {one.risk_exact && <dd>{t("edge.risk", { risk: one.risk_exact })}</dd>}
            </div>
          ))}
        </dl>
      </details>
    </>
  );
}
