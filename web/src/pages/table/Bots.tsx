// Bots: one more or one fewer player of the house's at the table where the player sits; how many may come the table says.
import { ask, told } from "../../net/api";
import { Button } from "../../parts/Button";
import { say } from "../../parts/Toast";
import { t } from "../../texts";
import type { Game } from "./game";

/** Ask for one more bot, or one fewer. */
async function change(game: Game, more: boolean): Promise<void> {
  try {
    const path = { table_id: game.line.id };
    const { bots } = await (more ? ask("POST /api/tables/{table_id}/bots", { path }) : ask("DELETE /api/tables/{table_id}/bots", { path }));
    say(t(more ? "bots.comes" : "bots.goes", { bots }));
  } catch (error) {
    say(told(error), "trouble");
  }
}

export function Bots({ game }: { game: Game }) {
  const { bots = 0, bots_max: most = 0 } = game.line.standing.value ?? {};
  if (!game.seat.value || !most) return null;
  return (
    <section class="drawer-part" aria-labelledby="bots">
      <h3 id="bots">{t("bots.title")}</h3>
      <p class="small">{t("bots.now", { bots })}</p>
      <div class="drawer-ways">
        <Button disabled={bots >= most} onClick={() => void change(game, true)}>
          {t("bots.add")}
        </Button>
        <Button disabled={!bots} onClick={() => void change(game, false)}>
          {t("bots.remove")}
        </Button>
      </div>
    </section>
  );
}

/** The same in the bar of the table, where a player looks who waits for company. */
export const addBot = (game: Game): Promise<void> => change(game, true);

export function mayAddBot(game: Game): boolean {
  const { bots = 0, bots_max: most = 0 } = game.line.standing.value ?? {};
  return game.seat.value > 0 && bots < most;
}
