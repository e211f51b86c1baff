// Open table: a new table by a published rule book and its options, or by the house's own book; the server checks it all.
import { useSignal } from "@preact/signals";
import { ask } from "../../net/api";
import { Drawer } from "../../parts/Drawer";
import { say } from "../../parts/Toast";
import { paytableWords } from "../../state/titles";
import { betName, t } from "../../texts";
import { fieldCents, Form, No, textOf, useAsked } from "./parts";

const OWN = "own";
/** What a schedule of fees looks like. */
const FEES = '[{"limit_cents_max": 10000, "wager_cents": 50, "bank_cents": 200}]';

export function OpenTable({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const books = useAsked(() => ask("GET /api/rulebooks"));
  const paytables = useAsked(() => ask("GET /api/paytables"));
  const chosen = useSignal("");
  const every = books.value.value ?? [];
  const id = chosen.value || every[0]?.id || "";
  const book = every.find((one) => one.id === id);
  const stated = (book?.must_state ?? []).filter((key) => !key.startsWith("limit."));

  async function open(form: FormData): Promise<void> {
    const files = form.getAll("texts").filter((one): one is File => one instanceof File && one.size > 0);
    const texts = Object.fromEntries(await Promise.all(files.map(async (one) => [one.name, await one.text()] as const)));
    const least = fieldCents(form, "least");
    const most = fieldCents(form, "most");
    if ((least === null) !== (most === null)) throw new Error(t("staff.open.both"));
    const values: Record<string, unknown> = {};
    for (const [number, line] of textOf(form, "values").split("\n").filter((one) => one.trim()).entries()) {
      const [key = "", ...rest] = line.split("=");
      if (!rest.length) throw new Error(t("staff.open.line", { number: number + 1, line }));
      values[key.trim()] = valueOf(rest.join("=").trim());
    }
    for (const key of stated) {
      const text = textOf(form, `state ${key}`);
      if (text) values[key] = valueOf(text);
    }
    const paytable = Object.fromEntries(
      (book?.wagers ?? []).map((wager) => [wager, textOf(form, `paytable ${wager}`)]).filter(([, name]) => name),
    ) as Record<string, string>;
    const options = form.getAll("variant").map((one) => `+${String(one)}`);
    await ask("POST /api/tables", {
      body: {
        name: textOf(form, "name"),
        id: textOf(form, "id"),
        rulebook: id === OWN ? (files.find((one) => one.name.endsWith(".toml"))?.name ?? "") : id + options.join(""),
        limits_cents: least === null || most === null ? null : [least, most],
        paytables: paytable,
        values,
        texts,
      },
    });
    say(t("staff.open.opened", { name: textOf(form, "name") }));
    onDone();
    onClose();
  }

  return (
    <Drawer title={t("staff.open.title")} open onClose={onClose}>
      <No>{books.refused.value || paytables.refused.value}</No>
      <Form submit={t("staff.open.title")} onSubmit={open}>
        <label>
          {t("staff.open.name")}
          <input name="name" required maxLength={60} autocomplete="off" />
        </label>
        <label>
          {t("staff.open.book")}
          <select value={id} onChange={(event) => (chosen.value = event.currentTarget.value)}>
            {every.map((one) => (
              <option key={one.id} value={one.id}>
                {one.title}
              </option>
            ))}
            <option value={OWN}>{t("staff.open.own")}</option>
          </select>
        </label>
        {id === OWN && (
          <label>
            {t("staff.open.files")}
            <input name="texts" type="file" accept=".toml" multiple required />
          </label>
        )}
        {book && Object.keys(book.variants).length > 0 && (
          <fieldset class="choices">
            <legend>{t("staff.open.options")}</legend>
            {Object.entries(book.variants).map(([one, title]) => (
              <label key={one}>
                <input type="checkbox" name="variant" value={one} /> {title}
              </label>
            ))}
          </fieldset>
        )}
        <fieldset class="staff-pair">
          <legend>{t("staff.open.limits")}</legend>
          <label>
            {t("staff.least")}
            <input name="least" inputMode="decimal" pattern="[0-9]+([.][0-9]{1,2})?" required={book?.must_state.includes("limit.cents_min")} />
          </label>
          <label>
            {t("staff.most")}
            <input name="most" inputMode="decimal" pattern="[0-9]+([.][0-9]{1,2})?" required={book?.must_state.includes("limit.cents_max")} />
          </label>
        </fieldset>
        {(book?.wagers ?? []).map((wager) => (
          <label key={`${id} ${wager}`}>
            {t("staff.open.paytable", { wager: betName(wager) })}
            <select name={`paytable ${wager}`}>
              <option value="">{t("staff.open.asbook")}</option>
              {(paytables.value.value ?? [])
                .filter((one) => one.wagers.some((pays) => pays.wager === wager))
                .map((one) => (
                  <option key={one.id} value={one.id}>
                    {one.id}: {paytableWords(one.id, one.title)}
                  </option>
                ))}
            </select>
          </label>
        ))}
        {stated.map((key) => (
          <label key={`${id} ${key}`}>
            {t("staff.open.state", { key })}
            <textarea
              name={`state ${key}`}
              rows={2}
              required
              spellcheck={false}
              defaultValue={key === "fee.tiers" ? FEES : ""}
            />
          </label>
        ))}
        <details>
          <summary>{t("staff.open.more")}</summary>
          <div class="form">
            <label>
              {t("staff.open.id")}
              <input name="id" maxLength={48} pattern="[a-z0-9][a-z0-9._\-]*" autocomplete="off" />
            </label>
            <label>
              {t("staff.open.values")}
              <textarea name="values" rows={3} spellcheck={false} placeholder="bet.cutoff = first_card" />
            </label>
          </div>
        </details>
      </Form>
    </Drawer>
  );
}

/** A value as a person wrote it: JSON where it is JSON, otherwise the text itself. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
