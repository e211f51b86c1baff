// Account: a drawer with who one is, the wallet, limits, and how the page looks; money and limits are the server's.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Http } from "../generated/api";
import { ask, told } from "../net/api";
import { asked, me, playChips, signIn, signOut } from "../state/session";
import { clocks, fourColours, motion, textView, theme, type Theme } from "../state/settings";
import { money, signed, t, type Text } from "../texts";
import { Button } from "./Button";
import { Drawer } from "./Drawer";
import { Limits } from "./Limits";
import { say } from "./Toast";

export default function Account({ onClose }: { onClose: () => void }) {
  return (
    <Drawer title={t("account.title")} open onClose={onClose}>
      {me.value && !me.value.guest ? <Known person={me.value} /> : <Stranger />}
      {me.value && <Wallet key={`wallet ${me.value.name}`} />}
      {me.value && <Limits key={`limits ${me.value.name}`} />}
      <Looks />
    </Drawer>
  );
}

function Known({ person }: { person: Http.Me }) {
  return (
    <section class="drawer-part">
      <p>{t("account.as", { name: person.name })}</p>
      <div class="side-by-side">
        <Button onClick={() => void signOut().then(() => say(t("account.out.done")))}>{t("account.out")}</Button>
        <Button onClick={() => void signOut("everywhere").then(() => say(t("account.everywhere.done")))}>{t("account.everywhere")}</Button>
      </div>
      <details>
        <summary>{t("account.password.change")}</summary>
        <NewPassword />
      </details>
    </section>
  );
}

function NewPassword() {
  const refused = useSignal("");
  const busy = useSignal(false);
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    busy.value = true;
    refused.value = "";
    try {
      await ask("POST /api/me/password", { body: { old: String(fields.get("old")), new: String(fields.get("new")) } });
      form.reset();
      say(t("account.password.done"));
    } catch (error) {
      refused.value = told(error);
    } finally {
      busy.value = false;
    }
  }
  return (
    <form class="form" onSubmit={(event) => void submit(event)}>
      <label>
        {t("account.password.old")}
        <input name="old" type="password" autocomplete="current-password" required maxLength={256} />
      </label>
      <label>
        {t("account.password.new")}
        <input name="new" type="password" autocomplete="new-password" required minLength={10} maxLength={256} />
      </label>
      {refused.value && (
        <p class="form-no" role="alert">
          {refused.value}
        </p>
      )}
      <Button type="submit" disabled={busy.value}>
        {t("account.password.save")}
      </Button>
    </form>
  );
}

function Stranger() {
  const isNew = useSignal(false);
  const refused = useSignal("");
  const busy = useSignal(false);
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    busy.value = true;
    refused.value = "";
    try {
      await signIn(String(form.get("name")), String(form.get("password")), isNew.value);
      say(t("account.in.done", { name: me.value?.name ?? "" }));
    } catch (error) {
      refused.value = told(error);
    } finally {
      busy.value = false;
    }
  }
  return (
    <section class="drawer-part">
      <p>{me.value ? t("account.guest", { name: me.value.name }) : asked.value ? t("account.nobody") : t("app.loading")}</p>
      <form class="form" onSubmit={(event) => void submit(event)}>
        <label>
          {t("account.name")}
          <input name="name" autocomplete="username" required maxLength={64} />
        </label>
        <label>
          {t("account.password")}
          <input
            name="password"
            type="password"
            autocomplete={isNew.value ? "new-password" : "current-password"}
            required
            maxLength={256}
          />
        </label>
        <label class="check">
          <input type="checkbox" checked={isNew.value} onChange={() => (isNew.value = !isNew.value)} />
          {t("account.new")}
        </label>
        {refused.value && (
          <p class="form-no" role="alert">
            {refused.value}
          </p>
        )}
        <Button kind="main" type="submit" disabled={busy.value}>
          {isNew.value ? t("account.make") : t("account.in")}
        </Button>
      </form>
    </section>
  );
}

function Wallet() {
  const found = useSignal<Http.Wallet | null>(null);
  const load = (): Promise<void> => ask("GET /api/me/wallet").then((one) => void (found.value = one)).catch(() => undefined);
  useEffect(() => void load(), []);
  async function more(): Promise<void> {
    try {
      const before = me.value?.wallet_cents ?? 0;
      const after = (await playChips())?.wallet_cents ?? before;
      say(t("wallet.given", { amount: money(after - before), wallet: money(after) }));
      await load();
    } catch (error) {
      say(told(error), "trouble");
    }
  }
  const wallet = found.value;
  if (!wallet) return null;
  return (
    <section class="drawer-part">
      <h3>{t("wallet.title")}</h3>
      <p class="figure">{money(wallet.cents)}</p>
      {wallet.outside_cents === null && <Button onClick={() => void more()}>{t("wallet.more")}</Button>}
      {wallet.visits.length > 0 && (
        <table class="rows">
          <caption>{t("wallet.visits")}</caption>
          <thead>
            <tr>
              <th scope="col">{t("wallet.table")}</th>
              <th scope="col">{t("wallet.bought")}</th>
              <th scope="col">{t("wallet.result")}</th>
            </tr>
          </thead>
          <tbody>
            {wallet.visits.slice(0, 5).map((one) => (
              <tr key={one.since_ms}>
                <td>{one.table}</td>
                <td>{money(one.bought_cents)}</td>
                <td>{one.until_ms ? signed(one.back_cents - one.bought_cents) : t("wallet.there")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Looks() {
  const themes: [Theme, Text][] = [
    ["auto", "theme.auto"],
    ["light", "theme.light"],
    ["dark", "theme.dark"],
  ];
  const switches: [Text, { value: boolean }][] = [
    ["looks.four", fourColours],
    ["looks.clocks", clocks],
    ["looks.motion", motion],
    ["looks.text", textView],
  ];
  return (
    <section class="drawer-part">
      <h3>{t("looks.title")}</h3>
      <fieldset class="choices">
        <legend>{t("theme.label")}</legend>
        {themes.map(([one, words]) => (
          <label key={one}>
            <input type="radio" name="theme" checked={theme.value === one} onChange={() => (theme.value = one)} />
            <span>{t(words)}</span>
          </label>
        ))}
      </fieldset>
      {switches.map(([words, setting]) => (
        <label key={words} class="check">
          <input type="checkbox" checked={setting.value} onChange={() => (setting.value = !setting.value)} />
          {t(words)}
        </label>
      ))}
    </section>
  );
}
