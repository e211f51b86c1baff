// StaffDrill: a dealer's or the floor's drill: one question after another, judged at once; what is right the server says.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { PageProps } from "../..";
import type { Http } from "../../../generated/api";
import { ask, Refused, told } from "../../../net/api";
import { Button, ButtonLink } from "../../../parts/Button";
import { say } from "../../../parts/Toast";
import { me, currentOrGuest } from "../../../state/session";
import { bookTitle } from "../../../state/titles";
import { t, type Text } from "../../../texts";
import { useKeys } from "../Choices";
import { AnswerForm } from "./AnswerForm";
import { Clock } from "./Clock";
import { MarkTold, Verdict } from "./MarkTold";
import { Score } from "./Score";
import { TableScene } from "./TableScene";

type Drill = Http.DrillEntry["drill"];

export default function StaffDrill({ params }: PageProps) {
  const book = params.book ?? "";
  const drill = (params.drill ?? "deal") as Drill;
  const path = { book, drill };
  const asked = new URLSearchParams(location.search);
  const wish = useRef<Http.DrillWish>({
    level: Number(asked.get("level") ?? 1),
    length: Number(asked.get("length") ?? 0),
    assignment: asked.get("assignment") ?? "",
  });
  const state = useSignal<Http.DrillState | null>(null);
  const marked = useSignal<Http.DrillMarked | null>(null);
  const trouble = useSignal("");
  const busy = useSignal(false);
  const next = useRef<HTMLDivElement>(null);
  const top = useRef<HTMLElement>(null);

  async function look(first = false): Promise<void> {
    trouble.value = "";
    busy.value = true;
    try {
      await currentOrGuest();
      state.value = await ask("POST /api/learn/dealer/{book}/{drill}/question", { path, body: wish.current });
      marked.value = null;
      if (!first) top.current?.focus();
    } catch (error) {
      trouble.value = told(error);
    } finally {
      busy.value = false;
    }
  }

  useEffect(() => void look(true), []);

  async function answer(said: Record<string, string | number>): Promise<void> {
    const open = state.value;
    if (!open || busy.value || marked.value) return;
    busy.value = true;
    try {
      const body = { number: open.question.number, answer: said };
      marked.value = await ask("POST /api/learn/dealer/{book}/{drill}/answer", { path, body });
      queueMicrotask(() => next.current?.querySelector<HTMLElement>("button, a")?.focus());
    } catch (error) {
      say(told(error), "trouble");
      if (error instanceof Refused && error.status === 401) me.value = null;
      if (error instanceof Refused && [401, 409].includes(error.status)) await look();
    } finally {
      busy.value = false;
    }
  }

  async function giveUp(): Promise<void> {
    await ask("DELETE /api/learn/dealer/{book}/{drill}", { path });
    await look();
  }

  useKeys((key) => {
    if (key !== "n" || !marked.value || marked.value.result) return false;
    void look();
    return true;
  });

  const open = state.value;
  const done = marked.value;
  const one = open?.question;
  const summary = done?.summary ?? open?.summary;
  return (
    <div class="page learn staffdrill">
      <div class="lesson-head">
        <h1>{t(`staffdrill.${drill}.title` as Text)}</h1>
        <nav class="lesson-nav" aria-label={t("learn.nav")}>
          <a href="/learn">{t("learn.title")}</a>
          <span class="lesson-book">{bookTitle(book)}</span>
        </nav>
      </div>
      {trouble.value && (
        <div role="alert">
          <p class="form-no">{trouble.value}</p>
          <Button kind="main" onClick={() => void look()}>
            {t("app.again")}
          </Button>
        </div>
      )}
      {one && open && (
        <div class="drill">
          <section ref={top} tabIndex={-1} class="drill-ask" aria-label={t("staffdrill.question", { number: one.number })}>
            <p class="drill-place">
              <b>{t("staffdrill.question", { number: one.number })}</b>{" "}
              <span>{t("staffdrill.at_level", { level: one.level })}</span>
              {one.seconds > 0 && !done && <Clock key={one.number} seconds={one.seconds} open={open.open_seconds} />}
            </p>
            <TableScene key={one.number} scene={one.scene} pays={one.kind === "pay"} />
          </section>
          <section class="drill-told" aria-label={t("staffdrill.answering")}>
            <h2 class="drill-text">{one.text}</h2>
            {!done && <AnswerForm key={one.number} question={one} busy={busy.value} onAnswer={(said) => void answer(said)} />}
            {done && <Verdict mark={done.mark} />}
            {done && (
              <div ref={next} class="drill-next">
                {done.result ? (
                  <>
                    <h2>{t("staffdrill.end", { score: done.result.score })}</h2>
                    <ButtonLink kind="main" href="/learn">
                      {t("staffdrill.back")}
                    </ButtonLink>
                  </>
                ) : (
                  <Button kind="main" keyName="N" disabled={busy.value} onClick={() => void look()}>
                    {t("staffdrill.next")}
                  </Button>
                )}
              </div>
            )}
            {done && <MarkTold mark={done.mark} />}
            {summary && summary.questions > 0 && <Score summary={summary} />}
            {!done?.result && (
              <p class="small">
                {t("learn.exam.kept")}{" "}
                <button type="button" class="link" onClick={() => void giveUp()}>
                  {t("staffdrill.anew")}
                </button>
              </p>
            )}
          </section>
        </div>
      )}
      <p class="spoken" role="status">
        {done ? `${t(`staffdrill.outcome.${done.mark.outcome}` as Text)}: ${done.mark.sentence}` : (one?.text ?? "")}
      </p>
    </div>
  );
}
