// Panel: the coach opened: when it speaks, advice for the decision at hand, and how the last round was decided.
import { useEffect, useMemo } from "preact/hooks";
import type { Http } from "../generated/api";
import type { Connection } from "../net/table";
import { t } from "../texts";
import { Advice } from "./Advice";
import { judged } from "./advisor";
import { follow } from "./session";

export default function Panel({ table }: { table: Connection }) {
  const session = useMemo(() => follow(table), [table]);
  useEffect(() => () => session.end(), [session]);
  const rounds = session.rounds.value;
  const last = rounds.filter((one) => one.round === rounds.at(-1)?.round); // each hand of the last round
  return (
    <div class="coach">
      <Advice table={table} />
      {last.map((one) => (
        <LastRound key={one.seat} round={one} hands={last.length} />
      ))}
    </div>
  );
}

function LastRound({ round, hands }: { round: Http.RoundReviewed; hands: number }) {
  if (!round.decisions.length) return null;
  const title = t("coach.last", { round: round.round }) + (hands > 1 ? ` · ${t("rail.hand", { seat: round.seat })}` : "");
  return (
    <section class="coach-last" aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {round.decisions.map((one) => (
          <li key={one.bet} class={one.best && !one.even && one.best !== one.chosen ? "is-bad" : ""}>
            {judged(one)}
          </li>
        ))}
      </ul>
    </section>
  );
}
