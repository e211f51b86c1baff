// Head: the line above every page: where one can go, who one is, how the page looks.
import { signal, useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { STAFF_ACCOUNTS } from "../generated/roles";
import { path } from "../router";
import { failed } from "../state/provider";
import { codeWanted, me } from "../state/session";
import { money, t, type Text } from "../texts";

const account = signal<ComponentType<{ onClose: () => void }> | null>(null);

export function Head() {
  const open = useSignal(false);
  const Account = account.value;
  function openAccount(): void {
    open.value = true;
    void import("./Account").then((found) => (account.value = found.default));
  }
  useEffect(() => {
    // Who comes back from the provider with nothing done reads why where they left; staff have a door of their own.
    if ((failed.value || codeWanted.value) && !path.value.startsWith("/staff")) openAccount();
  }, []);
  const works = me.value?.roles.some((role) => STAFF_ACCOUNTS.some((one) => one === role)) ?? false;
  const links: [string, Text][] = [
    ["/", "nav.lobby"],
    ["/results", "nav.results"],
    ["/learn", "nav.learn"],
    ["/par", "nav.par"],
    ...(works ? ([["/staff", "nav.staff"]] as [string, Text][]) : []),
  ];
  const here = (to: string) => (to === "/" ? path.value === "/" || path.value.startsWith("/table") : path.value.startsWith(to));
  return (
    <header class="head">
      <a class="head-name" href="/">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path d="M16 2c4 7 12 10 12 17a6 6 0 0 1-10 4.500c.300 3 1.300 5 3 6.500H11c1.700-1.500 2.700-3.500 3-6.500A6 6 0 0 1 4 19C4 12 12 9 16 2z" />
        </svg>
        <span>{t("app.name")}</span>
      </a>
      <nav class="head-nav" aria-label={t("app.nav")}>
        {links.map(([to, words]) => (
          <a key={to} href={to} aria-current={here(to) ? "page" : undefined}>
            {t(words)}
          </a>
        ))}
      </nav>
      <button type="button" class="head-me" aria-haspopup="dialog" onClick={openAccount}>
        <span class="head-me-name">{me.value ? me.value.name : t("account.open")}</span>
        {me.value && <span class="head-me-money">{money(me.value.wallet_cents)}</span>}
      </button>
      {open.value && Account && <Account onClose={() => (open.value = false)} />}
    </header>
  );
}
