// Main: the frame of every page: head line, the page that is on, and what is said; holds no rules.
import { effect, signal } from "@preact/signals";
import { type ComponentType, render } from "preact";
import "./player";
import { Head } from "./parts/Head";
import { PageToasts, say } from "./parts/Toast";
import { keepWorker, Update } from "./parts/Update";
import { pages, type PageProps } from "./pages";
import { followLinks, path } from "./router";
import { takeEnding } from "./state/provider";
import { recall } from "./state/session";
import "./state/settings";
import { t } from "./texts";
import { spoken } from "./texts/language";
import "./style/index.css";

interface On {
  view: ComponentType<PageProps>;
  params: Record<string, string>;
  key: string;
}

const on = signal<On | "loading" | "missing" | "failed">("loading");

async function show(address: string): Promise<void> {
  const page = pages.find((one) => one.pattern.test(address));
  if (!page) {
    on.value = "missing";
    return;
  }
  const params = Object.fromEntries(
    Object.entries(page.pattern.exec(address)?.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value ?? "")]),
  );
  document.title = `${t(page.title)} · ${t("app.name")}`;
  try {
    const { default: view } = await page.load();
    if (path.value === address) on.value = { view, params, key: page.pattern.source + JSON.stringify(params) };
  } catch {
    on.value = "failed";
  }
}

function App() {
  const shown = on.value;
  return (
    <>
      <a class="skip" href="#main">
        {t("app.skip")}
      </a>
      <Head />
      <main id="main" tabIndex={-1}>
        {shown === "loading" ? (
          <p class="page-note">{t("app.loading")}</p>
        ) : shown === "failed" ? (
          <div class="page-note">
            <h1>{t("app.failed")}</h1>
            <button type="button" class="button button-main" onClick={() => location.reload()}>
              {t("app.again")}
            </button>
          </div>
        ) : shown === "missing" ? (
          <div class="page-note">
            <h1>{t("app.missing.title")}</h1>
            <p>{t("app.missing.text", { path: path.value })}</p>
            <a class="button button-main" href="/">
              {t("app.missing.home")}
            </a>
          </div>
        ) : (
          <shown.view key={shown.key} params={shown.params} />
        )}
      </main>
      <PageToasts />
      <Update />
    </>
  );
}

followLinks();
keepWorker();
effect(() => void show(path.value));
const recalled = recall().catch(() => null); // those who need to know ask again
void spoken().then(async () => {
  const done = takeEnding();
  render(<App />, document.getElementById("app")!);
  const name = (await recalled)?.name;
  if (done && name) say(t(done, { name } as never));
});
