// Own table: a private table as its owner wants it: book or a book of their own, limits, pays, clock, bots; the server checks it all.
import { useSignal } from "@preact/signals";
import type { Http } from "../../generated/api";
import { BASE } from "../../generated/wagers";
import { ask, told } from "../../net/api";
import { Button } from "../../parts/Button";
import { currentOrGuest } from "../../state/session";
import { bookWords, paytableWords } from "../../state/titles";
import { AMOUNT, betName, centsOf, t } from "../../texts";

/** The option for the player's own book, and the name it is sent under where it was typed. */
const OWN = "own";
const PASTED = "my-rules.toml";
/** What a player's own book looks like at the least. */
const SKETCH = 'id = "our-rules-1"\ntitle = "Our rules"\nextends = "shufflemaster-1"\n\n[rules]\nlimit.cents_min = 100\nlimit.cents_max = 2_500\n';

const FIRST = { name: "", book: "", least: "", most: "", seconds: "", bots: "0", text: "", file: "" };
type Wish = typeof FIRST & { paytables: Record<string, string> };

export function OwnTable({ onOpened }: { onOpened: (id: string, name: string) => void }) {
  const refused = useSignal("");
  const busy = useSignal(false);
  const books = useSignal<Http.BookSummary[]>([]);
  const paytables = useSignal<Http.PaytableData[]>([]);
  // Held here, not in the fields: the lobby is drawn anew now and then, and what a person types must outlive that.
  const wish = useSignal<Wish>({ ...FIRST, name: t("private.named"), paytables: {} });
  const set = (change: Partial<Wish>): void => void (wish.value = { ...wish.value, ...change });
  const { name, least, most, seconds, bots, text, file } = wish.value;
  const rulebook = wish.value.book || (books.value.find((one) => one.bank === "house" && one.device === "shuffler") ?? books.value[0])?.id || "";
  const book = books.value.find((one) => one.id === rulebook);

  function load(): void {
    if (books.value.length) return;
    ask("GET /api/rulebooks").then((found) => (books.value = found), (error: unknown) => (refused.value = told(error)));
    ask("GET /api/paytables").then((found) => (paytables.value = found), () => undefined);
  }

  async function read(input: HTMLInputElement): Promise<void> {
    const chosen = input.files?.[0];
    if (chosen) set({ text: await chosen.text(), file: chosen.name.endsWith(".toml") ? chosen.name : PASTED });
  }

  async function open(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    busy.value = true;
    refused.value = "";
    try {
      await currentOrGuest();
      const { id } = await ask("POST /api/private-tables", { body: asked(wish.value, rulebook) });
      onOpened(id, name.trim());
    } catch (error) {
      refused.value = told(error);
    } finally {
      busy.value = false;
    }
  }

  return (
    <details class="own-table">
      <summary onClick={load}>
        <h2>{t("private.title")}</h2>
      </summary>
      <p class="small">{t("private.what")}</p>
      <form class="form own-table-form" onSubmit={(event) => void open(event)}>
        <label>
          {t("private.name")}
          <input name="name" required maxLength={40} value={name} onInput={(event) => set({ name: event.currentTarget.value })} />
        </label>
        <label>
          {t("private.book")}
          <select name="rulebook" value={rulebook} onChange={(event) => set({ book: event.currentTarget.value, paytables: {} })}>
            {books.value.map((one) => (
              <option key={one.id} value={one.id} selected={one.id === rulebook}>
                {bookWords(one.id, one.title)}
              </option>
            ))}
            <option value={OWN} selected={rulebook === OWN}>
              {t("private.own")}
            </option>
          </select>
        </label>
        {rulebook === OWN && (
          <fieldset class="own-table-text">
            <legend>{t("private.own.title")}</legend>
            <label>
              {t("private.own.file")}
              <input type="file" accept=".toml" onChange={(event) => void read(event.currentTarget)} />
            </label>
            <label>
              {t("private.own.text")}
              <textarea
                rows={8}
                required
                spellcheck={false}
                maxLength={40000}
                placeholder={SKETCH}
                value={text}
                onInput={(event) => set({ text: event.currentTarget.value, file: file || PASTED })}
              />
            </label>
            <div class="drawer-ways">
              <Button disabled={text !== ""} onClick={() => set({ text: SKETCH, file: PASTED })}>
                {t("private.own.sketch")}
              </Button>
            </div>
            <p class="small">{t("private.own.how")}</p>
          </fieldset>
        )}
        <details class="own-table-more">
          <summary>{t("private.more")}</summary>
          <div class="own-table-form">
            <fieldset class="own-table-pair">
              <legend>{t("private.limits")}</legend>
              <label>
                {t("private.least")}
                <input inputMode="decimal" pattern={AMOUNT} value={least} onInput={(event) => set({ least: event.currentTarget.value })} />
              </label>
              <label>
                {t("private.most")}
                <input inputMode="decimal" pattern={AMOUNT} value={most} onInput={(event) => set({ most: event.currentTarget.value })} />
              </label>
            </fieldset>
            {book?.wagers.filter((wager) => (book.paytables[wager]?.length ?? 0) > 1).map((wager) => (
              <label key={`${rulebook} ${wager}`}>
                {t("private.pays", { bet: betName(wager) })}
                <select
                  value={wish.value.paytables[wager] ?? ""}
                  onChange={(event) => set({ paytables: { ...wish.value.paytables, [wager]: event.currentTarget.value } })}
                >
                  <option value="">{t("private.asbook")}</option>
                  {paytables.value
                    .filter((one) => book.paytables[wager]?.includes(one.id) && (wager !== BASE || pricesAll(book, one)))
                    .map((one) => (
                      <option key={one.id} value={one.id}>
                        {one.id}: {paytableWords(one.id, one.title)}
                      </option>
                    ))}
                </select>
              </label>
            ))}
            <label>
              {t("private.clock")}
              <input type="number" min={5} max={600} step={1} value={seconds} placeholder="30" onInput={(event) => set({ seconds: event.currentTarget.value })} />
            </label>
            <label>
              {t("private.bots")}
              <input type="number" min={0} max={5} step={1} value={bots} onInput={(event) => set({ bots: event.currentTarget.value })} />
            </label>
          </div>
        </details>
        <Button kind="main" type="submit" disabled={busy.value || (!book && rulebook !== OWN)}>
          {t(busy.value ? "private.opening" : "private.open")}
        </Button>
        {refused.value && (
          <p class="form-no" role="alert">
            {refused.value}
          </p>
        )}
      </form>
    </details>
  );
}

/** Whether a paytable of the base game prices all that a book deals: a bet without a paytable of its own is priced with that game. */
const pricesAll = (book: Http.BookSummary, table: Http.PaytableData): boolean =>
  book.wagers.every((one) => book.paytables[one]?.length || table.wagers.some((priced) => priced.wager === one));

/** What the server is asked for; an amount that cannot be read, or one limit alone, is said here. */
function asked(wish: Wish, rulebook: string) {
  const limits = [wish.least, wish.most].map((one) => (one.trim() ? centsOf(one) : 0));
  const [least, most] = limits;
  if (least === null || most === null) throw new Error(t("private.amount"));
  if (!least !== !most) throw new Error(t("private.both"));
  const isOwn = rulebook === OWN;
  const file = wish.file || PASTED;
  return {
    name: wish.name.trim(),
    rulebook: isOwn ? file : rulebook,
    limits_cents: least && most ? ([least, most] as [number, number]) : null,
    paytables: Object.fromEntries(Object.entries(wish.paytables).filter(([, id]) => id)),
    choice_seconds: wish.seconds ? Number(wish.seconds) : null,
    bots: Number(wish.bots || 0),
    texts: (isOwn ? { [file]: wish.text } : {}) as Record<string, string>,
  };
}
