// Rulings: what went wrong at a real table, in a person's own words, and what the book rules; every ruling is the server's.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { PageProps } from "..";
import type { Http } from "../../generated/api";
import { ask } from "../../net/api";
import { bookTitle } from "../../state/titles";
import { t, type Text } from "../../texts";
import { Clauses, No, useAsked } from "../staff/parts";
import { finder } from "./find";
import { keepDesk } from "./keep";

const FIRST = 3;
const USUAL = "nsw-1";

export default function Rulings({ params }: PageProps) {
  const book = useSignal(params.book ?? USUAL);
  const books = useAsked(() => ask("GET /api/rulebooks"));
  const desk = useAsked(() => ask("GET /api/rulebooks/{ref}/rulings", { path: { ref: book.value } }), [book.value]);
  const typed = useSignal("");
  const taken = useSignal("");
  const found = desk.value.value;
  const find = useMemo(() => (found ? finder(found) : () => []), [found]);
  const kept = useSignal(false);
  useEffect(() => {
    if (found && books.value.value) void keepDesk().then((done) => (kept.value = done)).catch(() => undefined); // without a network it is kept already
  }, [found, books.value.value]);
  const fitting = find(typed.value).slice(0, FIRST);
  const every = found?.situations ?? [];
  const chosen = every.find((one) => one.id === taken.value) ?? fitting[0];
  return (
    <div class="page desk">
      <h1>{t("desk.rulings.title")}</h1>
      <p>{t("desk.rulings.about")}</p>
      <No>{desk.refused.value}</No>
      <div class="form desk-ask">
        <label>
          {t("desk.book")}
          <select value={book.value} onChange={(event) => (book.value = event.currentTarget.value)}>
            {(books.value.value ?? []).map((one) => (
              <option key={one.id} value={one.id}>
                {bookTitle(one.id)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t("desk.rulings.what")}
          <input
            type="search"
            maxLength={200}
            placeholder={t("desk.rulings.example")}
            value={typed.value}
            onInput={(event) => {
              typed.value = event.currentTarget.value;
              taken.value = "";
            }}
          />
        </label>
        <label>
          {t("desk.rulings.pick")}
          <select value={taken.value} onChange={(event) => (taken.value = event.currentTarget.value)}>
            <option value="">–</option>
            {every.map((one) => (
              <option key={one.id} value={one.id}>
                {one.title}
              </option>
            ))}
          </select>
        </label>
      </div>
      {typed.value && found && !fitting.length && <p role="status">{t("desk.rulings.nothing")}</p>}
      {fitting.length > 1 && !taken.value && (
        <p class="desk-others">
          {t("desk.rulings.others")}{" "}
          {fitting.slice(1).map((one) => (
            <button key={one.id} type="button" class="button button-quiet" onClick={() => (taken.value = one.id)}>
              {one.title}
            </button>
          ))}
        </p>
      )}
      {chosen && <Situation key={`${found?.book}/${chosen.id}`} one={chosen} />}
      {kept.value && <p class="small">{t("desk.rulings.kept")}</p>}
    </div>
  );
}

function Situation({ one }: { one: Http.SituationTold }) {
  const given = useSignal<Record<string, string>>({});
  const fits = (answer: Http.RulingAnswer, said: Record<string, string>): boolean => Object.entries(said).every(([name, id]) => answer.given[name] === id);
  const left = one.answers.filter((answer) => fits(answer, given.value));
  const answer = left[0];
  const decided = new Set(left.map((each) => each.ruling)).size === 1;
  return (
    <section class="staff-box" aria-label={one.title}>
      <h2>{one.title}</h2>
      {one.questions.map((question) => (
        <fieldset key={question.id} class="choices">
          <legend>{question.text}</legend>
          {question.choices.map((choice) => {
            const others = Object.fromEntries(Object.entries(given.value).filter(([name]) => name !== question.id));
            const can = one.answers.some((each) => each.given[question.id] === choice.id && fits(each, others));
            return (
              <label key={choice.id}>
                <input
                  type="radio"
                  name={question.id}
                  disabled={!can}
                  checked={given.value[question.id] === choice.id}
                  onChange={() => (given.value = { ...given.value, [question.id]: choice.id })}
                />
                {choice.text}
              </label>
            );
          })}
        </fieldset>
      ))}
      <div role="status">
        {!decided && <p>{t("desk.rulings.depends")}</p>}
        {decided && answer && <Ruling answer={answer} />}
      </div>
    </section>
  );
}

function Ruling({ answer }: { answer: Http.RulingAnswer }) {
  return (
    <>
      <p class="desk-ruling">{answer.ruling}</p>
      {answer.steps.length > 0 && (
        <>
          <h3>{t("desk.rulings.steps")}</h3>
          <p class="small">{t("desk.rulings.sample")}</p>
          <ol>
            {answer.steps.map((step, at) => (
              <li key={at}>
                {t(`role.${step.actor}` as Text)}: {step.text}
              </li>
            ))}
          </ol>
        </>
      )}
      <h3>{t("desk.rulings.wagers")}</h3>
      <dl class="desk-list">
        {answer.wagers.map((wager) => (
          <div key={wager.wager}>
            <dt>{wager.wager}</dt>
            <dd>{wager.effect}</dd>
          </div>
        ))}
      </dl>
      <h3>{t("desk.rulings.clauses")}</h3>
      <Clauses clauses={answer.clauses} none={t("desk.default")} />
      <h3>{t("desk.rulings.elsewhere")}</h3>
      <dl class="desk-list">
        {answer.elsewhere.map((other) => (
          <div key={other.book}>
            <dt>{bookTitle(other.book)}</dt>
            <dd>{other.ruling}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
