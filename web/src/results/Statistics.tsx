// Statistics: a person's results as expectation, mistakes and luck, with the band; all figures are the server's.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Http } from "../generated/api";
import { ask, told } from "../net/api";
import { decimal, money, moment, percent, signed, t } from "../texts";
import { Graph } from "./Graph";
import { RoundPicture } from "./RoundPicture";

type Scope = Http.Statistics["scope"];

/** Ask for something until all of the person's rounds are read; long histories come in pieces. */
export async function whole<T extends { more: boolean }>(load: () => Promise<T>, show: (found: T) => void, wanted: () => boolean): Promise<void> {
  for (;;) {
    const found = await load();
    if (!wanted()) return;
    show(found);
    if (!found.more) return;
  }
}

/** The statistics of this session, of a table where one is given, and of all time; `latest` changes with each new round. */
export function Statistics({ table, latest = "" }: { table?: string; latest?: string }) {
  const scopes: Scope[] = table ? ["session", "table", "all"] : ["session", "all"];
  const scope = useSignal<Scope>(table ? "session" : "all");
  const found = useSignal<Http.Statistics | null>(null);
  const trouble = useSignal("");
  const chosen = scope.value;
  useEffect(() => {
    let wanted = true;
    const query = { scope: chosen, table: chosen === "table" ? table : undefined };
    whole(() => ask("GET /api/me/statistics", { query }), (one) => {
      found.value = one;
      trouble.value = "";
    }, () => wanted).catch((error: unknown) => void (trouble.value = told(error)));
    return () => void (wanted = false);
  }, [chosen, table, latest]);
  const shown = found.value?.scope === chosen ? found.value : null;
  return (
    <section class="statistics" aria-labelledby="statistics">
      <h2 id="statistics">{t("results.statistics")}</h2>
      <div class="tabs" role="tablist" aria-label={t("results.scope")}>
        {scopes.map((one) => (
          <button key={one} type="button" role="tab" aria-selected={chosen === one} onClick={() => (scope.value = one)}>
            {t(`results.scope.${one}`)}
          </button>
        ))}
      </div>
      {trouble.value && (
        <p class="form-no" role="alert">
          {trouble.value}
        </p>
      )}
      {!shown ? !trouble.value && <p>{t("app.loading")}</p> : shown.sums.hands ? <Figures found={shown} /> : <p>{t(shown.more ? "app.loading" : "results.none")}</p>}
    </section>
  );
}

const dollars = (cents: number): string => signed(Math.round(cents));

function Figures({ found }: { found: Http.Statistics }) {
  const { sums, best, books, titles, points } = found;
  const luck = sums.sigma_cents ? sums.luck_cents.value / sums.sigma_cents : 0;
  return (
    <>
      <p class="small">
        {found.since_ms !== null && t("results.since", { moment: moment(found.since_ms) })} {found.more && t("results.more")}
      </p>
      <Sums sums={sums} />
      {sums.judged_hands > 0 && (
        <>
          <p class="small">{t(luck < 0 ? "results.band.under" : "results.band.over", { sigmas: decimal(Math.abs(luck), 1), one: money(Math.round(sums.sigma_cents)), two: money(Math.round(2 * sums.sigma_cents)) })}</p>
          <Graph points={points} />
        </>
      )}
      <dl class="result-facts">
        <Fact label={t("results.played")} value={t("results.played.of", { hands: sums.hands, won: sums.won, lost: sums.lost })} />
        <Fact label={t("results.wagered")} value={money(sums.wagered_cents)} />
        {sums.decisions > 0 && (
          <Fact label={t("results.decisions")} value={t("results.right", { right: sums.right, all: sums.decisions, share: percent(sums.right / sums.decisions, 0) })} />
        )}
      </dl>
      {best.length > 0 && (
        <>
          <h3>{t("results.best")}</h3>
          <ul class="result-best">
            {best.map((one) => (
              <li key={`${one.table} ${one.round} ${one.seat}`}>
                <RoundPicture round={one} />
              </li>
            ))}
          </ul>
        </>
      )}
      {books.length > 1 && <ByBook books={books} titles={titles.books} />}
      <details class="par-more">
        <summary>{t("results.how")}</summary>
        <p class="small">{t("results.how.text")}</p>
      </details>
    </>
  );
}

/** The result as a sum: every line of it that is not nothing. */
function Sums({ sums }: { sums: Http.Sums }) {
  const rest: [string, number][] = [
    [t("results.unjudged"), sums.unjudged_cents],
    [t("results.bank"), sums.bank_cents],
    [t("results.fees"), -sums.fees_cents],
  ];
  return (
    <table class="rows result-sums">
      <caption class="spoken">{t("results.sum")}</caption>
      <tbody>
        <Line label={t("coach.expected")} cents={sums.expected_cents.value} exact={sums.expected_cents.exact} />
        <Line label={t("coach.mistakes")} cents={-sums.mistakes_cents.value} exact={sums.mistakes_cents.exact} />
        <Line label={t("coach.luck")} cents={sums.luck_cents.value} exact={sums.luck_cents.exact} />
        {rest.filter(([, cents]) => cents).map(([label, cents]) => (
          <Line key={label} label={label} cents={cents} />
        ))}
      </tbody>
      <tfoot>
        <Line label={t("coach.result")} cents={sums.result_cents} />
      </tfoot>
    </table>
  );
}

function Line({ label, cents, exact }: { label: string; cents: number; exact?: string }) {
  return (
    <tr>
      <th scope="row">{label}</th>
      <td class={cents > 0 ? "won" : ""} title={exact && exact.length < 60 ? `${exact} ¢` : undefined}>
        {dollars(cents)}
      </td>
    </tr>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function ByBook({ books, titles }: { books: Http.BookSums[]; titles: Record<string, string> }) {
  return (
    <div class="par-wide" role="region" tabIndex={0} aria-label={t("results.books")}>
      <table class="rows result-books">
        <caption>{t("results.books")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("results.book")}</th>
            <th scope="col">{t("results.hands.head")}</th>
            <th scope="col">{t("coach.result")}</th>
            <th scope="col">{t("coach.mistakes")}</th>
            <th scope="col">{t("coach.luck")}</th>
          </tr>
        </thead>
        <tbody>
          {books.map(({ book, sums }) => (
            <tr key={book}>
              <th scope="row">{titles[book] ?? book}</th>
              <td>{sums.hands}</td>
              <td>{dollars(sums.result_cents)}</td>
              <td>{dollars(-sums.mistakes_cents.value)}</td>
              <td>{dollars(sums.luck_cents.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
