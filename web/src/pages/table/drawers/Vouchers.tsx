// Vouchers: redeeming a voucher of the house at the player's seat, where the table takes them; the server says which are good.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Http } from "../../../generated/api";
import { ask } from "../../../net/api";
import { Button } from "../../../parts/Button";
import { say } from "../../../parts/Toast";
import { money, t } from "../../../texts";
import { voucherWhy } from "../../../texts/kept";
import type { Game } from "../game";

export function Vouchers({ game, open }: { game: Game; open: boolean }) {
  const found = useSignal<Http.VoucherShown[]>([]);
  const media = game.view.value?.sign.bet_media ?? [];
  const taken = media.includes("vouchers") || media.includes("match_play");
  const load = (): Promise<void> => ask("GET /api/me/vouchers").then((all) => void (found.value = all)).catch(() => undefined);
  useEffect(() => void (open && taken && load()), [open, taken]);
  const good = found.value.filter((one) => media.includes(one.into) && (media.includes("vouchers") || one.into === "match_play") && one.redeemed_at === null && (!one.until_ms || one.until_ms > Date.now()));
  if (!taken || !good.length) return null;

  async function redeem(one: Http.VoucherShown): Promise<void> {
    const { id: voucher, cents, into } = one;
    const answer = await game.act({ type: "ExchangeVoucher", seat: game.seat.value, voucher, cents, into });
    if (answer.accepted) say(t(`voucher.done.${into}`, { amount: money(cents) }));
    await load();
  }

  return (
    <section class="drawer-part">
      <h3>{t("voucher.title")}</h3>
      {good.map((one) => (
        <p key={one.id}>
          <Button disabled={game.busy.value} onClick={() => void redeem(one)}>
            {t(`voucher.redeem.${one.into}`, { amount: money(one.cents) })}
          </Button>{" "}
          <span class="small">{voucherWhy(one)}</span>
        </p>
      ))}
    </section>
  );
}
