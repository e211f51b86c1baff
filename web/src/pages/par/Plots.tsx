// Plots: pictures of what the server has counted, drawn by ourselves as SVG; each says in words what it shows.
import { useId } from "preact/hooks";
import type { Http } from "../../generated/api";
import { percent, t } from "../../texts";
import { handName } from "../../texts/hands";

const WIDTH = 420;
const HEIGHT = 256;
const LEFT = 68;
const BOTTOM = 60;
const TOP = 12;

interface Bar {
  net: string;
  value: number;
  now: number;
  before: number;
  text: string;
}

/** Every result that comes in either table, in order. */
function bars(wager: Http.LiveWager): Bar[] {
  const found = new Map<number, Bar>();
  const at = (one: Http.LiveNet) => found.get(one.value) ?? { net: one.net, value: one.value, now: 0, before: 0, text: t("par.never") };
  for (const one of wager.distribution) found.set(one.value, { ...at(one), now: one.probability.value, text: one.text });
  for (const one of wager.distribution_before ?? []) found.set(one.value, { ...at(one), before: one.probability.value });
  return [...found.values()].filter((one) => one.now || one.before).sort((a, b) => a.value - b.value);
}

/** How often each result of a round comes, on a logarithmic scale: the rare large ones are seen too. */
export function Distribution({ wager }: { wager: Http.LiveWager }) {
  const name = useId();
  const all = bars(wager);
  const least = Math.min(...all.flatMap((one) => [one.now, one.before]).filter((one) => one > 0));
  const decades = Math.max(1, Math.ceil(-Math.log10(least) - 1e-9));
  const up = (chance: number) => (chance > 0 ? Math.max(1, (1 + Math.log10(chance) / decades) * (HEIGHT - BOTTOM - TOP)) : 0);
  const step = (WIDTH - LEFT - 8) / all.length;
  const wide = Math.min(34, step * 0.72);
  const floor = HEIGHT - BOTTOM;
  const most = all.reduce((best, one) => (one.now > best.now ? one : best), all[0]!);
  const ticks = Array.from({ length: decades + 1 }, (_, power) => power).filter((power) => decades < 6 || power % 2 === 0);
  return (
    <figure class="plot">
      <figcaption id={name}>
        {t("par.plot.results")} <span class="small">{t("par.plot.results.how")}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={name} aria-describedby={`${name}d`}>
        <desc id={`${name}d`}>
          {t("par.plot.results.alt", { n: all.length, net: most.net, chance: most.text, low: all[0]!.net, high: all[all.length - 1]!.net })}
        </desc>
        {ticks.map((power) => {
          const y = floor - up(10 ** -power);
          return (
            <g key={power}>
              <line class="plot-grid" x1={LEFT} x2={WIDTH - 8} y1={y} y2={y} />
              <text class="plot-tick" x={LEFT - 6} y={y + 4} text-anchor="end">
                {percent(10 ** -power, Math.max(0, power - 2))}
              </text>
            </g>
          );
        })}
        {all.map((one, index) => {
          const x = LEFT + step * (index + 0.5);
          const sign = one.value > 0 ? "in-plus" : one.value < 0 ? "in-minus" : "in-zero";
          return (
            <g key={one.value}>
              <title>{`${one.net}: ${one.text}`}</title>
              {one.before > 0 && <rect class="plot-before" x={x - wide / 2 - 2} y={floor - up(one.before)} width={wide + 4} height={up(one.before)} rx="2" />}
              {one.now > 0 && <rect class={`plot-bar ${sign}`} x={x - wide / 2} y={floor - up(one.now)} width={wide} height={up(one.now)} rx="2" />}
              <text class="plot-tick plot-net" text-anchor="end" transform={`translate(${x + 4} ${floor + 10}) rotate(-60)`}>
                {one.value > 0 ? `+${one.net}` : one.net}
              </text>
            </g>
          );
        })}
        <line class="plot-axis" x1={LEFT} x2={WIDTH - 8} y1={floor} y2={floor} />
      </svg>
      {wager.distribution_before && (
        <p class="small plot-key">
          <span class="plot-key-now" /> {t("par.plot.now")} <span class="plot-key-before" /> {t("par.plot.before")}
        </p>
      )}
    </figure>
  );
}

/** What each hand adds to the expected result of a unit bet: where the money comes from and goes to. */
export function Contributions({ wager }: { wager: Http.LiveWager }) {
  const name = useId();
  const lines = wager.lines;
  const low = Math.min(0, ...lines.map((one) => one.result.value));
  const high = Math.max(0, ...lines.map((one) => one.result.value));
  const labels = 118;
  const values = 82;
  const x = (value: number) => labels + ((value - low) / (high - low || 1)) * (WIDTH - labels - values);
  const row = 24;
  const tall = lines.length * row + 8;
  return (
    <figure class="plot">
      <figcaption id={name}>
        {t("par.plot.hands")} <span class="small">{t("par.plot.hands.how")}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${tall}`} role="img" aria-labelledby={name} aria-describedby={`${name}d`}>
        <desc id={`${name}d`}>{lines.map((one) => `${handName(one.category)} ${one.result_text}`).join("; ")}</desc>
        <line class="plot-axis" x1={x(0)} x2={x(0)} y1={2} y2={tall - 4} />
        {lines.map((one, index) => {
          const y = index * row + 4;
          const value = one.result.value;
          const [from, to] = value < 0 ? [x(value), x(0)] : [x(0), x(value)];
          return (
            <g key={one.category}>
              <text class="plot-name" x={0} y={y + 15}>
                {handName(one.category)}
              </text>
              <rect class={`plot-bar ${value < 0 ? "in-minus" : "in-plus"}`} x={from} y={y + 2} width={Math.max(1, to - from)} height={row - 8} rx="2" />
              <text class="plot-tick" x={WIDTH} y={y + 15} text-anchor="end">
                {one.result_text}
              </text>
            </g>
          );
        })}
      </svg>
    </figure>
  );
}
