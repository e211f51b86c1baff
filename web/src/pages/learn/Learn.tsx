// Learn: the page at /learn: which drills there are, how far one has come, and what to do with a hand.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { PageProps } from "..";
import type { Http } from "../../generated/api";
import { ask, told } from "../../net/api";
import { ButtonLink } from "../../parts/Button";
import { HowTo } from "../../parts/HowTo";
import { say } from "../../parts/Toast";
import { me } from "../../state/session";
import { learnedTable } from "../../state/settings";
import { paytableWords } from "../../state/titles";
import { t } from "../../texts";
import { Lookup } from "./Lookup";
import { Results } from "./Results";
import { MyAssignments } from "./staff/MyAssignments";
import { StaffDrills } from "./staff/StaffDrills";
import { StandingBar } from "./StandingBar";

export default function Learn(_: PageProps) {
  const lessons = useSignal<Http.LessonSummary[]>([]);
  const who = me.value?.name;
  useEffect(() => {
    ask("GET /api/learn/player")
      .then((found) => (lessons.value = found))
      .catch((error: unknown) => say(told(error), "trouble"));
  }, [who]);
  const chosen = lessons.value.find((one) => one.paytable === learnedTable.value) ?? lessons.value.find((one) => one.paytable === "LIRX-01");
  return (
    <div class="page learn">
      <h1>{t("learn.title")}</h1>
      <HowTo />
      {who && <MyAssignments key={who} />}
      <section class="learn-part" aria-labelledby="learn-player">
        <h2 id="learn-player">{t("learn.player.title")}</h2>
        <p>{t("learn.player.about")}</p>
        <label class="learn-choose">
          <span>{t("learn.paytable")}</span>
          <select value={chosen?.paytable} onChange={(event) => (learnedTable.value = event.currentTarget.value)}>
            {lessons.value.map((one) => (
              <option key={one.paytable} value={one.paytable}>
                {one.paytable} · {paytableWords(one.paytable, one.title)}
              </option>
            ))}
          </select>
        </label>
        {chosen && (
          <>
            {chosen.standing && chosen.standing.asked > 0 && <StandingBar standing={chosen.standing} />}
            <p class="learn-ways">
              <ButtonLink kind="main" href={`/learn/player/${chosen.paytable}`}>
                {chosen.standing?.asked ? t("learn.drill.go_on") : t("learn.drill.begin")}
              </ButtonLink>
              <ButtonLink href={`/learn/player/${chosen.paytable}/rules`}>{t("learn.rules.open")}</ButtonLink>
              <ButtonLink href={`/learn/player/${chosen.paytable}/exam`}>{t("learn.exam.open")}</ButtonLink>
            </p>
          </>
        )}
      </section>
      {chosen && (
        <section class="learn-part" aria-labelledby="learn-lookup">
          <h2 id="learn-lookup">{t("learn.lookup.title")}</h2>
          <Lookup paytable={chosen.paytable} />
        </section>
      )}
      <StaffDrills />
      {who && <Results key={who} />}
    </div>
  );
}
