// Kept: what the server keeps as English text, in the words of the page: why a deck is void, what a voucher is for.
import { hasText, t, type Text } from ".";
import { LOST, VOID_REASONS } from "../generated/kept";
import type { Http } from "../generated/api";
import type { Problem } from "../net/fair";

/** Why a deck is void; a reason that the house worded itself comes as it is. */
export function voidReason({ reason = "", unrevealed }: { reason?: string; unrevealed: readonly number[] }): string {
  const code = VOID_REASONS[reason.replace(LOST, "")] ?? (unrevealed.length ? "silent" : "");
  const key = `void.${code}`;
  return hasText(key) ? t(key as Text, { seats: unrevealed.join(", ") } as never) : reason;
}

/** What is wrong with a proof, one thing after the other. */
export const proofFaults = (found: readonly Problem[]): string =>
  found.map(({ code, seat = 0 }) => t(`proofs.fault.${code}` as Text, { seat } as never)).join("; ");

/** What a voucher is for: of tokens or coupons held on leaving in our words, otherwise in the house's. */
export const voucherWhy = (one: Http.VoucherShown): string => (one.left && one.into !== "chips" ? t(`voucher.left.${one.into}`) : byHouse(one.why));

/** What the staff typed, in the language they typed it in. */
const byHouse = (words: string): string => t("house.writes", { words });
