// At provider: the button that leads to the house's own sign-in provider, why a person came back with nothing done, and
// the link between an account and the provider.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Http } from "../generated/api";
import { ask, told } from "../net/api";
import { failed, leave, loadWays, type Purpose, ways } from "../state/provider";
import { t } from "../texts";
import { Button } from "./Button";
import { No } from "./Form";
import { say } from "./Toast";

const WORDS = { sign_in: "provider.in", link: "provider.link", confirm: "provider.confirm" } as const;

/** The button, where the house has a provider. */
export function AtProvider({ purpose }: { purpose: Purpose }) {
  const busy = useSignal(false);
  useEffect(() => void loadWays().catch(() => undefined), []);
  const name = ways.value?.provider;
  async function go(): Promise<void> {
    busy.value = true;
    try {
      await leave(purpose);
    } catch (error) {
      failed.value = told(error);
      busy.value = false;
    }
  }
  if (!name) return null;
  return (
    <div class="at-provider">
      <No>{failed.value}</No>
      <Button onClick={() => void go()} disabled={busy.value}>
        {t(WORDS[purpose], { name })}
      </Button>
      {purpose === "link" && <p class="small">{t("provider.link.how", { name })}</p>}
      {purpose !== "link" && <p class="at-provider-or small">{t("provider.or")}</p>}
    </div>
  );
}

/** Whether your account is linked to the provider, and how to change that. */
export function OwnLink() {
  const link = useSignal<Http.OwnLink | null>(null);
  const load = (): Promise<void> => ask("GET /api/me/oidc").then((one) => void (link.value = one), () => undefined);
  useEffect(() => void Promise.all([load(), loadWays()]).catch(() => undefined), []);
  const name = ways.value?.provider;
  if (!name || !link.value) return null;
  if (!link.value.linked) return <AtProvider purpose="link" />;
  async function unlink(): Promise<void> {
    try {
      await ask("DELETE /api/me/oidc");
      say(t("provider.unlinked"));
      await load();
    } catch (error) {
      say(told(error), "trouble");
    }
  }
  return (
    <div class="at-provider">
      <No>{failed.value}</No>
      <p>{t("provider.linked", { name })}</p>
      {link.value.password && <Button onClick={() => void unlink()}>{t("provider.unlink", { name })}</Button>}
    </div>
  );
}
