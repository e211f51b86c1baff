// Pays: the form of the page: which table, what each hand pays, ties, and a maximum payout.
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Http } from "../../generated/api";
import { BASE } from "../../generated/wagers";
import { told } from "../../net/api";
import { Button } from "../../parts/Button";
import { say } from "../../parts/Toast";
import { paytableWords } from "../../state/titles";
import { betName, t, type Text } from "../../texts";
import { handName } from "../../texts/hands";
import { type Edited, type Format, inWords, type Scope } from "./edited";

const SCOPES: Scope[] = ["player_round", "hand", "wager", "round"];
const FORMATS: Format[] = ["pdf", "html", "json"];

/** What a table prices: 'Base game and Bonus'. */
const kindOf = (table: Http.PaytableData): string => table.wagers.map((one) => betName(one.wager)).join(t("par.kind.and"));

export function Pays({ edited }: { edited: Edited }) {
  const kinds = [...new Set(edited.tables.value.map(kindOf))];
  const changed = edited.changes.value.length;
  const wrong = edited.wrong.value;
  return (
    <form class="par-form form" aria-label={t("par.form")} onSubmit={(event) => event.preventDefault()}>
      <label>
        {t("par.table")}
        <select value={edited.chosen.value} onChange={(event) => edited.choose(event.currentTarget.value)}>
          {kinds.map((kind) => (
            <optgroup key={kind} label={kind}>
              {edited.tables.value
                .filter((one) => kindOf(one) === kind)
                .map((one) => (
                  <option key={one.id} value={one.id}>
                    {one.id}: {paytableWords(one.id, one.title)}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </label>
      {edited.table.value?.wagers.map((one) => (
        <Wager key={`${edited.chosen.value} ${one.wager}`} edited={edited} wager={one} wrong={wrong.wager === one.wager ? wrong.hand : ""} />
      ))}
      <p class="par-no" role="alert">
        {edited.trouble.value && <span class="form-no">{edited.trouble.value}</span>}
      </p>
      <div class="par-again">
        <Button disabled={!changed} onClick={() => edited.choose(edited.chosen.value)}>
          {t("par.reset", { id: edited.chosen.value })}
        </Button>
        <span class="small">{changed ? t("par.changed", { n: changed }) : t("par.unchanged")}</span>
      </div>
      {edited.table.value?.wagers.some((one) => one.wager === BASE) && <Conventions edited={edited} />}
      <Files edited={edited} />
    </form>
  );
}

function Wager({ edited, wager, wrong }: { edited: Edited; wager: Http.WagerPays; wrong: string }) {
  const rows = Object.entries(edited.pays.value[wager.wager] ?? {});
  const columns = rows[0]?.[1].length ?? 1;
  const at = columns > 1 ? edited.hands.value - 1 : 0;
  const hint = useId();
  const priced = edited.found.value?.wagers.find((one) => one.wager === wager.wager && (one.hands ?? 0) === (columns > 1 ? at + 1 : 0));
  const unlisted = (hand: string): string => {
    const pay = priced?.lines.find((one) => one.category === inWords(hand))?.pay;
    return pay ? t("par.pays", { pay }) : t("par.loses");
  };
  return (
    <fieldset class="par-wager">
      <legend>
        {betName(wager.wager)} <span class="small">{t(wager.award === "to_one" ? "par.to_one" : "par.total")}</span>
      </legend>
      {columns > 1 && (
        <label class="par-hands">
          {t("par.hands")}
          <select value={edited.hands.value} onChange={(event) => (edited.hands.value = Number(event.currentTarget.value))}>
            {Array.from({ length: columns }, (_, index) => (
              <option key={index} value={index + 1}>
                {index + 1}
              </option>
            ))}
          </select>
        </label>
      )}
      <div class="par-pays">
        {rows.map(([hand, texts]) => {
          const was = edited.published.value[wager.wager]?.[hand]?.[at] ?? "";
          const text = texts[at] ?? "";
          const other = text.trim() !== was;
          return (
            <label key={hand} class={other ? "par-pay is-changed" : "par-pay"}>
              <span>{handName(inWords(hand))}</span>
              <input
                inputMode="numeric"
                autocomplete="off"
                spellcheck={false}
                maxLength={20}
                value={text}
                placeholder={t("par.empty")}
                aria-invalid={wrong === hand ? "true" : undefined}
                aria-describedby={hint}
                onInput={(event) => edited.set(wager.wager, hand, at, event.currentTarget.value)}
                onKeyDown={(event) => step(event, (next) => edited.set(wager.wager, hand, at, next))}
              />
              <span class="par-was">{other ? t("par.was", { pay: was || t("par.unlisted") }) : text ? "" : unlisted(hand)}</span>
            </label>
          );
        })}
      </div>
      <p id={hint} class="small">
        {t("par.hint")}
      </p>
    </fieldset>
  );
}

/** Let the arrow keys go up and down by one, ten with shift. */
function step(event: KeyboardEvent & { currentTarget: HTMLInputElement }, set: (text: string) => void): void {
  const by = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
  const now = Number(event.currentTarget.value || "0");
  if (!by || !Number.isInteger(now)) return;
  event.preventDefault();
  set(String(Math.max(0, now + by * (event.shiftKey ? 10 : 1))));
}

function Conventions({ edited }: { edited: Edited }) {
  return (
    <details class="par-more" open={edited.capped.value || edited.ties.value === "ride"}>
      <summary>
        <b>{t("par.conventions")}</b>
      </summary>
      <fieldset class="choices">
        <legend>{t("par.ties")}</legend>
        {(["withdraw", "ride"] as const).map((one) => (
          <label key={one}>
            <input type="radio" name="ties" checked={edited.ties.value === one} onChange={() => (edited.ties.value = one)} />
            {t(`par.ties.${one}`)}
          </label>
        ))}
      </fieldset>
      <label class="check">
        <input type="checkbox" checked={edited.capped.value} onChange={(event) => (edited.capped.value = event.currentTarget.checked)} />
        {t("par.maximum")}
      </label>
      {edited.capped.value && (
        <div class="par-maximum">
          <label>
            {t("par.stake")}
            <input inputMode="decimal" value={edited.stake.value} onInput={(event) => (edited.stake.value = event.currentTarget.value)} />
          </label>
          <label>
            {t("par.most")}
            <input inputMode="decimal" value={edited.most.value} onInput={(event) => (edited.most.value = event.currentTarget.value)} />
          </label>
          <label>
            {t("par.scope")}
            <select value={edited.scope.value} onChange={(event) => (edited.scope.value = event.currentTarget.value as Scope)}>
              {SCOPES.map((one) => (
                <option key={one} value={one}>
                  {t(`par.scope.${one}` as Text)}
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
    </details>
  );
}

function Files({ edited }: { edited: Edited }) {
  const making = useSignal("");
  async function make(format: Format): Promise<void> {
    making.value = format;
    try {
      await edited.file(format);
      say(t("par.file.done"));
    } catch (error) {
      say(told(error), "trouble");
    }
    making.value = "";
  }
  return (
    <div class="par-files" role="group" aria-label={t("par.file")}>
      <span>{making.value ? t("par.file.making") : t("par.file")}</span>
      {FORMATS.map((one) => (
        <Button key={one} disabled={making.value !== "" || edited.trouble.value !== ""} onClick={() => void make(one)}>
          {one.toUpperCase()}
        </Button>
      ))}
    </div>
  );
}
