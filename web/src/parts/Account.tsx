// Account: a drawer with who one is, the wallet, limits, and how the page looks; money and limits are the server's.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Http } from "../generated/api";
import { ask, told } from "../net/api";
import { me, playChips, signOut } from "../state/session";
import { lobbyName } from "../state/titles";
import { clocks, fourColours, motion, textView, theme, type Theme } from "../state/settings";
import { money, signed, t, type Text } from "../texts";
import { voucherWhy } from "../texts/kept";
import { OwnLink } from "./AtProvider";
import { Button } from "./Button";
import { Drawer } from "./Drawer";
import { LanguageChoice } from "./LanguageChoice";
import { Limits } from "./Limits";
import { FactorFirst, OwnFactors } from "./OwnFactors";
import { OwnSessions } from "./Sessions";
import { SignIn } from "./SignIn";
import { say } from "./Toast";

export default function Account({ onClose }: { onClose: () => void }) {
  return (
    <Drawer title={t("account.title")} open onClose={onClose}>
      {me.value && !me.value.guest ? <Known person={me.value} /> : <SignIn />}
      {me.value && !me.value.second_factor && <Wallet key={`wallet ${me.value.name}`} />}
      {me.value && !me.value.second_factor && <Limits key={`limits ${me.value.name}`} />}
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
      {person.second_factor ? <FactorFirst wait={person.second_factor} /> : <Settled />}
    </section>
  );
}

/** What belongs to an account that is signed in for good. */
const Settled = () => (
  <>
    <details>
      <summary>{t("account.password.change")}</summary>
      <NewPassword />
    </details>
    <details>
      <summary>{t("factor.title")}</summary>
      <OwnFactors />
    </details>
    <OwnLink />
    <details>
      <summary>{t("sessions.title")}</summary>
      <OwnSessions />
    </details>
  </>
);

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

function Wallet() {
  const found = useSignal<Http.Wallet | null>(null);
  const load = (): Promise<void> => ask("GET /api/me/wallet").then((one) => void (found.value = one)).catch(() => undefined);
  const vouchers = useSignal<Http.VoucherShown[]>([]);
  const good = (one: Http.VoucherShown): boolean => one.redeemed_at === null && (!one.until_ms || one.until_ms > Date.now());
  const loadVouchers = (): Promise<void> =>
    ask("GET /api/me/vouchers").then((all) => void (vouchers.value = all.filter(good))).catch(() => undefined);
  useEffect(() => void Promise.all([load(), loadVouchers()]), []);
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
      {wallet.top_up_cents !== null && (
        <>
          <Button disabled={!wallet.top_up_cents} onClick={() => void more()}>
            {wallet.top_up_cents ? t("wallet.more.of", { amount: money(wallet.top_up_cents) }) : t("wallet.more")}
          </Button>
          {!wallet.top_up_cents && <p class="small">{t("wallet.enough")}</p>}
        </>
      )}
      {vouchers.value.length > 0 && (
        <>
          <h4>{t("wallet.vouchers")}</h4>
          {vouchers.value.map((one) => (
            <p key={one.id}>{t("wallet.voucher", { amount: money(one.cents), why: voucherWhy(one) })}</p>
          ))}
          <p class="small">{t("wallet.vouchers.how")}</p>
        </>
      )}
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
                <td>{lobbyName(one.table)}</td>
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
      <LanguageChoice />
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
