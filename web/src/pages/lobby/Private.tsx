// Private: a table of the player's own, the link that lets others in, and what such a link does; who may come is the server's to say.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Http } from "../../generated/api";
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
  say(t("private.accepted"));
}

export function OwnTable({ books, onOpened }: { books: Http.BookSummary[]; onOpened: (id: string, name: string) => void }) {
  const refused = useSignal("");
  const busy = useSignal(false);
  // Held here, not in the fields: the lobby is drawn anew now and then, and what a person types must outlive that.
  const typed = useSignal<string>(t("private.named"));
  const chosen = useSignal("");
  const rulebook = chosen.value || (books.find((one) => one.bank === "house" && one.device === "shuffler") ?? books[0])?.id || "";
  async function open(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const name = typed.value.trim();
    busy.value = true;
    refused.value = "";
    try {
      await currentOrGuest();
      const { id } = await ask("POST /api/private-tables", { body: { name, rulebook } });
      onOpened(id, name);
    } catch (error) {
      refused.value = told(error);
    } finally {
      busy.value = false;
    }
  }
  return (
    <details class="own-table">
      <summary>
        <h2>{t("private.title")}</h2>
      </summary>
      <p class="small">{t("private.what")}</p>
      <form class="form own-table-form" onSubmit={(event) => void open(event)}>
        <label>
          {t("private.name")}
          <input name="name" required maxLength={40} value={typed} onInput={(event) => (typed.value = event.currentTarget.value)} />
        </label>
        <label>
          {t("private.book")}
          <select name="rulebook" value={rulebook} onChange={(event) => (chosen.value = event.currentTarget.value)}>
            {books.map((one) => (
              <option key={one.id} value={one.id} selected={one.id === rulebook}>
                {one.title}
              </option>
            ))}
          </select>
        </label>
        <Button kind="main" type="submit" disabled={busy.value || !books.length}>
          {t("private.open")}
        </Button>
        {refused.value && (
          <p class="form-no" role="alert">
            {refused.value}
          </p>
        )}
      </form>
    </details>
  );
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
