// Sign in: two ways for a person who plays as a guest or not at all: into an account, or to a new one.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ask, told } from "../net/api";
import { asked, codeWanted, me, signIn } from "../state/session";
import { t } from "../texts";
import { AtProvider } from "./AtProvider";
import { Button } from "./Button";
import { CodeStep, PasskeySignIn } from "./SecondFactor";
import { say } from "./Toast";

const PASSWORD_MIN = 10; // the server's own; it has the last word
const WAYS = ["account.known", "account.new"] as const;

export function SignIn() {
  const way = useSignal<(typeof WAYS)[number]>(me.value ? "account.new" : "account.known");
  const refused = useSignal("");
  const busy = useSignal(false);
  const seated = useSignal(false);
  useEffect(() => {
    if (me.value) void ask("GET /api/me/wallet").then((one) => (seated.value = one.visits.some((visit) => !visit.until_ms)), () => undefined);
  }, []);
  const tabs = useRef<HTMLDivElement>(null);
  const isNew = way.value === "account.new";

  function turn(to: (typeof WAYS)[number]): void {
    way.value = to;
    refused.value = "";
  }

  function byKey(event: KeyboardEvent): void {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    turn(isNew ? "account.known" : "account.new");
    queueMicrotask(() => tabs.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus());
  }

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const [name, password] = [String(form.get("name")).trim(), String(form.get("password"))];
    refused.value =
      !name || !password
        ? t("account.empty")
        : isNew && password.length < PASSWORD_MIN
          ? t("account.short", { characters: password.length })
          : "";
    if (refused.value) return;
    busy.value = true;
    try {
      const known = await signIn(name, password, isNew);
      if (known) say(t(known.weak_password ? "account.weak" : "account.in.done", { name: known.name }));
    } catch (error) {
      refused.value = told(error);
    } finally {
      busy.value = false;
    }
  }

  if (codeWanted.value)
    return (
      <section class="drawer-part">
        <CodeStep />
      </section>
    );
  return (
    <section class="drawer-part">
      <p>{me.value ? t("account.guest", { name: me.value.name }) : asked.value ? t("account.nobody") : t("app.loading")}</p>
      <AtProvider purpose="sign_in" />
      <div class="tabs" role="tablist" aria-label={t("account.ways")} ref={tabs} onKeyDown={byKey}>
        {WAYS.map((one) => (
          <button
            key={one}
            id={`tab-${one}`}
            type="button"
            role="tab"
            aria-selected={way.value === one}
            aria-controls="sign-in"
            tabIndex={way.value === one ? 0 : -1}
            onClick={() => turn(one)}
          >
            {t(one)}
          </button>
        ))}
      </div>
      {seated.value && <p class="rail-gone">{t(isNew ? "account.seated.new" : "account.seated.known")}</p>}
      <div id="sign-in" role="tabpanel" aria-labelledby={`tab-${way.value}`}>
        <form class="form" noValidate onSubmit={(event) => void submit(event)}>
          <label>
            {t("account.name")}
            <input name="name" autocomplete="username" required maxLength={64} aria-describedby={isNew ? "name-how" : undefined} />
            {isNew && (
              <span id="name-how" class="small">
                {t("account.name.how")}
              </span>
            )}
          </label>
          <label>
            {t("account.password")}
            <input
              name="password"
              type="password"
              autocomplete={isNew ? "new-password" : "current-password"}
              required
              maxLength={256}
              aria-describedby={isNew ? "password-how" : undefined}
            />
            {isNew && (
              <span id="password-how" class="small">
                {t("account.password.how")}
              </span>
            )}
          </label>
          {refused.value && (
            <p class="form-no" role="alert">
              {refused.value}
            </p>
          )}
          <Button kind="main" type="submit" disabled={busy.value}>
            {isNew ? t("account.make") : t("account.in")}
          </Button>
        </form>
        {!isNew && <PasskeySignIn />}
      </div>
    </section>
  );
}
