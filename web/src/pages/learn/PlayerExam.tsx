// PlayerExam: 200 decisions without a word in between, then the report; the server judges.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { PageProps } from "..";
import type { Http } from "../../generated/api";
import { ask, Refused, told } from "../../net/api";
import { Button } from "../../parts/Button";
import { say } from "../../parts/Toast";
import { me, currentOrGuest } from "../../state/session";
import { t } from "../../texts";
import { Choices } from "./Choices";
import { ExamReport } from "./ExamReport";
import type { Choice } from "./figures";
import { Hand, spokenHand } from "./Hand";
import { LessonHead } from "./LessonHead";

export default function PlayerExam({ params }: PageProps) {
  const paytable = params.id ?? "";
  const lesson = useSignal<Http.LessonInFull | null>(null);
  const exam = useSignal<Http.ExamState | null>(null);
  const trouble = useSignal("");
  const busy = useSignal(false);

  async function look(): Promise<void> {
    trouble.value = "";
    try {
      await currentOrGuest();
      lesson.value = await ask("GET /api/learn/player/{paytable}", { path: { paytable } });
    } catch (error) {
      trouble.value = told(error);
    }
  }

  useEffect(() => void look(), []);

  async function doing(act: () => Promise<void>): Promise<void> {
    if (busy.value) return;
    busy.value = true;
    try {
      await act();
    } catch (error) {
      say(told(error), "trouble");
      if (error instanceof Refused && error.status === 401) me.value = null;
      if (error instanceof Refused && [401, 409].includes(error.status)) {
        exam.value = null; // begun anew, or answered on another page
        await look();
      }
    } finally {
      busy.value = false;
    }
  }

  const begin = () =>
    doing(async () => {
      exam.value = await ask("POST /api/learn/player/{paytable}/exam", { path: { paytable } });
    });
  const choose = (choice: Choice) =>
    doing(async () => {
      const number = exam.value?.question?.number;
      if (number === undefined) return;
      exam.value = await ask("POST /api/learn/player/{paytable}/exam/answer", { path: { paytable }, body: { number, choice } });
    });
  const giveUp = () =>
    doing(async () => {
      await ask("DELETE /api/learn/player/{paytable}/exam", { path: { paytable } });
      exam.value = null;
      await look();
    });

  const about = lesson.value;
  const on = exam.value;
  const one = on?.question;
  return (
    <div class="page learn">
      <LessonHead paytable={paytable} title={t("learn.exam.title", { paytable })} />
      {trouble.value && (
        <div role="alert">
          <p class="form-no">{trouble.value}</p>
          <Button kind="main" onClick={() => void look()}>
            {t("app.again")}
          </Button>
        </div>
      )}
      {about && !on && (
        <section class="learn-part" aria-label={t("learn.exam.short")}>
          <p>{t("learn.exam.about", { of: about.exam_questions })}</p>
          <p class="learn-ways">
            <Button kind="main" disabled={busy.value} onClick={() => void begin()}>
              {about.exam_answered === null
                ? t("learn.exam.begin")
                : t("learn.exam.go_on", { answered: about.exam_answered, of: about.exam_questions })}
            </Button>
            {about.exam_answered !== null && (
              <Button kind="danger" disabled={busy.value} onClick={() => void giveUp()}>
                {t("learn.exam.give_up")}
              </Button>
            )}
          </p>
        </section>
      )}
      {on && one && (
        <section class="drill-ask drill-alone" aria-label={t("learn.question", { place: one.place, of: one.of })}>
          <p class="drill-place">
            <b>{t("learn.question", { place: one.place, of: one.of })}</b> <span>{t(one.bet === 1 ? "learn.bet1" : "learn.bet2")}</span>
          </p>
          <progress class="drill-progress" max={on.of} value={on.answered} aria-label={t("learn.exam.progress")} />
          <Hand key={one.number} cards={one.cards} />
          <Choices disabled={busy.value} onChoose={(choice) => void choose(choice)} />
          <p class="small">{t("learn.exam.kept")}</p>
        </section>
      )}
      {on?.report && <ExamReport report={on.report} />}
      {on?.report && (
        <p class="learn-ways">
          <Button kind="main" onClick={() => ((exam.value = null), void look())}>
            {t("learn.exam.again")}
          </Button>
        </p>
      )}
      <p class="spoken" role="status">
        {one ? `${t("learn.question", { place: one.place, of: one.of })}. ${spokenHand(one.bet, one.cards)}` : ""}
        {on?.report ? t("learn.exam.score", { right: on.report.right, asked: on.report.asked, score: on.report.score }) : ""}
      </p>
    </div>
  );
}
