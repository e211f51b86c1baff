// Banner: what is wrong with the line or the table, and what to do about it; nothing where all is well.
import { useEffect, useState } from "preact/hooks";
import { told } from "../../net/api";
import { Button } from "../../parts/Button";
import { say } from "../../parts/Toast";
import { me, signedOut, currentOrGuest } from "../../state/session";
import { t } from "../../texts";
import type { Game } from "./game";

const SLOW_MS = 1500;

export function Banner({ game, others }: { game: Game; others: boolean }) {
  const { line, waiting, halted } = game.line;
  const slow = useSlow(waiting.value > 0);
  switch (line.value) {
    case "lost":
      return (
        <p class="banner banner-bad" role="alert">
          <span>{t("line.lost")}</span>
          <Button onClick={() => game.line.reconnect()}>{t("line.now")}</Button>
        </p>
      );
    case "halted":
      return (
        <p class="banner banner-bad" role="alert">
          <span>{halted.value || t("state.halted")}</span> <span>{t("line.halted")}</span>
          <a class="button" href="/">
            {t("app.missing.home")}
          </a>
        </p>
      );
    case "session":
      return (
        <p class={signedOut.value ? "banner" : "banner banner-bad"} role={signedOut.value ? "status" : "alert"}>
          <span>{t(signedOut.value ? "line.signed-out" : "line.session")}</span>
          <Button
            onClick={() => {
              me.value = null;
              void currentOrGuest().then(() => game.line.reconnect(), (error: unknown) => say(told(error), "trouble"));
            }}
          >
            {t("line.guest")}
          </Button>
        </p>
      );
    case "missing":
      return (
        <p class="banner banner-bad" role="alert">
          <span>{t("line.missing")}</span>
          <a class="button" href="/">
            {t("app.missing.home")}
          </a>
        </p>
      );
    default:
      if (slow) return <p class="banner" role="status">{t("line.slow")}</p>;
      if (others) return <p class="banner" role="status">{t("line.tabs")}</p>;
      return null;
  }
}

function useSlow(waits: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (!waits) return undefined;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [waits]);
  return slow;
}
