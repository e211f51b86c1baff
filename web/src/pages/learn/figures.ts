// Figures: exact figures as a learner reads them; it rounds for the eye alone.
import type { Http } from "../../generated/api";
import { decimal, t, type Text } from "../../texts";

export type Choice = "ride" | "withdraw";

const MINUS = "\u2212";

/** A figure with so many decimals and its sign: +0.1250, −0.4583. */
export function signedFigure(figure: Http.Exact, digits = 4): string {
  const size = decimal(Math.abs(figure.value), digits);
  return figure.value > 0 ? `+${size}` : figure.value < 0 ? `${MINUS}${size}` : "0";
}

/** A figure that has no sign: 8.5814. */
export function plainFigure(figure: Http.Exact, digits = 4): string {
  return figure.exact === "0" ? "0" : decimal(figure.value, digits);
}

/** The fraction itself, with a true minus. */
export function fraction(figure: Http.Exact): string {
  return figure.exact.replace("-", MINUS);
}

/** What the best decisions are called: one of them, or either. */
export function bestWords(best: readonly Choice[]): string {
  return best.length > 1 ? t("learn.either") : does(best[0] ?? "withdraw");
}

/** Whether an answer was right, and which would have been. */
export function verdict(judged: Http.DrillAnswered["judged"]): string {
  const best = bestWords(judged.advice.best);
  return t(judged.right ? "learn.right" : "learn.wrong", { best: best.charAt(0).toLowerCase() + best.slice(1) });
}

/** A decision in words. */
export function does(choice: Choice): string {
  return t(`learn.${choice}` as Text);
}
