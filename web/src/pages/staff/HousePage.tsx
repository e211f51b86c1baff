// House page: an administrator's day: is everything ready, who works here, vouchers for players, and backups.
import { useSignal } from "@preact/signals";
import type { Http } from "../../generated/api";
import { STAFF_ACCOUNTS } from "../../generated/roles";
import { ask } from "../../net/api";
import { Button } from "../../parts/Button";
import { Drawer } from "../../parts/Drawer";
import { SessionList } from "../../parts/Sessions";
import { say } from "../../parts/Toast";
import { me } from "../../state/session";
import { t, type Text } from "../../texts";
import { IssueVoucher } from "./IssueVoucher";
import { Form, momentOf, No, textOf, useAsked } from "./parts";
import { VerifyPlayer } from "./VerifyPlayer";

type Role = Http.StaffMember["roles"][number];

export function HousePage() {
  return (
    <>
      <h1>{t("staff.nav.house")}</h1>
      <Ready />
      <People />
      <IssueVoucher />
      <VerifyPlayer />
      <Backups />
    </>
  );
}

function Ready() {
  const ready = useAsked(async () => {
    const answer = await fetch("/readyz");
    return { is: answer.ok, words: await answer.text() };
  }, [], 5000);
  const digests = useAsked(() => ask("GET /api/digests"));
  const found = digests.value.value;
  const changed = found && found.code !== found.code_at_start;
  return (
    <section class="staff-box" aria-label={t("staff.ready.title")}>
      <h2>{t("staff.ready.title")}</h2>
      <p role="status" class={ready.value.value?.is ? "staff-good" : "staff-bad"}>
        {ready.value.value && (ready.value.value.is ? `✓ ${t("staff.ready.yes")}` : `✗ ${ready.value.value.words}`)}
      </p>
      <No>{ready.refused.value || digests.refused.value}</No>
      {found && (
        <>
          <p class="small">{t("staff.version", { version: found.version })}</p>
          {changed && <p class="staff-bad">✗ {t("staff.code.changed")}</p>}
          <details>
            <summary>{t("staff.digests")}</summary>
            <div class="staff-scroll" tabIndex={0} role="group" aria-label={t("staff.digests")}>
              <table class="rows">
                <tbody>
                  {[["code", found.code], ["page", found.page], ...Object.entries(found.rulebooks), ...Object.entries(found.paytables)].map(([name, digest]) => (
                    <tr key={name}>
                      <th scope="row">{name}</th>
                      <td><code>{digest}</code></td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </details>
        </>
      )}
    </section>
  );
}

function People() {
  const staff = useAsked(() => ask("GET /api/staff"));
  const changing = useSignal<Http.StaffMember | null>(null);
  return (
    <section>
      <h2>{t("staff.people")}</h2>
      <No>{staff.refused.value}</No>
      <div class="staff-columns">
        <div class="staff-scroll" tabIndex={0} role="group" aria-label={t("staff.people")}>
          <table class="rows">
            <thead>
              <tr>
                <th scope="col">{t("account.name")}</th>
                <th scope="col">{t("staff.roles")}</th>
                <th scope="col"><span class="spoken">{t("staff.change")}</span></th>
              </tr>
            </thead>
            <tbody>
              {(staff.value.value ?? []).map((one) => (
                <tr key={one.name}>
                  <td>
                    {one.name}{" "}
                    {one.disabled && <span class="staff-state is-closed">{t("staff.disabled")}</span>}
                    {one.second_factor && <span class="small">{t("staff.factor")}</span>}{" "}
                    {one.locked && <span class="staff-state is-halted">{t("staff.locked")}</span>}
                  </td>
                  <td>{one.roles.filter((role) => role !== "player").map((role) => t(`role.${role}` as Text)).join(", ")}</td>
                  <td>
                    <Button onClick={() => (changing.value = one)} aria-label={t("staff.change.of", { name: one.name })}>
                      {t("staff.change")}
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <section class="staff-box">
          <h3>{t("staff.hire")}</h3>
          <Form
            submit={t("staff.hire")}
            clears
            onSubmit={async (form) => {
              const name = textOf(form, "name");
              await ask("POST /api/staff", { body: { name, password: String(form.get("password")), roles: form.getAll("roles") as Role[] } });
              say(t("staff.hired", { name }));
              await staff.again();
            }}
          >
            <label>
              {t("account.name")}
              <input name="name" required maxLength={24} autocomplete="off" />
            </label>
            <label>
              {t("staff.password.first")}
              <input name="password" type="password" required minLength={10} maxLength={256} autocomplete="new-password" />
              <span class="small">{t("staff.password.how")}</span>
            </label>
            <Roles chosen={[]} />
          </Form>
        </section>
      </div>
      {changing.value && (
        <Drawer title={t("staff.change.of", { name: changing.value.name })} open place="middle" onClose={() => (changing.value = null)}>
          <Form
            submit={t("staff.change.keep")}
            onSubmit={async (form) => {
              const disabled = form.get("disabled") === "on";
              const body = {
                roles: form.getAll("roles") as Role[],
                disabled: disabled === changing.value!.disabled ? null : disabled,
                unlock: form.get("unlock") === "on",
                new_password: String(form.get("password") ?? "") || null,
                why: textOf(form, "why"),
              };
              await ask("PATCH /api/staff/{name}", { path: { name: changing.value!.name }, body });
              say(t("staff.changed", { name: changing.value!.name }));
              changing.value = null;
              await staff.again();
            }}
          >
            <Roles chosen={changing.value.roles} />
            <label class="check">
              <input type="checkbox" name="disabled" defaultChecked={changing.value.disabled} />
              {t("staff.disable")}
            </label>
            {changing.value.locked && (
              <label class="check">
                <input type="checkbox" name="unlock" />
                {t("staff.unlock")}
              </label>
            )}
            <label>
              {t("staff.password.new")}
              <input name="password" type="password" minLength={10} maxLength={256} autocomplete="new-password" />
              <span class="small">{t("staff.password.how")}</span>
            </label>
            <p class="small">{t("staff.change.how")}</p>
            <label>
              {t("staff.why")}
              <input name="why" required maxLength={200} autocomplete="off" />
            </label>
          </Form>
          {changing.value.second_factor && changing.value.name !== me.value?.name && (
            <LostFactor
              name={changing.value.name}
              onDone={async () => {
                changing.value = null;
                await staff.again();
              }}
            />
          )}
          <SignedIn name={changing.value.name} />
        </Drawer>
      )}
    </section>
  );
}

/** Resets the second factor of a member of the staff who lost the phone. */
function LostFactor({ name, onDone }: { name: string; onDone: () => Promise<void> }) {
  return (
    <section class="drawer-part">
      <h3>{t("factor.title")}</h3>
      <p class="small">{t("staff.factor.how", { name })}</p>
      <Form
        submit={t("staff.factor.reset")}
        kind="danger"
        onSubmit={async (form) => {
          await ask("DELETE /api/people/{name}/factors", { path: { name }, query: { why: textOf(form, "why") } });
          say(t("staff.factor.done", { name }));
          await onDone();
        }}
      >
        <label>
          {t("staff.why")}
          <input name="why" required maxLength={200} autocomplete="off" />
        </label>
      </Form>
    </section>
  );
}

/** Where a member of the staff is signed in. */
function SignedIn({ name }: { name: string }) {
  const found = useAsked(() => ask("GET /api/people/{name}/sessions", { path: { name } }));
  const sessions = found.value.value ?? [];
  return (
    <section class="drawer-part">
      <h3>{t("sessions.title")}</h3>
      <No>{found.refused.value}</No>
      {found.value.value && !sessions.length && <p class="small">{t("sessions.none")}</p>}
      <SessionList sessions={sessions} />
      {sessions.length > 0 && (
        <Form
          submit={t("sessions.all")}
          kind="danger"
          onSubmit={async () => {
            await ask("DELETE /api/people/{name}/sessions", { path: { name } });
            say(t("sessions.all.ended", { name }));
            await found.again();
          }}
        />
      )}
    </section>
  );
}

function Roles({ chosen }: { chosen: string[] }) {
  return (
    <fieldset class="choices">
      <legend>{t("staff.roles")}</legend>
      {STAFF_ACCOUNTS.map((role) => (
        <label key={role}>
          <input type="checkbox" name="roles" value={role} defaultChecked={chosen.includes(role)} />
          <span>
            {t(`role.${role}`)} <span class="small">{t(`staff.power.${role}`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function Backups() {
  const kept = useAsked(() => ask("GET /api/backups"));
  const size = (bytes: number): string => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
  return (
    <section>
      <h2>{t("staff.backups")}</h2>
      <p class="small">{t("staff.backups.how")}</p>
      <No>{kept.refused.value}</No>
      <Form
        submit={t("staff.backup.make")}
        kind="plain"
        class="staff-start"
        onSubmit={async () => {
          const made = await ask("POST /api/backups");
          say(t("staff.backup.made", { name: made.name }));
          await kept.again();
        }}
      />
      {(kept.value.value ?? []).length > 0 && (
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">{t("staff.when")}</th>
              <th scope="col">{t("staff.file")}</th>
              <th scope="col">{t("staff.size")}</th>
            </tr>
          </thead>
          <tbody>
            {[...(kept.value.value ?? [])].reverse().map((one) => (
              <tr key={one.name}>
                <td>{momentOf(one.made_ms)}</td>
                <td>
                  <a href={`/api/backups/${encodeURIComponent(one.name)}`} download={one.name}>
                    {one.name}
                  </a>
                </td>
                <td>{size(one.bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
