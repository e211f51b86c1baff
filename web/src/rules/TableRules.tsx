// Table rules: what a player has to know of a table on one screen; the official rules with their clauses lie behind it.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Http } from "../generated/api";
import { ask, told } from "../net/api";
import { LimitsSign, PaysSign, type Signed } from "../pages/table/Signs";
import { Button } from "../parts/Button";
import { EdgeFigures } from "../parts/Edges";
import { t, type Text } from "../texts";
import { ruleTexts } from "../texts/rules";
import { Clauses } from "./Clauses";

/** The rules that players ask for, by what they are about; a table whose book says nothing of one does not show it. */
const ASKED: [Text, string[]][] = [
  ["house.bets", ["bet.cutoff", "bet.unequal", "bet.lone_side", "hands_per_player", "bet.media"]],
  ["house.decisions", ["decide.order", "decide.early_tuck", "cards.touch", "coach", "advice"]],
  ["house.wrong", ["irreg.absent", "irreg.exposed_one", "irreg.exposed_many", "irreg.exposed_community", "irreg.count_player", "irreg.count_dealer", "irreg.deck_count", "irreg.device_failure", "irreg.failure_dealt", "misdeal.effect", "limit.under_min", "limit.over_max"]],
  ["house.deck", ["device", "shuffle.by", "cut.who", "sitout.rounds_max", "dispute"]],
];

interface Known {
  book: Http.RulesText;
  sign: Signed;
  table: Http.Listed | undefined;
  edges: Http.Edge[];
}

export default function TableRules({ table: id }: { table: string }) {
  const known = useSignal<Known | null>(null);
  const trouble = useSignal("");
  const official = useSignal(false);
  useEffect(() => {
    const path = { table_id: id };
    Promise.all([
      ask("GET /api/tables/{table_id}/rules", { path }),
      ask("GET /api/tables/{table_id}/sign", { path }),
      ask("GET /api/tables"),
      ask("GET /api/edges"),
    ]).then(
      ([book, sign, tables, edges]) =>
        (known.value = {
          book,
          sign: sign as unknown as Signed,
          table: tables.find((one) => one.id === id),
          edges: edges.find((one) => one.table === id)?.edges ?? [],
        }),
      (error: unknown) => (trouble.value = told(error)),
    );
  }, [id]);
  if (trouble.value) return <p class="form-no" role="alert">{trouble.value}</p>;
  if (!known.value) return <p>{t("app.loading")}</p>;
  const { book, sign, table, edges } = known.value;
  return (
    <>
      <div class="house-ways">
        <Button aria-pressed={!official.value} onClick={() => (official.value = false)}>
          {t("house.short")}
        </Button>
        <Button aria-pressed={official.value} onClick={() => (official.value = true)}>
          {t("house.official")}
        </Button>
      </div>
      {official.value ? (
        <Clauses book={book} />
      ) : (
        <div class="house-rules">
          <section>
            <LimitsSign view={sign} />
            {table && <p class="small">{t("house.clock", { seconds: table.choice_seconds })}</p>}
          </section>
          <section class="house-pays">
            <PaysSign view={sign} />
          </section>
          <section>
            <h3>{t("edge.title")}</h3>
            <EdgeFigures edges={edges} />
          </section>
          {ASKED.map(([title, keys]) => (
            <Asked key={title} title={t(title)} book={book} keys={keys} />
          ))}
        </div>
      )}
    </>
  );
}

function Asked({ title, book, keys }: { title: string; book: Http.RulesText; keys: string[] }) {
  const every = book.chapters.flatMap((chapter) => chapter.rules);
  const rules = keys.flatMap((key) => every.filter((one) => one.key === key));
  if (!rules.length) return null;
  return (
    <section>
      <h3>{title}</h3>
      <dl class="house-list">
        {rules.map((one) => {
          const words = ruleTexts(one);
          return (
            <div key={one.key}>
              <dt class="small">{words.about}</dt>
              <dd>{words.says}</dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
