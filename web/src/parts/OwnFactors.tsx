// Own factors: sets up an authenticator app and passkeys, shows recovery codes once, and takes them away again.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Http } from "../generated/api";
import { ask, told } from "../net/api";
import { newPasskey } from "../net/passkeys";
import { refresh } from "../state/session";
import { moment, t } from "../texts";
import { Button } from "./Button";
import { Form } from "./Form";
import { ProveAgain } from "./ProveAgain";
import { CodeField, PasskeyButton, proveByPasskey, useHasPasskeys } from "./SecondFactor";
import { say } from "./Toast";

/** What a person has to do before the house opens anything to their role. */
export function FactorFirst({ wait }: { wait: Http.Me["second_factor"] }) {
  if (wait === "set_up")
    return (
      <>
        <p>{t("factor.first.set")}</p>
        <OwnFactors />
      </>
    );
  return (
    <>
      <p>{t("factor.first.give")}</p>
      <Form
        submit={t("factor.again.go")}
        onSubmit={async (form) => {
          await ask("POST /api/me/factors/proof", { body: { code: String(form.get("code")) } });
          await refresh();
        }}
      >
        <CodeField />
      </Form>
      <PasskeyButton
        words="passkey.use"
        onPress={async () => {
          await proveByPasskey();
          await refresh();
        }}
      />
    </>
  );
}

export function OwnFactors() {
  const hasPasskeys = useHasPasskeys();
  const found = useSignal<Http.Factors | null>(null);
  const draft = useSignal<Http.AppDraft | null>(null);
  const codes = useSignal<string[]>([]);
  const load = (): Promise<void> => ask("GET /api/me/factors").then((one) => void (found.value = one));
  useEffect(() => void load().catch(() => undefined), []);

  async function act(what: () => Promise<unknown>, words = ""): Promise<void> {
    try {
      await what();
      if (words) say(words);
      await load();
    } catch (error) {
      say(told(error), "trouble");
    }
  }
  const begin = (): Promise<void> => act(async () => (draft.value = await ask("POST /api/me/factors/app")));
  async function confirm(form: FormData): Promise<void> {
    const told = await ask("POST /api/me/factors/app/confirm", { body: { code: String(form.get("code")) } });
    draft.value = null;
    codes.value = told.codes;
    say(t("factor.app.done"));
    await load();
  }
  const renew = (): Promise<void> => act(async () => (codes.value = (await ask("POST /api/me/factors/recovery")).codes));
  function remove(): void {
    if (confirmed("factor.app.remove.sure")) void act(() => ask("DELETE /api/me/factors/app"), t("factor.app.removed"));
  }

  function done(): void {
    codes.value = [];
    void refresh().catch(() => undefined); // the house may have waited for it
  }

  async function add(form: FormData): Promise<void> {
    const { options } = await ask("POST /api/me/factors/passkeys/options");
    const credential = await newPasskey(options);
    const added = await ask("POST /api/me/factors/passkeys", { body: { name: String(form.get("name")), credential } });
    codes.value = added.codes;
    say(t("passkey.added"));
    await load();
  }
  function forget(one: Http.PasskeyShown): void {
    if (!globalThis.confirm(t("passkey.remove.sure", { name: one.name }))) return;
    void act(() => ask("DELETE /api/me/factors/passkeys/{passkey_id}", { path: { passkey_id: one.id } }), t("passkey.removed", { name: one.name }));
  }

  const has = found.value?.app_since_ms ?? null;
  const passkeys = found.value?.passkeys ?? [];
  const left = t("factor.recovery.left", { codes: found.value?.recovery_codes ?? 0 });
  const isLast = found.value?.needed && (has === null ? 0 : 1) + passkeys.length < 2;
  if (codes.value.length) return <RecoveryCodes codes={codes.value} onDone={done} />;
  if (draft.value) return <Draft draft={draft.value} onSubmit={confirm} onCancel={() => (draft.value = null)} />;
  return (
    <>
      <ProveAgain />
      <p class="small">{t("factor.what")}</p>
      {has === null ? (
        <Button onClick={() => void begin()}>{t("factor.app.begin")}</Button>
      ) : (
        <>
          <p>{t("factor.app.since", { since: moment(has) })}</p>
          <div class="side-by-side">
            <Button onClick={() => void begin()}>{t("factor.app.other")}</Button>
            {!isLast && <Button onClick={remove}>{t("factor.app.remove")}</Button>}
          </div>
        </>
      )}
      <ul class="sessions">
        {passkeys.map((one) => (
          <li key={one.id}>
            <div>
              <strong>{one.name}</strong>
              <span class="small">
                {t("passkey.since", { since: moment(one.added_ms) })}
                {one.used_ms > 0 && ` ${t("passkey.used", { used: moment(one.used_ms) })}`}
              </span>
            </div>
            {!isLast && (
              <Button onClick={() => forget(one)} aria-label={t("passkey.remove.of", { name: one.name })}>
                {t("passkey.remove")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {hasPasskeys && (
        <Form submit={t("passkey.add")} kind="plain" onSubmit={add} clears>
          <label>
            {t("passkey.name")}
            <input name="name" required maxLength={40} autocomplete="off" />
            <span class="small">{t("passkey.name.how")}</span>
          </label>
        </Form>
      )}
      {(has !== null || passkeys.length > 0) && (
        <>
          <p class="factor-back">{left}</p>
          <Button onClick={() => void renew()}>{t("factor.recovery.renew")}</Button>
        </>
      )}
    </>
  );
}

const confirmed = (words: "factor.app.remove.sure"): boolean => globalThis.confirm(t(words));

function Draft({ draft, onSubmit, onCancel }: { draft: Http.AppDraft; onSubmit: (form: FormData) => Promise<void>; onCancel: () => void }) {
  return (
    <>
      <p>{t("factor.app.scan")}</p>
      <img class="factor-qr" src={`data:image/svg+xml,${encodeURIComponent(draft.qr_code)}`} alt={t("factor.app.qr")} />
      <p class="small">{t("factor.app.type")}</p>
      <p class="factor-secret">
        <code>{draft.secret.match(/.{1,4}/g)?.join(" ")}</code>
      </p>
      <Form submit={t("factor.app.confirm")} onSubmit={onSubmit}>
        <CodeField recovery={false} />
      </Form>
      <Button class="factor-back" onClick={onCancel}>{t("factor.app.cancel")}</Button>
    </>
  );
}

function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(codes.join("\n")).then(
      () => say(t("factor.recovery.copied")),
      () => say(t("factor.recovery.not"), "trouble"),
    );
  }
  return (
    <>
      <h3 ref={title} tabIndex={-1}>
        {t("factor.recovery.title")}
      </h3>
      <p>{t("factor.recovery.how")}</p>
      <ul class="factor-codes">
        {codes.map((one) => (
          <li key={one}>
            <code>{one}</code>
          </li>
        ))}
      </ul>
      <div class="side-by-side">
        <Button onClick={() => void copy()}>{t("factor.recovery.copy")}</Button>
        <Button kind="main" onClick={onDone}>
          {t("factor.recovery.done")}
        </Button>
      </div>
    </>
  );
}
