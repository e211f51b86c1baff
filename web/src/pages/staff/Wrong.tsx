// Wrong: "something is wrong": from what was seen to a report, and from the report to the ruling and what carries it out.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Http, View } from "../../generated/api";
import { ask, capital, told } from "../../net/api";
import type { Command } from "../../net/table";
import { Button } from "../../parts/Button";
import { Drawer } from "../../parts/Drawer";
import { say } from "../../parts/Toast";
import { money, t, type Text } from "../../texts";
import { Clauses, Form, named, No, useAsked } from "./parts";

export interface WrongProps {
  id: string;
  view: View;
  desk: Http.DeskOfTable | null;
  role: string;
  /** Whether one is a dealer without the shift, who reports nothing. */
  off: boolean;
  onAct: (command: Command) => Promise<void>;
  onClose: () => void;
}

export function Wrong({ id, view, desk, role, off, onAct, onClose }: WrongProps) {
  const known = useAsked(() => ask("GET /api/tables/{table_id}/irregularities", { path: { table_id: id } }), [id]);
  const chosen = useSignal<Http.PossibleIrregularity | null>(null);
  const refused = useSignal("");
  /** How many rulings there were before the report, once one was taken up. */
  const since = useSignal(-1);
  const stakes = useSignal<Record<string, number>>({});
  const title = useRef<HTMLHeadingElement>(null);
  const list = (known.value.value?.irregularities ?? []).filter((one) => one.reporters.includes(role));
  const now = desk?.version === view.version ? desk.reports : [];

  async function report(command: Command): Promise<void> {
    const before = desk?.rulings.length ?? 0;
    const staked = Object.entries(view.seats).map(([seat, one]) => [seat, Object.values(one.wagers).reduce((sum, cents) => sum + cents, 0)]);
    await onAct(command);
    stakes.value = Object.fromEntries(staked) as Record<string, number>;
    if (command.type === "Report") since.value = before;
    else say(t("staff.report.noted"));
  }

  async function reportNow(command: Command): Promise<void> {
    refused.value = "";
    try {
      await report(command);
    } catch (error) {
      refused.value = told(error);
    }
  }

  const ruled = since.value >= 0 ? (desk?.rulings ?? []).slice(since.value) : [];
  useEffect(() => title.current?.focus(), [chosen.value, ruled.length > 0]);

  return (
    <Drawer title={t("staff.wrong")} open onClose={onClose}>
      <No>{known.refused.value || refused.value}</No>
      {off && <p class="staff-blocked">{t("staff.wrong.off")}</p>}
      {since.value >= 0 ? (
        <Ruled rulings={ruled} desk={desk} stakes={stakes.value} view={view} onClose={onClose} heading={title} />
      ) : chosen.value ? (
        <section>
          <h3 ref={title} tabIndex={-1}>
            {capital(chosen.value.what)}
          </h3>
          <Form
            submit={t("staff.report")}
            onSubmit={(form) =>
              report({
                type: "Report",
                kind: chosen.value!.kind as never,
                ...(form.has("seat") ? { seat: Number(form.get("seat")) } : {}),
                ...(form.has("number") ? { number: Number(form.get("number")) } : {}),
              })
            }
          >
            {chosen.value.asks.includes("seat") && (
              <fieldset class="choices">
                <legend>{t("staff.report.seat")}</legend>
                {Object.entries(view.seats).map(([seat, one]) => (
                  <label key={seat}>
                    <input type="radio" name="seat" value={seat} required />
                    {one.player ? t("staff.seat.of", { number: seat, player: one.player }) : t("staff.seat", { number: seat })}
                  </label>
                ))}
              </fieldset>
            )}
            {chosen.value.asks.includes("community_card") && (
              <fieldset class="choices">
                <legend>{t("staff.report.card")}</legend>
                {(view.community.length ? view.community : ["", ""]).map((_, at) => (
                  <label key={at}>
                    <input type="radio" name="number" value={at + 1} required />
                    {t("staff.report.place", { number: at + 1 })}
                  </label>
                ))}
              </fieldset>
            )}
          </Form>
          <h4>{t("staff.outcomes")}</h4>
          <ul class="staff-outcomes">
            {chosen.value.outcomes.map((one) => (
              <li key={one.sentence}>
                <p>{capital(one.sentence)}</p>
                <Clauses clauses={one.clauses} none={t("staff.default")} />
              </li>
            ))}
          </ul>
          <Button kind="quiet" onClick={() => (chosen.value = null)}>
            {t("staff.wrong.other")}
          </Button>
        </section>
      ) : (
        <>
          {now.length > 0 && (
            <section>
              <h3>{t("staff.wrong.now")}</h3>
              <div class="staff-now">
                {now.map((one) => {
                  const command = one.command as unknown as Command & { seat?: number; number?: number };
                  const where = command.seat ? t("staff.where.seat", { number: command.seat }) : command.number ? t("staff.where.card", { number: command.number }) : "";
                  return (
                    <Button key={JSON.stringify(command)} onClick={() => void reportNow(command)}>
                      {capital(one.what).replace(/\.$/, "")}
                      {where}
                    </Button>
                  );
                })}
              </div>
            </section>
          )}
          <section>
            <h3>{t("staff.wrong.all")}</h3>
            <p class="small">{t("staff.wrong.how")}</p>
            <ul class="staff-kinds">
              {list.map((one) => (
                <li key={one.kind}>
                  <button type="button" onClick={() => (chosen.value = one)}>
                    {capital(one.what).replace(/\.$/, "")}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        </>
      )}
    </Drawer>
  );
}

interface RuledProps {
  rulings: Http.RulingCited[];
  desk: Http.DeskOfTable | null;
  stakes: Record<string, number>;
  view: View;
  heading: { current: HTMLHeadingElement | null };
  onClose: () => void;
}

/** What was ruled on a report, what happens to the wagers, and the steps that carry it out. */
function Ruled({ rulings, desk, stakes, view, heading, onClose }: RuledProps) {
  const steps = (desk?.script ?? []).filter((one) => one.mends);
  const back = new Set(steps.filter((one) => one.step.kind === "return_bets").map((one) => String(one.step.seat)));
  const lost = new Set(steps.filter((one) => one.step.kind === "forfeit_bets").map((one) => String(one.step.seat)));
  const seats = Object.entries(stakes).filter(([, cents]) => cents > 0);
  return (
    <section>
      <h3 ref={heading} tabIndex={-1}>
        {t("staff.ruled")}
      </h3>
      <Rulings rulings={rulings} bare />
      {seats.length > 0 && (
        <table class="rows">
          <caption>{t("staff.ruled.wagers")}</caption>
          <thead>
            <tr>
              <th scope="col">{t("staff.seat.one")}</th>
              <th scope="col">{t("staff.ruled.staked")}</th>
              <th scope="col">{t("staff.ruled.then")}</th>
            </tr>
          </thead>
          <tbody>
            {seats.map(([seat, cents]) => (
              <tr key={seat}>
                <td>
                  {seat} {view.seats[seat]?.player}
                </td>
                <td>{money(cents)}</td>
                <td>{t(back.has(seat) ? "staff.ruled.back" : lost.has(seat) ? "staff.ruled.forfeit" : "staff.ruled.stay")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {steps.length > 0 && (
        <>
          <h4>{t("staff.ruled.steps")}</h4>
          <ol class="staff-steps">
            {steps.map((one, at) => (
              <li key={at}>
                {capital(one.text)} <span class="small">{t(`staff.actor.${one.actor}` as Text)}</span>
              </li>
            ))}
          </ol>
        </>
      )}
      <Button kind="main" onClick={onClose}>
        {t(steps.length ? "staff.ruled.carry" : "staff.ruled.on")}
      </Button>
    </section>
  );
}

/** Rulings and orders of this round, each with its clauses. */
export function Rulings({ rulings, bare = false }: { rulings: Http.RulingCited[]; bare?: boolean }) {
  if (!rulings.length) return null;
  return (
    <section class="staff-rulings" aria-label={bare ? undefined : t("staff.rulings")}>
      {!bare && <h2>{t("staff.rulings")}</h2>}
      {rulings.map((one, at) => (
        <article key={at}>
          <p>
            <b>{capital(one.sentence)}</b>
          </p>
          <p class="small">
            {t("staff.ruled.by", { by: named(`staff.by.${one.by.split(":")[0]!}`) })}
            {one.seat ? ` · ${t("staff.seat", { number: one.seat })}` : ""}
            {one.why ? ` · ${one.why}` : ""}
          </p>
          <Clauses clauses={one.clauses} none={t("staff.default")} />
        </article>
      ))}
    </section>
  );
}
