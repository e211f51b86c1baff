// StaffDrills: on the learn page the drills of dealers and of the floor, by the book that is chosen.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Http } from "../../../generated/api";
import { MANAGERS } from "../../../generated/roles";
import { ask, told } from "../../../net/api";
import { ButtonLink } from "../../../parts/Button";
import { say } from "../../../parts/Toast";
import { me } from "../../../state/session";
import { bookTitle } from "../../../state/titles";
import { learnedBook } from "../../../state/settings";
import { t, type Text } from "../../../texts";

export function StaffDrills() {
  const known = useSignal<Http.DrillCatalogue | null>(null);
  const level = useSignal(1);
  const who = me.value?.name;
  useEffect(() => {
    ask("GET /api/learn/dealer")
      .then((found) => (known.value = found))
      .catch((error: unknown) => say(told(error), "trouble"));
  }, [who]);
  const drills = known.value;
  if (!drills) return null;
  const book = drills.books.includes(learnedBook.value) ? learnedBook.value : (drills.books[1] ?? "");
  const begun = (drill: string) => drills.going_on.find((one) => one.book === book && one.drill === drill);
  const teaches = me.value?.roles.some((role) => MANAGERS.includes(role));
  return (
    <section class="learn-part" aria-labelledby="learn-staff">
      <h2 id="learn-staff">{t("staffdrill.title")}</h2>
      <p>{t("staffdrill.about")}</p>
      <div class="staffdrill-choose">
        <label class="learn-choose">
          <span>{t("staffdrill.book")}</span>
          <select value={book} onChange={(event) => (learnedBook.value = event.currentTarget.value)}>
            {drills.books.map((one) => (
              <option key={one} value={one}>
                {bookTitle(one)}
              </option>
            ))}
          </select>
        </label>
        <label class="learn-choose">
          <span>{t("staffdrill.level")}</span>
          <select value={level.value} onChange={(event) => (level.value = Number(event.currentTarget.value))}>
            {[1, 2, 3, 4, 5].map((one) => (
              <option key={one} value={one}>
                {t(`staffdrill.level.${one}` as Text)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <ul class="staffdrill-list">
        {drills.drills.map((one) => {
          const going = begun(one.drill);
          return (
            <li key={one.drill}>
              <h3>{t(`staffdrill.${one.drill}.title` as Text)}</h3>
              <p>{t(`staffdrill.${one.drill}.about` as Text)}</p>
              <ButtonLink kind={going ? "main" : "plain"} href={`/learn/${one.trade}/${book}/${one.drill}?level=${level.value}`}>
                {going ? t("staffdrill.go_on", { answered: going.answered }) : t("staffdrill.begin")}
              </ButtonLink>
            </li>
          );
        })}
      </ul>
      {teaches && (
        <p class="learn-ways">
          <ButtonLink href="/learn/instructor">{t("instructor.open")}</ButtonLink>
        </p>
      )}
    </section>
  );
}
