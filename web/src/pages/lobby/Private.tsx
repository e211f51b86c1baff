// Private: the link that lets others in to a table of the player's own, and what it does; who may come is the server's to say.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, told } from "../../net/api";
import { Button } from "../../parts/Button";
import { Drawer } from "../../parts/Drawer";
import { say } from "../../parts/Toast";
import { go } from "../../router";
import { currentOrGuest } from "../../state/session";
import { moment, t } from "../../texts";

const WORD = "invitation";

/** Accept the invitation in the address, if there is one, and go to its table. */
export function useInvitation(): void {
  useEffect(() => {
    const look = (): void => {
      const token = new URLSearchParams(location.hash.slice(1)).get(WORD);
      if (token) void accept(token).catch((error: unknown) => say(told(error), "trouble"));
    };
    look();
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);
}

async function accept(token: string): Promise<void> {
  history.replaceState(null, "", location.pathname); // a person who reads over a shoulder does not get in
  await currentOrGuest();
  const { id } = await ask("POST /api/invitations/{token}", { path: { token } });
  go(`/table/${id}`);
  const seated = await ask("GET /api/tables").then((all) => all.some((one) => one.id === id && one.your_seat), () => false);
  if (!seated) say(t("private.accepted"));
}

/** A link to a table of the player's own, to be sent to friends. */
export function Invite({ table, onClose, onChange }: { table: { id: string; name: string; your_seat?: number | null }; onClose: () => void; onChange: () => void }) {
  const link = useSignal("");
  const until = useSignal("");
  const refused = useSignal("");
  useEffect(() => {
    ask("POST /api/tables/{table_id}/invitations", { path: { table_id: table.id }, body: {} }).then(
      (made) => {
        link.value = location.origin + made.link;
        until.value = t("private.until", { uses: made.uses, when: moment(made.until_ms) });
      },
      (error: unknown) => (refused.value = told(error)),
    );
  }, [table.id]);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(link.value); // over plain http there is no clipboard
      say(t("private.copied"));
    } catch {
      say(t("private.by-hand"), "trouble");
    }
  }
  async function close(): Promise<void> {
    try {
      await ask("DELETE /api/private-tables/{table_id}", { path: { table_id: table.id } });
      say(t("private.closed", { name: table.name }));
      onChange();
      onClose();
    } catch (error) {
      say(told(error), "trouble");
    }
  }
  return (
    <Drawer title={t("private.invite.to", { name: table.name })} place="middle" open onClose={onClose}>
      <div class="form">
        {refused.value ? (
          <p class="form-no" role="alert">
            {refused.value}
          </p>
        ) : (
          <>
            <label>
              {t("private.link")}
              <input readOnly value={link.value} onFocus={(event) => event.currentTarget.select()} />
            </label>
            <p class="small">{until.value}</p>
            <Button disabled={!link.value} onClick={() => void copy()}>
              {t("private.copy")}
            </Button>
          </>
        )}
        <Button kind="main" onClick={() => go(`/table/${table.id}?now`)}>
          {t(table.your_seat ? "lobby.back" : "private.go")}
        </Button>
        <Button kind="danger" onClick={() => void close()}>
          {t("private.close")}
        </Button>
      </div>
    </Drawer>
  );
}
