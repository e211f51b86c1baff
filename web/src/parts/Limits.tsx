// Limits: the player's own limits of loss and time; stricter at once, looser in a day, as the server has it.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Http } from "../generated/api";
import { ask, told } from "../net/api";
import { AMOUNT, centsOf, moment, money, t, type Text, typedDollars } from "../texts";
import { Button } from "./Button";
import { say } from "./Toast";

type Name = keyof Http.LimitsShown;
const NAMES: Name[] = ["loss_day_cents", "loss_week_cents", "loss_month_cents", "time_day_minutes", "reminder_minutes"];
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

  return (
    <details class="drawer-part">
      <summary>
        <h3>{t("limits.title")}</h3>
      </summary>
      <p class="small">{t("limits.how")}</p>
      {limits.excluded_until_ms > 0 && (
        <p class="form-no">{t("limits.excluded", { until: moment(limits.excluded_until_ms) })}</p>
      )}
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
    </details>
  );
}
