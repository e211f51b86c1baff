// Graph: the result of a person's rounds beside the expected result, drawn as SVG and told in words.
import { useId } from "preact/hooks";
import { money, signed, t } from "../texts";
import type { Point } from "./session";

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

export function Graph({ points }: { points: Point[] }) {
  const name = useId();
  const all: Point[] = [{ round: 0, result: 0, expected: 0, band: 0 }, ...points];
  const last = all[all.length - 1]!;
  const edges = all.flatMap((one) => [one.result, one.expected + one.band, one.expected - one.band]);
  const low = Math.min(...edges);
  const high = Math.max(...edges);
  const x = (index: number) => LEFT + (index / (all.length - 1)) * (WIDTH - LEFT - 10);
  const y = (cents: number) => TOP + ((high - cents) / (high - low || 1)) * (HEIGHT - TOP - BOTTOM);
  const step = stepOf(high - low);
  const ticks = Array.from({ length: Math.floor(high / step) - Math.ceil(low / step) + 1 }, (_, at) => (Math.ceil(low / step) + at) * step);
  const line = (value: (one: Point) => number) => all.map((one, at) => `${x(at).toFixed(1)},${y(value(one)).toFixed(1)}`).join(" ");
  const band = [...all.map((one, at) => [x(at), y(one.expected + one.band)] as const), ...all.map((one, at) => [x(at), y(one.expected - one.band)] as const).reverse()];
  const within = Math.abs(last.result - last.expected) <= last.band;
  const put = { n: points.length, result: signed(last.result), expected: signed(Math.round(last.expected)) };
  return (
    <figure class="plot coach-graph">
      <figcaption id={name}>
        {t("coach.plot")} <span class="small">{t("coach.plot.how")}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={name} aria-describedby={`${name}d`}>
        <desc id={`${name}d`}>{t("coach.plot.alt", { ...put, within: t(within ? "coach.within" : "coach.beyond") })}</desc>
        <polygon class="coach-band" points={band.map(([across, down]) => `${across.toFixed(1)},${down.toFixed(1)}`).join(" ")} />
        {ticks.map((cents) => (
          <g key={cents}>
            <line class={cents ? "plot-grid" : "plot-axis"} x1={LEFT} x2={WIDTH - 10} y1={y(cents)} y2={y(cents)} />
            <text class="plot-tick" x={LEFT - 6} y={y(cents) + 4} text-anchor="end">
              {cents < 0 ? `−${money(-cents)}` : money(cents)}
            </text>
          </g>
        ))}
        <polyline class="coach-expected" points={line((one) => one.expected)} />
        <polyline class="coach-result" points={line((one) => one.result)} />
        <circle class="coach-end" cx={x(all.length - 1)} cy={y(last.result)} r="4" />
        <text class="plot-tick" x={LEFT} y={HEIGHT - 6}>
          {points[0] ? points[0].round - 1 : ""}
        </text>
        <text class="plot-tick" x={WIDTH - 10} y={HEIGHT - 6} text-anchor="end">
          {t("coach.last", { round: last.round })}
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
