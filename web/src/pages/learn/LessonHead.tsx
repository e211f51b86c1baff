// LessonHead: the title of a lesson's page, and the way to its other pages.
import { path } from "../../router";
import { t, type Text } from "../../texts";

const WAYS: [string, Text][] = [
  ["", "learn.drill.short"],
  ["/rules", "learn.rules.short"],
  ["/exam", "learn.exam.short"],
];

export function LessonHead({ paytable, title }: { paytable: string; title: string }) {
  const home = `/learn/player/${paytable}`;
  return (
    <div class="lesson-head">
      <h1>{title}</h1>
      <nav class="lesson-nav" aria-label={t("learn.nav")}>
        <a href="/learn">{t("learn.title")}</a>
        {WAYS.map(([end, words]) => (
          <a key={end} href={home + end} aria-current={path.value === home + end ? "page" : undefined}>
            {t(words)}
          </a>
        ))}
      </nav>
    </div>
  );
}
