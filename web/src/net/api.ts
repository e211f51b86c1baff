// Api: asks the server by HTTP, typed by its own description; remembers nothing.
import type { Addresses } from "../generated/api";
import { hasText, language, t, type Text } from "../texts";
import { codedWords } from "../texts/engine";

/** A no of the server, with its sentence. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    sentence: string,
    /** What it is worded by, or which way on there is. */
    readonly code = "",
    readonly values: Record<string, string | number> = {},
  ) {
    super(sentence);
  }
}

export interface Asked<Body> {
  /** What stands in the address instead of {name}. */
  path?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: Body;
  signal?: AbortSignal;
}

/** Ask the server: `await ask("GET /api/tables/{table_id}/rounds", { path: { table_id } })`. */
export async function ask<Address extends keyof Addresses>(
  address: Address,
  asked: Asked<Addresses[Address]["takes"]> = {},
): Promise<Addresses[Address]["gives"]> {
  const response = await send(address, asked).catch(async (error: unknown) => {
    if (error instanceof Refused && isProof(error.code) && (await proveAgain(error.code))) return send(address, asked);
    throw error;
  });
  if (response.status === 204) return undefined as Addresses[Address]["gives"];
  return (await response.json()) as Addresses[Address]["gives"];
}

/** What money, roles and the way one signs in need again after a while. */
export type Proof = "password_again" | "factor_again";
const isProof = (code: string): code is Proof => code === "password_again" || code === "factor_again";

/** Asks for a proof, and says whether it was given; a page that can show it sets this. */
type ProveAgain = (proof: Proof) => Promise<boolean>;
let proveAgain: ProveAgain = async () => false;

/** Set how a proof is asked for; what is returned sets it back. */
export function setProveAgain(how: ProveAgain): () => void {
  const before = proveAgain;
  proveAgain = how;
  return () => void (proveAgain = before);
}

let background = false;

/** Ask for something that the page wants by itself: it keeps no session alive. */
export function inBackground<T>(load: () => Promise<T>): Promise<T> {
  background = true;
  try {
    return load(); // what it sends first, it sends before it waits
  } finally {
    background = false;
  }
}

/** Ask for a file: its content and the name it should have. */
export async function fetchFile<Address extends keyof Addresses>(
  address: Address,
  asked: Asked<Addresses[Address]["takes"]> = {},
): Promise<Blob> {
  return (await send(address, asked)).blob();
}

async function send(address: string, asked: Asked<unknown>): Promise<Response> {
  const [method = "GET", template = ""] = address.split(" ");
  const where = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(asked.path?.[name] ?? "")));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked.query ?? {})) if (value !== undefined) query.set(name, String(value));
  const init: RequestInit = { method, credentials: "same-origin" };
  if (asked.signal) init.signal = asked.signal;
  if (background) init.headers = { "X-Background": "1" };
  if (asked.body !== undefined) {
    init.body = JSON.stringify(asked.body);
    init.headers = { ...init.headers, "Content-Type": "application/json" };
  }
  let response: Response;
  try {
    response = await fetch(query.size ? `${where}?${query}` : where, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Refused(0, t("error.network"));
  }
  if (!response.ok) throw await refusalOf(response, address);
  return response;
}

/** What is wrong with a person's own file is told as the server says it, about keys and lines of the file. */
const QUOTED = "own_book";

/** What to tell people: our words for this no where we have some, the server's otherwise. */
async function refusalOf(response: Response, address: string): Promise<Refused> {
  const found = ((await response.json().catch(() => null)) ?? {}) as { detail?: unknown; code?: unknown; values?: unknown };
  const code = typeof found.code === "string" ? found.code : "";
  const values = (found.values ?? {}) as Record<string, string | number>;
  const ours = `no.${address} ${response.status}`;
  const sentence =
    codedWords(code, values) ??
    (hasText(ours)
      ? t(ours)
      : response.status === 401
        ? t("error.session")
        : typeof found.detail === "string" && (language.value === "en" || code === QUOTED)
          ? capital(found.detail)
          : statusWords(response.status));
  return new Refused(response.status, sentence, code, values);
}

/** A no in general words, where the server's own are in another language or there are none. */
function statusWords(status: number): string {
  const key = `error.status.${status}`;
  return hasText(key) && language.value !== "en" ? t(key as Text) : t("error.unknown", { status });
}

/** A sentence with a capital at its beginning and a full stop at its end. */
export function capital(sentence: string): string {
  const first = sentence.charAt(0).toUpperCase() + sentence.slice(1);
  return /[.!?…]$/.test(first) ? first : `${first}.`;
}

/** What to tell a person about a failure; `codes` are keys of texts by the server's code. */
export function told(error: unknown, key = ""): string {
  if (key && hasText(key)) return t(key as Text);
  return error instanceof Error ? error.message : String(error);
}
