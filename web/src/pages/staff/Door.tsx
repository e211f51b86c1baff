// Door: where staff sign in, and where a new house gets its first administrator.
import { ask } from "../../net/api";
import { AtProvider } from "../../parts/AtProvider";
import { say } from "../../parts/Toast";
import { CodeStep, PasskeySignIn } from "../../parts/SecondFactor";
import { codeWanted, me, signIn, signOut } from "../../state/session";
import { t } from "../../texts";
import { Form, textOf, useAsked } from "./parts";

export function Door() {
  const setup = useAsked(() => ask("GET /api/setup"));
  const needed = setup.value.value?.needed ?? false;
  return (
    <div class="page staff staff-door">
      <h1>{t("staff.title")}</h1>
      {me.value && !me.value.guest && <p class="staff-note">{t("staff.door.other", { name: me.value.name })}</p>}
      <div class="staff-columns">
        {needed && <First />}
        <section class="staff-box">
          <h2>{t("account.in")}</h2>
          {codeWanted.value ? (
            <CodeStep />
          ) : (
            <>
              <p class="small">{t("staff.door.lead")}</p>
              <AtProvider purpose="sign_in" />
              <Form submit={t("account.in")} kind={needed ? "plain" : "main"} onSubmit={(form) => enter(form)}>
                <Names />
              </Form>
              <PasskeySignIn />
            </>
          )}
        </section>
      </div>
    </div>
  );
}

async function enter(form: FormData): Promise<void> {
  if (me.value) await signOut();
  const known = await signIn(textOf(form, "name"), String(form.get("password")), false);
  if (known) say(t(known.weak_password ? "account.weak" : "account.in.done", { name: known.name }));
}

function Names({ fresh = false }: { fresh?: boolean }) {
  return (
    <>
      <label>
        {t("account.name")}
        <input name="name" autocomplete="username" required maxLength={64} />
      </label>
      <label>
        {t("account.password")}
        <input
          name="password"
          type="password"
          autocomplete={fresh ? "new-password" : "current-password"}
          required
          minLength={fresh ? 10 : 1}
          maxLength={256}
        />
        {fresh && <span class="small">{t("staff.password.how")}</span>}
      </label>
    </>
  );
}

function First() {
  return (
    <section class="staff-box staff-box-main">
      <h2>{t("staff.first.title")}</h2>
      <p class="small">{t("staff.first.how")}</p>
      <Form
        submit={t("staff.first.make")}
        onSubmit={async (form) => {
          const [name, password] = [textOf(form, "name"), String(form.get("password"))];
          await ask("POST /api/setup", { body: { code: textOf(form, "code"), name, password } });
          if (me.value) await signOut();
          await signIn(name, password, false);
          say(t("staff.first.done", { name }));
        }}
      >
        <label>
          {t("staff.first.code")}
          <input name="code" required maxLength={64} autocomplete="one-time-code" spellcheck={false} />
        </label>
        <Names fresh />
      </Form>
    </section>
  );
}
