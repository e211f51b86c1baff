// AssignForm: whom, which drill, from which level, until when.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Http } from "../../../generated/api";
import { BASE } from "../../../generated/wagers";
import { ask, told } from "../../../net/api";
import { Button } from "../../../parts/Button";
import { say } from "../../../parts/Toast";
import { bookTitle, paytableTitle } from "../../../state/titles";
import { t, type Text } from "../../../texts";

export function AssignForm({ onSet }: { onSet: () => void }) {
  const known = useSignal<Http.DrillCatalogue | null>(null);
  const paytables = useSignal<string[]>([]);
  const drill = useSignal("deal");
  const trouble = useSignal("");
  useEffect(() => {
    Promise.all([ask("GET /api/learn/dealer"), ask("GET /api/paytables")])
      .then(([found, tables]) => {
        known.value = found;
        paytables.value = tables.filter((one) => one.wagers.some((pays) => pays.wager === BASE)).map((one) => one.id);
      })
      .catch((error: unknown) => (trouble.value = told(error)));
  }, []);
  const player = drill.value.startsWith("player");

  async function submit(form: HTMLFormElement): Promise<void> {
    const given = new FormData(form);
    const text = (name: string): string => String(given.get(name) ?? "").trim();
    const trade = known.value?.drills.find((one) => one.drill === drill.value)?.trade ?? "dealer";
    const about = text("about");
    const due = text("due");
    trouble.value = "";
    try {
      const made = await ask("POST /api/learn/assignments", {
        body: {
          person: text("person"),
          drill: player ? `player:${about}${drill.value.replace("player", "")}` : `${trade}:${about}:${drill.value}`,
          level: Number(text("level") || 1),
          due_ms: due ? new Date(due).getTime() : 0,
          note: text("note"),
        },
      });
      say(t("instructor.done", { person: made.person }));
      form.reset();
      drill.value = "deal";
      onSet();
    } catch (error) {
      trouble.value = told(error);
    }
  }

  const drills = known.value;
  if (!drills) return null;
  return (
    <form
      class="form assign-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      <label>
        <span>{t("instructor.person")}</span>
        <input name="person" required maxLength={64} autoComplete="off" />
      </label>
      <label>
        <span>{t("learn.what")}</span>
        <select value={drill.value} onChange={(event) => (drill.value = event.currentTarget.value)}>
          {drills.drills.map((one) => (
            <option key={one.drill} value={one.drill}>
              {t(`staffdrill.${one.drill}.title` as Text)}
            </option>
          ))}
          <option value="player">{t("instructor.player")}</option>
          <option value="player:exam">{t("instructor.player_exam")}</option>
        </select>
      </label>
      <label>
        <span>{t(player ? "learn.paytable" : "staffdrill.book")}</span>
        <select name="about">
          {(player ? paytables.value : drills.books).map((one) => (
            <option key={one} value={one}>
              {player ? paytableTitle(one) : bookTitle(one)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{t("staffdrill.level")}</span>
        <select name="level" disabled={player}>
          {[1, 2, 3, 4, 5].map((one) => (
            <option key={one} value={one}>
              {t(`staffdrill.level.${one}` as Text)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{t("instructor.until")}</span>
        <input name="due" type="datetime-local" />
      </label>
      <label>
        <span>{t("instructor.note")}</span>
        <input name="note" maxLength={300} autoComplete="off" />
      </label>
      {trouble.value && (
        <p class="form-no" role="alert">
          {trouble.value}
        </p>
      )}
      <Button kind="main" type="submit">
        {t("instructor.assign")}
      </Button>
    </form>
  );
}
