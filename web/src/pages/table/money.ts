// Money: fees that the sign tells, and getting chips to go on with; the table says what is taken.
import type { View } from "../../generated/api";
import { told } from "../../net/api";
import { say } from "../../parts/Toast";
import { me, playChips, refresh } from "../../state/session";
import { money, t } from "../../texts";
import type { Game, Wagers } from "./game";
import { sumOf } from "./sums";
import { buyIn, isPoor } from "./SitDown";

/** The fee for wagers, as the sign says. */
export const feeFor = (view: View, wagers: Wagers): number =>
  (view.sign.fee?.wager_cents ?? 0) * Object.values(wagers).filter((cents) => cents > 0).length;

/** What wagers come to, with the fee where there is one. */
export function withFee(view: View, wagers: Wagers): string {
  const fee = feeFor(view, wagers);
  return fee ? t("bet.with-fee", { amount: money(sumOf(wagers)), fee: money(fee) }) : money(sumOf(wagers));
}

/** Get play chips from the house, and say what it gave; whether it gave any. */
export async function refill(): Promise<boolean> {
  const before = me.peek()?.wallet_cents ?? 0;
  try {
    const after = (await playChips())?.wallet_cents ?? before;
    say(t("wallet.given", { amount: money(after - before), wallet: money(after) }));
    return after > before;
  } catch (error) {
    say(told(error), "trouble");
    return false;
  }
}

/** Buy chips at the player's seat for some rounds, with play chips of the house's where the wallet is too small for one. */
export async function buyMore(game: Game): Promise<void> {
  const view = game.view.value;
  if (!view) return;
  if (isPoor(view, me.peek()?.wallet_cents ?? 0) && !(await refill())) return;
  const cents = buyIn(view, me.peek()?.wallet_cents ?? 0);
  const answer = await game.act({ type: "BuyChips", seat: game.seat.value, cents });
  if (answer.accepted) say(t("chips.bought", { amount: money(cents) }));
  await refresh().catch(() => undefined);
}
