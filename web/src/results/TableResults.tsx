// Table results: a person's statistics beside the table, kept up to date with each round, and the way to all their rounds.
import { ButtonLink } from "../parts/Button";
import type { Game } from "../pages/table/game";
import { me } from "../state/session";
import { t } from "../texts";
import { Statistics } from "./Statistics";

export default function TableResults({ game }: { game: Game }) {
  const view = game.view.value;
  const over = view ? view.round - Number(view.round_running) : 0;
  return (
    <>
      <Statistics key={me.value?.name ?? ""} table={game.line.id} latest={String(over)} />
      <ButtonLink href="/results">{t("results.all")}</ButtonLink>
    </>
  );
}
