// Sessions: where a person is signed in, with a button to end one or all others; for an administrator, those of another person.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Http } from "../generated/api";
import { ask, told } from "../net/api";
import { moment, t } from "../texts";
import { Button } from "./Button";
import { say } from "./Toast";

/** Where the reader is signed in. */
export function OwnSessions() {
  const found = useSignal<Http.OpenSession[]>([]);
  const load = (): Promise<void> => ask("GET /api/me/sessions").then((all) => void (found.value = all));
  useEffect(() => void load().catch(() => undefined), []);
  async function end(act: () => Promise<unknown>, words: string): Promise<void> {
    try {
      await act();
      say(words);
      await load();
    } catch (error) {
      say(told(error), "trouble");
    }
  }
  return (
    <>
      <SessionList
        sessions={found.value}
        onEnd={(id) => void end(() => ask("DELETE /api/me/sessions/{session_id}", { path: { session_id: id } }), t("sessions.ended"))}
      />
      {found.value.length > 1 && (
        <Button onClick={() => void end(() => ask("DELETE /api/me/sessions"), t("sessions.others.ended"))}>{t("sessions.others")}</Button>
      )}
    </>
  );
}

/** What a device is called: the server says 'Firefox on Windows', or only what a program calls itself. */
function deviceName(device: string): string {
  const [browser = "", system] = device.split(" on ");
  return system ? t("sessions.device", { browser, system }) : device || t("sessions.unknown");
}

/** Where a person is signed in; the session of this very page cannot be ended here. */
export function SessionList({ sessions, onEnd }: { sessions: Http.OpenSession[]; onEnd?: (id: string) => void }) {
  return (
    <ul class="sessions">
      {sessions.map((one) => (
        <li key={one.id}>
          <div>
            <strong>{deviceName(one.device)}</strong>
            {one.current && <span class="session-here">{t("sessions.here")}</span>}
            <span class="small">
              {t("sessions.when", { began: moment(one.began_ms), seen: moment(one.seen_ms) })}
              {one.address && ` ${t("sessions.from", { address: one.address })}`}
            </span>
          </div>
          {onEnd && !one.current && (
            <Button onClick={() => onEnd(one.id)} aria-label={t("sessions.end.of", { device: deviceName(one.device) })}>
              {t("sessions.end")}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
