// Update: keeps the worker that shows the offline page, and says when the house has a new version; it never reloads by itself.
import { signal } from "@preact/signals";
import { t } from "../texts";
import { Button } from "./Button";

const isNew = signal(false);

/** Register the worker once the page is there: nothing on the way to a table waits for it. */
export function keepWorker(): void {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined; // only where the connection is secure
  if (!workers) return;
  let had = !!workers.controller;
  workers.addEventListener("controllerchange", () => {
    isNew.value = had; // the first one only begins its work
    had = true;
  });
  const register = (): void => void workers.register("/sw.js").catch(() => undefined); // then there is no offline page
  if (document.readyState === "complete") register();
  else addEventListener("load", register, { once: true });
}

/** What a player is told when the page they have open is no longer the house's latest; a round may be on, so they choose when. */
export function Update() {
  if (!isNew.value) return null;
  return (
    <p class="update" role="status">
      <span>{t("app.updated")}</span>
      <Button onClick={() => location.reload()}>{t("app.update")}</Button>
    </p>
  );
}
