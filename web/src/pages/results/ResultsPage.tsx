// Results page: a person's own results and rounds at all tables.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ButtonLink } from "../../parts/Button";
import { RoundList } from "../../results/RoundList";
import { Statistics } from "../../results/Statistics";
import { me, recall } from "../../state/session";
import { t } from "../../texts";

export default function ResultsPage() {
  const ready = useSignal(false);
  useEffect(() => void recall().finally(() => (ready.value = true)), []);
  return (
    <div class="page results">
      <h1>{t("results.title")}</h1>
      {!ready.value ? (
        <p>{t("app.loading")}</p>
      ) : me.value ? (
        <div key={me.value.name} class="results-parts">
          <Statistics />
          <RoundList />
        </div>
      ) : (
        <>
          <p>{t("results.unknown")}</p>
          <ButtonLink kind="main" href="/">
            {t("app.missing.home")}
          </ButtonLink>
        </>
      )}
    </div>
  );
}
