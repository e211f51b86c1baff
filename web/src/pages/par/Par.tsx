// Par: pick a published paytable or edit its pays, and watch what it is worth; every figure is the server's.
import { useEffect, useMemo } from "preact/hooks";
import type { PageProps } from "..";
import type { Http } from "../../generated/api";
import { money, t, type Text } from "../../texts";
import { handName } from "../../texts/hands";
import { edit } from "./edited";
import { changeOf, figureName, Figures, headingOf, Lines } from "./Figures";
import { Pays } from "./Pays";
import { Capped, Play } from "./Play";
import { Contributions, Distribution } from "./Plots";

export default function Par({ params }: PageProps) {
  const edited = useMemo(() => edit(params.id ?? ""), []);
  useEffect(() => edited.follow(), [edited]);
  const found = edited.found.value;
  const shown = found?.wagers.filter((one) => one.hands === null || one.hands === edited.hands.value) ?? [];
  return (
    <div class="page par">
      <header class="par-head">
        <h1>{t("par.title")}</h1>
        <p>{t("par.what")}</p>
      </header>
      <Strip wagers={shown} old={edited.trouble.value !== ""} />
      <div class="par-both">
        <Pays edited={edited} />
        <div class="par-found" aria-busy={edited.busy.value}>
          <p class="spoken" role="status">
            {found && !edited.busy.value && !edited.trouble.value ? spoken(shown) : ""}
          </p>
          {!found && <p>{t(edited.trouble.value ? "par.nothing" : "app.loading")}</p>}
          {found && (
            <div class={edited.trouble.value ? "is-old" : ""}>
              <p class="par-which">
                {found.published ? t("par.is.published", { id: found.published }) : t("par.is.edited", { id: found.against ?? "" })}
                {edited.trouble.value && <b> {t("par.is.old")}</b>}
              </p>
              {shown.map((one) => (
                <Wager key={one.wager} wager={one} against={found.against ?? ""} />
              ))}
              {found.capped && (
                <section aria-labelledby="par-capped">
                  <h2 id="par-capped">
                    {t(found.capped.scope === "round" ? "par.capped.round" : "par.capped", { stake: money(found.capped.stake_cents), most: money(found.capped.payout_cents_max) })}
                  </h2>
                  <Figures figures={found.capped.figures} against={t("par.capped.without")} name={t("par.maximum")} />
                  <Capped capped={found.capped} />
                </section>
              )}
              {found.strategy && <Play strategy={found.strategy} against={found.against ?? ""} />}
            </div>
          )}
        </div>
      </div>
    </div>
  );
}

/** The first figures in one line, for a screen on which the form covers them; they are told in full below. */
function Strip({ wagers, old }: { wagers: Http.LiveWager[]; old: boolean }) {
  const first = wagers[0]?.figures.filter((one) => ["house_edge", "element_of_risk", "hit_frequency"].includes(one.name)) ?? [];
  return (
    <div class={old ? "par-strip is-old" : "par-strip"} aria-hidden="true">
      {first.map((one) => (
        <span key={one.name} class={one.change ? "is-changed" : ""}>
          <span class="small">{figureName(one)}</span>
          <b>{one.text}</b>
        </span>
      ))}
    </div>
  );
}

/** What a person who does not see the page is told when it has changed. */
function spoken(wagers: Http.LiveWager[]): string {
  return wagers
    .map((one) => {
      const edge = one.figures.find((figure) => figure.name === "house_edge");
      return edge ? t("par.spoken", { wager: headingOf(one), edge: edge.text, change: edge.change ? changeOf(edge) : t("par.spoken.same") }) : "";
    })
    .join(" ");
}

function Wager({ wager, against }: { wager: Http.LiveWager; against: string }) {
  const name = `par-${wager.wager}`;
  return (
    <section aria-labelledby={name}>
      <h2 id={name}>{headingOf(wager)}</h2>
      <Figures figures={wager.figures} against={against} name={headingOf(wager)} />
      <div class="par-plots">
        <Distribution wager={wager} />
        <Contributions wager={wager} />
      </div>
      <Lines wager={wager} />
      {wager.remark_parts.map(({ code, values }) => (
        <p key={code + (values["hand"] ?? "")} class="par-remark">
          {t(`remark.${code}` as Text, { ...values, hand: handName(values["hand"] ?? "") } as never)}
        </p>
      ))}
    </section>
  );
}
