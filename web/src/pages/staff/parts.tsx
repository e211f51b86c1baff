// Parts: what the pages of the staff share: asking for data, forms that say what was refused, a reason for the record.
import { signal, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { inBackground, told } from "../../net/api";
import { Drawer } from "../../parts/Drawer";
import { Form } from "../../parts/Form";
import { me } from "../../state/session";
import { centsOf, hasText, moment, t, type Text } from "../../texts";

export { Form, No, type FormProps } from "../../parts/Form";

export interface Asked<T> {
  value: Signal<T | null>;
  refused: Signal<string>;
  again: () => Promise<void>;
}

/** Ask for something when the page comes up, and again when something it depends on is another, or every few seconds. */
export function useAsked<T>(load: () => Promise<T>, on: unknown[] = [], everyMs = 0): Asked<T> {
  const found = useMemo(() => ({ value: signal<T | null>(null), refused: signal("") }), []);
  async function again(): Promise<void> {
    try {
      found.value.value = await load();
      found.refused.value = "";
    } catch (error) {
      found.refused.value = told(error);
    }
  }
  useEffect(() => {
    void again();
    if (!everyMs) return;
    const timer = setInterval(() => document.visibilityState === "visible" && void inBackground(again), everyMs);
    return () => clearInterval(timer);
  }, on);
  return { ...found, again };
}

export interface ReasonProps {
  title: string;
  text: string;
  submit: string;
  kind?: "main" | "danger";
  onClose: () => void;
  onSubmit: (why: string) => Promise<void>;
  /** What has to be known, and where needed agreed to, before. */
  children?: ComponentChildren;
}

/** Something that goes on record with its reason. */
export function Reason({ title, text, submit, kind = "main", onClose, onSubmit, children }: ReasonProps) {
  return (
    <Drawer title={title} open place="middle" onClose={onClose}>
      <p>{text}</p>
      <Form
        submit={submit}
        kind={kind}
        onSubmit={async (form) => {
          await onSubmit(textOf(form, "why"));
          onClose();
        }}
      >
        {children}
        <label>
          {t("staff.why")}
          <input name="why" required maxLength={200} autocomplete="off" />
        </label>
      </Form>
    </Drawer>
  );
}

/** A clause by its id, with what it demands. */
export function Clauses({ clauses, none }: { clauses: { id: string; demand: string }[]; none: string }) {
  if (!clauses.length) return <p class="staff-clauses small">{none}</p>;
  return (
    <ul class="staff-clauses" aria-label={t("staff.clauses")}>
      {clauses.map((one) => (
        <li key={one.id}>
          <b>{one.id}</b> <span class="small">{one.demand}</span>
        </li>
      ))}
    </ul>
  );
}

export const textOf = (form: FormData, name: string): string => String(form.get(name) ?? "").trim();

/** Dollars that were typed into a field, in cents; null where it is empty, as the field itself refuses what is no amount. */
export function fieldCents(form: FormData, name: string): number | null {
  const text = textOf(form, name);
  return text ? centsOf(text) : null;
}

/** Whether one has one of some roles. */
export const has = (...roles: string[]): boolean => me.value?.roles.some((role) => roles.includes(role)) ?? false;

/** A word of the server's, the last part of a key, in the words of the page, or as it is. */
export function named(key: string): string {
  return hasText(key) ? t(key as Text) : key.slice(key.lastIndexOf(".") + 1).replaceAll("_", " ");
}

export const timeOf = (ms: number): string => moment(ms, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
export const momentOf = (ms: number): string => moment(ms, { dateStyle: "medium", timeStyle: "medium" });

/** A minute of the day in UTC as the clock on this wall shows it. */
export function minuteHere(minute: number): string {
  const now = new Date();
  return moment(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), 0, minute), { hour: "2-digit", minute: "2-digit" });
}
