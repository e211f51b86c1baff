// Chips: buying chips, sitting out, leaving with what one has, and calling the floor; only what the view offers.
import { useSignal } from "@preact/signals";
import { Button } from "../../../parts/Button";
import { Drawer } from "../../../parts/Drawer";
import { say } from "../../../parts/Toast";
import { me, refresh } from "../../../state/session";
import { AMOUNT, betName, centsOf, money, roleName, t } from "../../../texts";
import { betsOf, concernsOf } from "../disputed";
import { useFocusBack } from "../focus";
import { Bots } from "../Bots";
import type { Game } from "../game";
import { refill } from "../money";
import { isPoor } from "../SitDown";
import { Vouchers } from "./Vouchers";

export function Chips({ game, open, onClose }: { game: Game; open: boolean; onClose: () => void }) {
  const amount = useSignal("100");
  const about = useSignal("");
  const wager = useSignal("");
  const disputed = useSignal("");
  const seat = game.seat.value;
  const mine = game.mine.value;
  useFocusBack(open);
  if (!mine) return null;
  const out = game.offer("SitOut");
  const dispute = game.view.value?.disputes.find((one) => one.player === mine.player);

  const last = game.view.value?.round ?? 0;
  const round = game.disputed.value || last;

  async function buy(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const cents = centsOf(amount.value) ?? 0;
    const answer = await game.act({ type: "BuyChips", seat, cents });
    if (answer.accepted) say(t("chips.bought", { amount: money(cents) }));
    void refresh().catch(() => undefined);
  }
  async function leave(): Promise<void> {
    const { stack_cents: stack, tokens_cents: tokens } = mine!;
    const answer = await game.act({ type: "Leave", seat });
    if (!answer.accepted) return;
    onClose();
    say(tokens ? t("chips.left.tokens", { amount: money(stack), tokens: money(tokens) }) : t("chips.left", { amount: money(stack) }));
    void refresh().catch(() => undefined);
  }
  async function complain(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const bet = { round, wager: wager.value, cents: centsOf(disputed.value) ?? 0 };
    const answer = await game.act({ type: "RaiseDispute", seat, about: about.value, ...(round ? { concerns: bet } : {}) });
    if (answer.accepted) say(t("chips.complained"));
  }

  return (
    <Drawer title={t("chips.title")} open={open} onClose={onClose}>
      <section class="drawer-part">
        {game.own.value.length > 1 && (
          <div class="drawer-ways" role="group" aria-label={t("rail.hands")}>
            {game.own.value.map((number) => (
              <Button key={number} aria-pressed={number === seat} onClick={() => game.pick(number)}>
                {t("rail.hand", { seat: number })}
              </Button>
            ))}
          </div>
        )}
        <p>{t("chips.have", { stack: money(mine.stack_cents), wallet: money(me.value?.wallet_cents ?? 0) })}</p>
        {mine.tokens_cents > 0 && <p>{t("chips.tokens", { tokens: money(mine.tokens_cents) })}</p>}
        {isPoor(game.view.value!, me.value?.wallet_cents ?? 0) && <Button onClick={() => void refill()}>{t("wallet.more")}</Button>}
        <form class="form" onSubmit={(event) => void buy(event)}>
          <label>
            {t("chips.buy")}
            <input inputMode="decimal" pattern={AMOUNT} value={amount.value} onInput={(event) => (amount.value = event.currentTarget.value)} />
          </label>
          <Button type="submit" disabled={game.busy.value}>
            {t("chips.buy.do")}
          </Button>
        </form>
      </section>
      <Vouchers game={game} open={open} />
      <section class="drawer-part drawer-ways">
        {out && (
          <Button onClick={() => void game.act({ type: "SitOut", seat, out: out.out ?? true })}>
            {out.out ? t("chips.out") : t("rail.in")}
          </Button>
        )}
        <Button kind="danger" disabled={!game.offer("Leave") || game.busy.value} onClick={() => void leave()}>
          {t("chips.leave", { amount: money(mine.stack_cents) })}
        </Button>
        {!game.offer("Leave") && <p class="small">{t("chips.leave.later")}</p>}
        <p class="small">{t(game.view.value?.absent === "withdraw" ? "chips.away.withdraw" : "chips.away.ride")}</p>
      </section>
      <Bots game={game} />
      <details class="drawer-part" open={game.disputed.value > 0}>
        <summary>
          <h3>{t("chips.wrong")}</h3>
        </summary>
        {dispute ? (
          <>
            {dispute.concerns && <p class="small">{concernsOf(dispute.concerns)}</p>}
            <p>{t("chips.dispute", { about: dispute.about, by: roleName(dispute.heard_by[0] ?? "") })}</p>
            {dispute.decisions?.map((one) => <p key={one}>{one}</p>)}
            {game.offer("AppealDispute") && (
              <Button onClick={() => void game.act({ type: "AppealDispute", seat })}>{t("chips.appeal")}</Button>
            )}
          </>
        ) : (
          <form class="form" onSubmit={(event) => void complain(event)}>
            {last > 0 && (
              <label>
                {t("chips.dispute.round")}
                <input
                  type="number"
                  min={1}
                  max={last}
                  required
                  value={round}
                  onInput={(event) => (game.disputed.value = Number(event.currentTarget.value))}
                />
              </label>
            )}
            {last > 0 && (
              <label>
                {t("chips.dispute.bet")}
                <select value={wager.value} onChange={(event) => (wager.value = event.currentTarget.value)}>
                  <option value="">{t("chips.dispute.anybet")}</option>
                  {betsOf(game.view.value!).map((spot) => (
                    <option key={spot} value={spot}>
                      {betName(spot)}
                    </option>
                  ))}
                </select>
              </label>
            )}
            {last > 0 && (
              <label>
                {t("chips.dispute.amount")}
                <input inputMode="decimal" pattern={AMOUNT} value={disputed.value} onInput={(event) => (disputed.value = event.currentTarget.value)} />
              </label>
            )}
            <label>
              {t("chips.about")}
              <textarea required maxLength={300} value={about.value} onInput={(event) => (about.value = event.currentTarget.value)} />
            </label>
            <Button type="submit">{t("chips.complain")}</Button>
          </form>
        )}
      </details>
    </Drawer>
  );
}
