// Spot: one place for a wager on the felt: its mark, the chips on it, and chips that leave it.
import { useEffect, useRef, useState } from "preact/hooks";
import type { SeatView } from "../../generated/api";
import { Pile } from "../../parts/Chip";
import { t, type Text } from "../../texts";
import type { WagerName } from "./game";

const MARKS: Record<string, string> = { bonus: "$1", three_card: "3CB", cover_all: "CA" };
export const markOf = (name: WagerName): string => MARKS[name] ?? name.replace("base-", "");

export interface SpotProps {
  name: WagerName;
  cents: number;
  /** Whether the chips are only being thought of. */
  draft?: boolean;
  result?: SeatView["results"][number] | undefined;
  lamp?: boolean;
  onClick?: (() => void) | undefined;
  hint?: string;
}

const LEAVING_MS = 700;

export function Spot({ name, cents, draft = false, result, lamp = false, onClick, hint }: SpotProps) {
  const before = useRef(cents);
  const [leaving, setLeaving] = useState<{ cents: number; to: "house" | "player" } | null>(null);
  useEffect(() => {
    const was = before.current;
    before.current = cents;
    if (was <= cents || draft) return undefined;
    setLeaving({ cents: was, to: result?.fate === "lost" || result?.fate === "forfeited" ? "house" : "player" });
    const timer = setTimeout(() => setLeaving(null), LEAVING_MS);
    return () => clearTimeout(timer);
  }, [cents]);
  const won = result?.fate === "won";
  const kind = name.startsWith("base") ? "base" : name;
  const inside = (
    <>
      <span class="spot-mark" aria-hidden={onClick ? undefined : "true"}>
        {markOf(name)}
      </span>
      {cents > 0 && <Pile cents={cents} silent={!onClick} />}
      {leaving && (
        <span class={`spot-leaving to-${leaving.to}`} aria-hidden="true">
          <Pile cents={leaving.cents} silent />
        </span>
      )}
    </>
  );
  const look = `spot spot-${kind} ${draft ? "is-draft" : ""} ${won ? "is-won" : ""} ${lamp ? "is-lit" : ""} ${cents ? "has-chips" : ""}`;
  if (!onClick) return <span class={look}>{inside}</span>;
  return (
    <button type="button" class={look} onClick={onClick} title={hint} aria-label={`${t(`wager.${name}` as Text)}: ${hint ?? ""}`}>
      {inside}
    </button>
  );
}
