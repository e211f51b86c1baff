// Graph: the result of a person's hands beside the expected result with the band of luck, drawn as SVG and told in words.
import { useId } from "preact/hooks";
import type { Http } from "../generated/api";
import { money, signed, t } from "../texts";

const WIDTH = 400;
const HEIGHT = 200;
const LEFT = 62;
const BOTTOM = 24;
const TOP = 8;

/** The largest step of 1, 2 or 5 times a power of ten that divides a span into three or more. */
function stepOf(span: number): number {
  const most = Math.max(span, 3) / 3;
  const power = 10 ** Math.floor(Math.log10(most));
  return [5, 2, 1].map((one) => one * power).find((one) => one <= most) ?? power;
}

export function Graph({ points: all }: { points: Http.Point[] }) {
  const name = useId();
  const last = all[all.length - 1]!;
  const edges = all.flatMap((one) => [one.result_cents, one.expected_cents + 2 * one.sigma_cents, one.expected_cents - 2 * one.sigma_cents]);
  const low = Math.min(...edges);
  const high = Math.max(...edges);
  const x = (hands: number) => LEFT + (hands / (last.hands || 1)) * (WIDTH - LEFT - 10);
  const y = (cents: number) => TOP + ((high - cents) / (high - low || 1)) * (HEIGHT - TOP - BOTTOM);
  const step = stepOf(high - low);
  const ticks = Array.from({ length: Math.floor(high / step) - Math.ceil(low / step) + 1 }, (_, at) => (Math.ceil(low / step) + at) * step);
  const at = (one: Http.Point, cents: number) => `${x(one.hands).toFixed(1)},${y(cents).toFixed(1)}`;
  const line = (value: (one: Http.Point) => number) => all.map((one) => at(one, value(one))).join(" ");
  const band = (sigmas: number) =>
    [...all.map((one) => at(one, one.expected_cents + sigmas * one.sigma_cents)), ...all.map((one) => at(one, one.expected_cents - sigmas * one.sigma_cents)).reverse()].join(" ");
  const away = Math.abs(last.result_cents - last.expected_cents) / (last.sigma_cents || 1);
  const put = { n: last.hands, result: signed(last.result_cents), expected: signed(Math.round(last.expected_cents)) };
  return (
    <figure class="plot coach-graph">
      <figcaption id={name}>
        {t("coach.plot")} <span class="small">{t("coach.plot.how")}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={name} aria-describedby={`${name}d`}>
        <desc id={`${name}d`}>{t("coach.plot.alt", { ...put, within: t(away <= 2 ? "coach.within" : "coach.beyond") })}</desc>
        <polygon class="coach-band" points={band(2)} />
        <polygon class="coach-band" points={band(1)} />
        {ticks.map((cents) => (
          <g key={cents}>
            <line class={cents ? "plot-grid" : "plot-axis"} x1={LEFT} x2={WIDTH - 10} y1={y(cents)} y2={y(cents)} />
            <text class="plot-tick" x={LEFT - 6} y={y(cents) + 4} text-anchor="end">
              {cents < 0 ? `−${money(-cents)}` : money(cents)}
            </text>
          </g>
        ))}
        <polyline class="coach-expected" points={line((one) => one.expected_cents)} />
        <polyline class="coach-result" points={line((one) => one.result_cents)} />
        <circle class="coach-end" cx={x(last.hands)} cy={y(last.result_cents)} r="4" />
        <text class="plot-tick" x={LEFT} y={HEIGHT - 6}>
          0
        </text>
        <text class="plot-tick" x={WIDTH - 10} y={HEIGHT - 6} text-anchor="end">
          {t("results.hands", { hands: last.hands })}
        </text>
      </svg>
      <p class="small plot-key coach-key">
        {(["result", "expected", "band"] as const).map((one) => (
          <span key={one} class="plot-key-one">
            <span class={`coach-key-${one}`} /> {t(`coach.plot.${one}`)}
          </span>
        ))}
      </p>
    </figure>
  );
}
