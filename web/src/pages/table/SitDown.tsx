// Sit down: a seat and an amount of chips to take there.
import type { Signal } from "@preact/signals";
import { useSignal } from "@preact/signals";
import type { View } from "../../generated/api";
import { Button } from "../../parts/Button";
import { Drawer } from "../../parts/Drawer";
import { me, refresh } from "../../state/session";
import { AMOUNT, centsOf, money, t, typedDollars } from "../../texts";
import type { Game } from "./game";
import { refill } from "./money";

const ROUNDS = 20;

/** Whether a wallet is too small for one round at the least bets. */
export const isPoor = (view: View, wallet: number): boolean => wallet < view.sign.round_cents_min;

/** Chips for some rounds at the least bets, as far as the wallet goes. */
export function buyIn(view: View, wallet: number): number {
  return Math.max(0, Math.min(wallet, Math.max(view.sign.round_cents_min * ROUNDS, 10_000)));
}

export function SitDown({ game, seat }: { game: Game; seat: Signal<number> }) {
  const amount = useSignal("");
  const wallet = me.value?.wallet_cents ?? 0;
  const suggested = game.view.value ? buyIn(game.view.value, wallet) : 0;
  async function sit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const cents = amount.value ? (centsOf(amount.value) ?? 0) : suggested;
    const answer = await game.act({ type: "Sit", seat: seat.value, player: "", cents });
    if (answer.accepted) {
      seat.value = 0;
      void refresh().catch(() => undefined);
    }
  }
  return (
    <Drawer title={t("sit.title", { seat: seat.value })} place="middle" open={seat.value > 0} onClose={() => (seat.value = 0)}>
      <form class="form" onSubmit={(event) => void sit(event)}>
        <p>{t("sit.wallet", { wallet: money(wallet) })}</p>
        {game.view.value && isPoor(game.view.value, wallet) && (
          <Button onClick={() => void refill()}>{t("wallet.more")}</Button>
        )}
        <label>
          {t("sit.amount")}
          <input
            inputMode="decimal"
            pattern={AMOUNT}
            value={amount.value || typedDollars(suggested)}
            onInput={(event) => (amount.value = event.currentTarget.value)}
          />
        </label>
        <Button kind="main" class="big" type="submit" disabled={game.busy.value}>
          {t("sit.do")}
        </Button>
      </form>
    </Drawer>
  );
}
