// Instructor: sets people drills, and shows what came of them.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { PageProps } from "../..";
import type { Http } from "../../../generated/api";
import { ask, told } from "../../../net/api";
import { Button } from "../../../parts/Button";
import { say } from "../../../parts/Toast";
import { me } from "../../../state/session";
import { moment, t, type Text } from "../../../texts";
import { AssignForm } from "./AssignForm";
import { drillWords } from "./names";

export default function Instructor(_: PageProps) {
  const set = useSignal<Http.AssignmentTold[] | null>(null);
  const results = useSignal<Http.Result[]>([]);
  const trouble = useSignal("");
  const person = useSignal("");

  async function look(): Promise<void> {
    trouble.value = "";
    try {
      const query = { person: person.value || undefined };
      set.value = await ask("GET /api/learn/assignments", { query });
      results.value = (await ask("GET /api/learn/assignments/results", { query })).slice(-50).reverse();
    } catch (error) {
      trouble.value = told(error);
    }
  }

  useEffect(() => void look(), [me.value?.name]);

  async function takeBack(id: string): Promise<void> {
    try {
      await ask("DELETE /api/learn/assignments/{assignment}", { path: { assignment: id } });
      say(t("instructor.taken_back"));
    } catch (error) {
      say(told(error), "trouble");
    }
    await look();
  }

  return (
    <div class="page learn">
      <div class="lesson-head">
        <h1>{t("instructor.title")}</h1>
        <nav class="lesson-nav" aria-label={t("learn.nav")}>
          <a href="/learn">{t("learn.title")}</a>
        </nav>
      </div>
      {trouble.value && (
        <p class="form-no" role="alert">
          {trouble.value}
        </p>
      )}
      {set.value && (
        <>
          <section class="learn-part" aria-labelledby="instructor-set">
            <h2 id="instructor-set">{t("instructor.set")}</h2>
            <AssignForm onSet={() => void look()} />
          </section>
          <form
            class="instructor-whose"
            onSubmit={(event) => {
              event.preventDefault();
              void look();
            }}
          >
            <label>
              <span>{t("instructor.whose")}</span>
              <input value={person.value} maxLength={64} onInput={(event) => (person.value = event.currentTarget.value)} />
            </label>
            <Button type="submit">{t("instructor.show")}</Button>
          </form>
          <section class="learn-part" aria-labelledby="instructor-assignments">
            <h2 id="instructor-assignments">{t("instructor.assignments")}</h2>
            <AssignmentRows set={set.value} onTakeBack={(id) => void takeBack(id)} />
          </section>
          <section class="learn-part" aria-labelledby="instructor-results">
            <h2 id="instructor-results">{t("instructor.results")}</h2>
            <ResultRows results={results.value} />
          </section>
        </>
      )}
    </div>
  );
}

function Rows({ columns, children }: { columns: Text[]; children: ComponentChildren }) {
  return (
    <div class="wide">
      <table class="rows">
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {t(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function AssignmentRows({ set, onTakeBack }: { set: Http.AssignmentTold[]; onTakeBack: (id: string) => void }) {
  if (!set.length) return <p>{t("app.none")}</p>;
  return (
    <Rows columns={["instructor.person", "learn.what", "staffdrill.level", "instructor.due", "instructor.attempts", "instructor.best", "instructor.act"]}>
      {set.map((one) => (
        <tr key={one.id}>
          <th scope="row">{one.person}</th>
          <td>
            {drillWords(one.drill)} {one.note && <span class="small">{one.note}</span>}
          </td>
          <td class="number">{one.level}</td>
          <td class={one.late ? "assign-late" : ""}>{one.due_ms ? moment(one.due_ms) : t("instructor.whenever")}</td>
          <td class="number">{one.attempts}</td>
          <td class="number">{one.best_score === null ? t("instructor.not_done") : `${one.best_score}%`}</td>
          <td>
            <Button kind="danger" onClick={() => onTakeBack(one.id)}>
              {t("instructor.take_back")}
            </Button>
          </td>
        </tr>
      ))}
    </Rows>
  );
}

function ResultRows({ results }: { results: Http.Result[] }) {
  if (!results.length) return <p>{t("app.none")}</p>;
  const figure = (one: Http.Result, name: string): string => String(one.details[name] ?? "");
  return (
    <Rows columns={["instructor.person", "learn.what", "learn.when", "learn.score", "staffdrill.catches", "staffdrill.misses", "staffdrill.false_alarms"]}>
      {results.map((one) => (
        <tr key={`${one.person} ${one.drill} ${one.finished_ms}`}>
          <th scope="row">{one.person}</th>
          <td>{drillWords(one.drill)}</td>
          <td>{moment(one.finished_ms)}</td>
          <td class="number">{one.score}%</td>
          <td class="number">{figure(one, "catches")}</td>
          <td class="number">{figure(one, "misses")}</td>
          <td class="number">{figure(one, "false_alarms")}</td>
        </tr>
      ))}
    </Rows>
  );
}
