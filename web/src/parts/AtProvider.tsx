// At provider: the button that leads to the house's own sign-in provider, and why a person came back with nothing done.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { told } from "../net/api";
import { failed, leave, loadWays, type Purpose, ways } from "../state/provider";
import { t } from "../texts";
import { Button } from "./Button";
import { No } from "./Form";

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
