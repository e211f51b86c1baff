// Spot: one place for a wager on the felt: its mark, the chips on it, and chips that leave it.
import { useEffect, useRef, useState } from "preact/hooks";
import type { SeatView } from "../../generated/api";
import { Pile } from "../../parts/Chip";
import { betName, t } from "../../texts";
import { asked } from "./about";
import { drag } from "./drag";
import { isBase, type SpotLook } from "./spots";

export interface SpotProps {
  name: string;
  look: SpotLook;
  cents: number;
  /** Whether the chips are only being thought of. */
  draft?: boolean;
  result?: SeatView["results"][number] | undefined;
  lamp?: boolean;
  onClick?: (() => void) | undefined;
  /** Takes the bet off its spot: a small button beside it. */
  onRemove?: (() => void) | undefined;
  /** What a bet does that is dragged off every spot. */
  onDragOff?: (() => void) | undefined;
  hint?: string;
}

const LEAVING_MS = 700;

export function Spot({ name, look, cents, draft = false, result, lamp = false, onClick, onRemove, onDragOff, hint }: SpotProps) {
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
  const inside = (
    <>
      <span class="spot-mark" aria-hidden={onClick ? undefined : "true"}>
        {look.mark}
      </span>
      {cents > 0 && <Pile cents={cents} silent={!onClick} />}
      {leaving && (
        <span class={`spot-leaving to-${leaving.to}`} aria-hidden="true">
          <Pile cents={leaving.cents} silent />
        </span>
      )}
    </>
  );
  const looks = `spot spot-${look.kind} ${draft ? "is-draft" : ""} ${won ? "is-won" : ""} ${lamp ? "is-lit" : ""} ${cents ? "has-chips" : ""}`;
  const size = { "--letters": String(Math.max(look.mark.length, 2)) };
  const title = [look.about, hint].filter(Boolean).join(" ") || undefined;
  if (!onClick) {
    return (
      <span class={looks} style={size} data-spot={name} title={title}>
        {inside}
      </span>
    );
  }
  return (
    <span class="spot-held">
      <button
        type="button"
        class={looks}
        style={size}
        data-spot={name}
        onFocus={() => (asked.value = name)}
        onClick={() => {
          asked.value = name;
          onClick();
        }}
        onPointerDown={(event) => cents > 0 && onDragOff && drag(event, (spot) => !spot && onDragOff())}
        title={title}
        aria-label={`${betName(name)}: ${hint ?? ""}`}
      >
        {inside}
      </button>
      {onRemove && (
        <button type="button" class="spot-remove" aria-label={t("bet.remove", { bet: isBase(name) ? t("bet.base.all") : betName(name) })} onClick={onRemove}>
          ×
        </button>
      )}
    </span>
  );
}
