// Clauses: the official rules in force at a table by chapters, each with where it comes from and its clauses.
import { useSignal } from "@preact/signals";
import type { Http } from "../generated/api";
import { hasText, language, t, type Text } from "../texts";
import { ruleTexts } from "../texts/rules";

export function Clauses({ book }: { book: Http.RulesText }) {
  const looked = useSignal("");
  const wanted = looked.value.trim().toLowerCase();
  const fits = (one: Http.RuleText): boolean =>
    `${one.key} ${Object.values(ruleTexts(one)).join(" ")} ${one.clauses.map((clause) => clause.id).join(" ")}`.toLowerCase().includes(wanted);
  const chapters = book.chapters
    .map((chapter) => ({ ...chapter, rules: chapter.rules.filter(fits) }))
    .filter((chapter) => chapter.rules.length);
  const many = chapters.reduce((sum, chapter) => sum + chapter.rules.length, 0);
  return (
    <>
      <p lang="en">
        <b>{book.title}</b>
        {book.edition && <>, {book.edition}</>}
      </p>
      <label class="form">
        {t("rules.look")}
        <input type="search" value={looked.value} onInput={(event) => (looked.value = event.currentTarget.value)} />
      </label>
      <p class="small" role="status">
        {t("rules.found", { many })}
      </p>
      {chapters.map((chapter) => (
        <details key={chapter.title} class="drawer-part" open={wanted !== ""}>
          <summary>
            <h3>{hasText(`chapter.${chapter.name}`) ? t(`chapter.${chapter.name}` as Text) : chapter.title}</h3>
          </summary>
          <ul class="rule-list">
            {chapter.rules.map((one) => (
              <Rule key={one.key} rule={one} />
            ))}
          </ul>
        </details>
      ))}
    </>
  );
}

function Rule({ rule }: { rule: Http.RuleText }) {
  const words = ruleTexts(rule);
  const isQuoted = rule.note || rule.departs_from.length > 0 || rule.clauses.length > 0;
  return (
    <li>
      <p class="small">{words.about}</p>
      <p class="rule-says">{words.says}</p>
      <p class="small">{words.origin}</p>
      {isQuoted && language.value === "en" && <Source rule={rule} />}
      {isQuoted && language.value !== "en" && (
        <details>
          <summary class="small">{t("rules.source")}</summary>
          <div lang="en">
            <Source rule={rule} />
          </div>
        </details>
      )}
    </li>
  );
}

/** The note of the book and the clauses behind a rule: sources are cited in their own language. */
function Source({ rule }: { rule: Http.RuleText }) {
  return (
    <>
      {rule.note && <p class="small">{rule.note}</p>}
      {rule.departs_from.map((clause) => (
        <p key={clause.id} class="rule-clause rule-departs">
          {t("rules.departs")} <code>{clause.id}</code> {clause.demand}
        </p>
      ))}
      {rule.clauses.map((clause) => (
        <p key={clause.id} class="rule-clause">
          <code>{clause.id}</code> {clause.demand}
        </p>
      ))}
    </>
  );
}
