// PlayerDrill: one decision after another, judged at once; what is asked and what is right the server says.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { PageProps } from "..";
import type { Http } from "../../generated/api";
import { ask, Refused, told } from "../../net/api";
import { Button } from "../../parts/Button";
import { say } from "../../parts/Toast";
import { me, currentOrGuest } from "../../state/session";
import { t } from "../../texts";
import { Advice, whyWords } from "./Advice";
import { Choices, useKeys } from "./Choices";
import { type Choice, verdict } from "./figures";
import { Hand, spokenHand } from "./Hand";
import { LessonHead } from "./LessonHead";
import { SetResult } from "./SetResult";
import { StandingBar } from "./StandingBar";

export default function PlayerDrill({ params }: PageProps) {
  const paytable = params.id ?? "";
  const question = useSignal<Http.PlayerQuestion | null>(null);
  const answered = useSignal<Http.DrillAnswered | null>(null);
  const trouble = useSignal("");
  const busy = useSignal(false);
  const shown = useRef(0);
  const next = useRef<HTMLDivElement>(null);

  function show(one: Http.PlayerQuestion): void {
    answered.value = null;
    question.value = one;
    shown.current = performance.now();
  }

  async function begin(): Promise<void> {
    trouble.value = "";
    try {
      await currentOrGuest();
      show(await ask("POST /api/learn/player/{paytable}/question", { path: { paytable } }));
    } catch (error) {
      trouble.value = told(error);
    }
  }

  useEffect(() => void begin(), []);

  async function choose(choice: Choice): Promise<void> {
    const open = question.value;
    if (!open || busy.value || answered.value) return;
    busy.value = true;
    const seconds = Math.min((performance.now() - shown.current) / 1000, 86_400);
    try {
      answered.value = await ask("POST /api/learn/player/{paytable}/answer", {
        path: { paytable },
        body: { number: open.number, choice, seconds },
      });
      queueMicrotask(() => next.current?.querySelector("button")?.focus());
    } catch (error) {
      say(told(error), "trouble");
      if (error instanceof Refused && error.status === 401) me.value = null;
      if (error instanceof Refused && [401, 409].includes(error.status)) await begin();
    } finally {
      busy.value = false;
    }
  }

  function goOn(): void {
    if (answered.value) show(answered.value.question);
  }

  useKeys((key) => {
    if (key !== "n" || !answered.value) return false;
    goOn();
    return true;
  });

  const one = question.value;
  const done = answered.value;
  return (
    <div class="page learn">
      <LessonHead paytable={paytable} title={t("learn.drill.title", { paytable })} />
      {trouble.value && (
        <div role="alert">
          <p class="form-no">{trouble.value}</p>
          <Button kind="main" onClick={() => void begin()}>
            {t("app.again")}
          </Button>
        </div>
      )}
      {one && (
        <div class="drill">
          <section class="drill-ask" aria-label={t("learn.question", { place: one.place, of: one.of })}>
            <p class="drill-place">
              <b>{t("learn.question", { place: one.place, of: one.of })}</b> <span>{t(one.bet === 1 ? "learn.bet1" : "learn.bet2")}</span>
            </p>
            <div class="drill-dots" aria-hidden="true">
              {Array.from({ length: one.of }, (_, place) => (
                <span key={place} class={place + 1 < one.place ? "is-done" : place + 1 === one.place ? "is-on" : ""} />
              ))}
            </div>
            <Hand cards={one.cards} />
            {!done && <Choices disabled={busy.value} onChoose={(choice) => void choose(choice)} />}
            {done && (
              <div ref={next} class="drill-next">
                <Button kind="main" keyName="N" onClick={goOn}>
                  {done.result ? t("learn.another") : t("learn.next")}
                </Button>
              </div>
            )}
          </section>
          <section class="drill-told" aria-label={t("learn.judged")}>
            {done ? (
              <>
                <p class={done.judged.right ? "verdict is-right" : "verdict is-wrong"}>
                  {verdict(done.judged)}
                </p>
                <Advice advice={done.judged.advice} mistake={!done.judged.right} />
                <StandingBar standing={done.standing} />
                {done.result && <SetResult result={done.result} />}
              </>
            ) : (
              <p class="small">{t("learn.drill.how")}</p>
            )}
          </section>
        </div>
      )}
      <p class="spoken" role="status">
        {done
          ? `${verdict(done.judged)} ${whyWords(done.judged.advice)}`
          : one
            ? spokenHand(one.bet, one.cards)
            : ""}
      </p>
    </div>
  );
}
