// Reminder: how long one has been playing, with the two ways on: keep playing, or leave; the server says when.
import { ask, told } from "../../net/api";
import { Button } from "../../parts/Button";
import { Drawer } from "../../parts/Drawer";
import { say } from "../../parts/Toast";
import { refresh } from "../../state/session";
import { money, t } from "../../texts";
import type { Game } from "./game";

export function Reminder({ game }: { game: Game }) {
  const due = game.reminder.value;
  const chips = game.mine.value?.stack_cents ?? 0;
  const close = (): void => void (game.reminder.value = null);

  async function goOn(): Promise<void> {
    const held = due?.held ?? [];
    try {
      await ask("POST /api/me/limits/reminder");
    } catch (error) {
      return say(told(error), "trouble");
    }
    close();
    for (const one of held) {
      if (one.type === "PlaceWagers") await game.place(one.wagers ?? {}, one.seat);
      else await game.act(one);
    }
  }

  async function leave(): Promise<void> {
    const answer = await game.act({ type: "Leave", seat: game.seat.value });
    if (!answer.accepted) return;
    close();
    say(t("chips.left", { amount: money(chips) }));
    void refresh();
  }

  return (
    <Drawer title={t("reminder.title")} place="middle" open={due !== null} onClose={close}>
      <p>{t("reminder.played", { minutes: due?.minutes ?? 0 })}</p>
      <div class="drawer-ways">
        <Button kind="main" class="big" disabled={game.busy.value} onClick={() => void goOn()}>
          {t("reminder.go-on")}
        </Button>
        {game.seat.value > 0 && (
          <Button class="big" disabled={!game.offer("Leave") || game.busy.value} onClick={() => void leave()}>
            {t("chips.leave", { amount: money(chips) })}
          </Button>
        )}
      </div>
    </Drawer>
  );
}
