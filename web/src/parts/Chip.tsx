// Chip: a casino chip by its value, and a small pile of chips for an amount.
import { money } from "../texts";

/** The values of the chips on the rail, the greatest first; what a table takes is for its sign to say. */
export const VALUES = [100_000, 50_000, 10_000, 2_500, 500, 100] as const;

const short = (cents: number): string =>
  cents < 100 ? `${cents}¢` : cents >= 100_000 ? `${cents / 100_000}k` : `${cents / 100}`;

export function Chip({ cents, label }: { cents: number; label?: string }) {
  const value = VALUES.find((one) => one <= cents) ?? 0;
  return (
    <svg class={`chip chip-${value}`} viewBox="0 0 48 48" aria-hidden="true">
      <circle class="chip-body" cx="24" cy="24" r="23" />
      <circle class="chip-edge" cx="24" cy="24" r="19.500" />
      <circle class="chip-middle" cx="24" cy="24" r="15" />
      <text class="chip-label" x="24" y="24" text-anchor="middle" dominant-baseline="central">
        {label ?? short(cents)}
      </text>
    </svg>
  );
}

/** An amount as a pile of up to five chips with the amount in figures. */
export function Pile({ cents, silent = false }: { cents: number; silent?: boolean }) {
  const chips: number[] = [];
  let rest = cents;
  for (const value of VALUES) {
    while (rest >= value && chips.length < 5) {
      chips.push(value);
      rest -= value;
    }
  }
  return (
    <span class="pile" aria-hidden={silent ? "true" : undefined}>
      <span class="pile-chips" aria-hidden="true">
        {(chips.length ? chips : [cents]).map((value, at) => (
          <Chip key={at} cents={value} label="" />
        ))}
      </span>
      <span class="pile-amount">{money(cents)}</span>
    </span>
  );
}
