// Limits: the player's own limits of loss and time, and breaks; stricter at once, looser in a day, as the server has it.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Http } from "../generated/api";
import { ask, told } from "../net/api";
import { AMOUNT, centsOf, moment, money, t, type Text, typedDollars } from "../texts";
import { Button } from "./Button";
import { say } from "./Toast";

type Name = keyof Http.LimitsShown;
const NAMES: Name[] = ["loss_day_cents", "loss_week_cents", "loss_month_cents", "time_day_minutes", "reminder_minutes"];
/** How long breaks may be, in days. */
const BREAKS = [1, 7, 30, 182];
const DAY_MS = 86_400_000;
const isMoney = (name: Name): boolean => name.endsWith("cents");

export function Limits() {
  const found = useSignal<Http.MyLimits | null>(null);
  useEffect(() => void ask("GET /api/me/limits").then((one) => (found.value = one)).catch(() => undefined), []);
  const limits = found.value;
  if (!limits) return null;

  async function change(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const wanted: Http.LimitsGiven = {};
    for (const name of NAMES) {
      const text = String(form.get(name) ?? "").trim();
      const value = text === "" ? null : isMoney(name) ? centsOf(text) : Math.round(Number(text));
      if (text !== "" && value === null) return say(t("bet.unread", { example: typedDollars(750) }), "trouble");
      if (value !== limits!.own[name]) wanted[name] = value;
    }
    const locksOut = NAMES.some((name) => name !== "reminder_minutes" && wanted[name] === 0);
    if (locksOut && !confirm(t("limits.zero"))) return;
    try {
      found.value = await ask("PATCH /api/me/limits", { body: wanted });
      say(t("limits.done"));
    } catch (error) {
      say(told(error), "trouble");
    }
  }

  async function takeBreak(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const days = Number(new FormData(event.currentTarget as HTMLFormElement).get("days"));
    if (!confirm(t("break.sure", { until: moment(Date.now() + days * DAY_MS) }))) return;
    try {
      found.value = await ask("POST /api/me/exclusion", { body: { days } });
    } catch (error) {
      say(told(error), "trouble");
    }
  }

  return (
    <>
      <section class="drawer-part">
        <h3>{t("break.title")}</h3>
        {limits.excluded_until_ms > Date.now() && (
          <p class="form-no" role="status">
            {t("limits.excluded", { until: moment(limits.excluded_until_ms) })}
          </p>
        )}
        <form class="form" onSubmit={(event) => void takeBreak(event)}>
          <p class="small">{t("break.how")}</p>
          <label>
            {t("break.days")}
            <select name="days">
              {BREAKS.map((days) => (
                <option key={days} value={days}>
                  {t("break.for", { days })}
                </option>
              ))}
            </select>
          </label>
          <Button type="submit">{t("break.take")}</Button>
        </form>
      </section>
      <section class="drawer-part">
        <h3>{t("limits.title")}</h3>
        <p class="small">{t("limits.how")}</p>
        <form class="form" onSubmit={(event) => void change(event)}>
          {NAMES.map((name) => {
            const own = limits.own[name];
            const waits = limits.waiting[name];
            return (
              <label key={name}>
                {t(`limits.${name}` as Text)}
                <input
                  name={name}
                  inputMode="decimal"
                  pattern={isMoney(name) ? AMOUNT : "[0-9]*"}
                  placeholder={t("app.none")}
                  defaultValue={own === null ? "" : isMoney(name) ? typedDollars(own) : String(own)}
                />
                {waits && (
                  <span class="small">
                    {t("limits.waits", {
                      value: waits.value === null ? t("app.none") : isMoney(name) ? money(waits.value) : waits.value,
                      when: moment(waits.from_ms),
                    })}
                  </span>
                )}
              </label>
            );
          })}
          <p class="small">{t("limits.used", { loss: money(limits.used.loss_day_cents), minutes: limits.used.time_day_minutes })}</p>
          <p class="small">{t("limits.used.how")}</p>
          <Button type="submit">{t("limits.keep")}</Button>
        </form>
      </section>
    </>
  );
}
