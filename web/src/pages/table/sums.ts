// Sums: what wagers, tokens, coupons and results of a hand add up to; it keeps nothing.
import type { SeatView } from "../../generated/api";
import { money, t, type Text } from "../../texts";
import type { Wagers } from "./game";

export const sumOf = (wagers: Wagers): number => Object.values(wagers).reduce((sum, one) => sum + (one ?? 0), 0);
/** The promotional tokens one has, those on the spots counted. */
export const tokensOf = (mine: SeatView): number => mine.tokens_cents + (mine.medium === "tokens" ? sumOf(mine.wagers) : 0);
/** The match-play coupons one has, the one beside the third bet counted. */
export const couponsOf = (mine: SeatView): number => (mine.coupons_cents ?? 0) + (mine.coupon?.fate === "laid" ? mine.coupon.cents : 0);
/** What wagers and the fee come to; a void round gives the fee back. */
export const netOf = (lines: SeatView["results"], fee: number): number =>
  lines.reduce((sum, one) => sum + (one.paid_cents ?? 0) + (one.back_cents ?? 0) - one.stake_cents, -fee);
/** What happened to a wager, in a word or two; one that was lost may be paid envy for another player's hand. */
export const fateOf = (one: { fate: string; paid_cents?: number }): string =>
  one.fate === "lost" && one.paid_cents ? t("fate.envy", { amount: money(one.paid_cents) }) : t(`fate.${one.fate}` as Text);
export const feeOf = (lines: SeatView["results"], fee: number): number => (lines.every((one) => one.fate === "void") ? 0 : fee);
