// Rules: the rule book in force at this table, key by key, with where each comes from and its clauses.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Http } from "../../../generated/api";
import { ask, told } from "../../../net/api";
import { hasText, t, type Text } from "../../../texts";
import type { Game } from "../game";

export default function Rules({ game }: { game: Game }) {
  const id = game.view.value?.book ?? "";
  const book = useSignal<Http.BookInFull | null>(null);
  const trouble = useSignal("");
  const looked = useSignal("");
  useEffect(() => {
    ask("GET /api/rulebooks/{ref}", { path: { ref: id } }).then(
      (found) => (book.value = found),
      (error: unknown) => (trouble.value = told(error)),
    );
  }, [id]);
  if (trouble.value) return <p class="form-no">{trouble.value}</p>;
  if (!book.value) return <p>{t("app.loading")}</p>;
  const wanted = looked.value.trim().toLowerCase();
  const keys = book.value.keys.filter(
    (one) => one.applies && `${one.key} ${one.words} ${one.clauses.join(" ")}`.toLowerCase().includes(wanted),
  );
  const groups = Map.groupBy(keys, (one) => one.key.split(".")[0] ?? "");
  return (
    <>
      <p>
        <b>{book.value.title}</b>
        {book.value.edition && <>, {book.value.edition}</>}
      </p>
      <label class="form">
        {t("rules.look")}
        <input type="search" value={looked.value} onInput={(event) => (looked.value = event.currentTarget.value)} />
      </label>
      <p class="small" role="status">
        {t("rules.found", { many: keys.length })}
      </p>
      {[...groups].map(([group, rows]) => (
        <details key={group} class="drawer-part" open={wanted !== ""}>
          <summary>
            <h3>{hasText(`rules.${group}`) ? t(`rules.${group}` as Text) : group.replaceAll("_", " ")}</h3>
          </summary>
          <dl class="rule-list">
            {rows.map((one) => (
              <div key={one.key}>
                <dt>{one.words}</dt>
                <dd>
                  <b>{valueOf(one.value)}</b>
                  <span class="small">
                    {t(`origin.${one.source}` as Text)}
                    {one.clauses.length > 0 && <> · {one.clauses.join(", ")}</>}
                  </span>
                </dd>
              </div>
            ))}
          </dl>
        </details>
      ))}
    </>
  );
}

function valueOf(value: unknown): string {
  if (value === true) return t("rules.yes");
  if (value === false) return t("rules.no");
  if (value === null || value === undefined) return t("app.none");
  if (Array.isArray(value)) return value.map(valueOf).join(", ");
  if (typeof value === "object") return Object.entries(value).map(([name, one]) => `${name}: ${valueOf(one)}`).join(", ");
  return String(value).replaceAll("_", " ");
}
