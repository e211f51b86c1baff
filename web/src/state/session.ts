// Session: who one is to the house; begins as a guest without an account.
import { signal } from "@preact/signals";
import type { Http } from "../generated/api";
import { ask, Refused } from "../net/api";
import { askPasskey } from "../net/passkeys";

export const me = signal<Http.Me | null>(null);
/** Whether it is known yet whether a person is signed in. */
export const asked = signal(false);

/** Whether the person signed out on purpose. */
export const signedOut = signal(false);

/** Says that there is a session, which no script can see; the server gives it with the page, to a browser that has one. */
const isSecure = location.protocol === "https:";
const HINTS = isSecure ? ["__Host-letitride_known", "letitride_known"] : ["letitride_known"];
const hint = (there: boolean): void => {
  for (const name of there ? HINTS.slice(0, 1) : HINTS)
    document.cookie = `${name}=1; path=/; samesite=strict; max-age=${there ? 12 * 3600 : 0}${isSecure ? "; secure" : ""}`;
};

/** What names of bets begin with that the browser keeps for a person, until they sign out. */
export const KEPT_BETS = "letitride.bet.";

function forgetBets(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(KEPT_BETS)) localStorage.removeItem(key);
  } catch {
    // then nothing is kept either
  }
}

/** Find out who one is, where there may be a session: a first visitor has none. */
export async function recall(): Promise<Http.Me | null> {
  if (document.cookie.split("; ").some((one) => HINTS.some((name) => one === `${name}=1`))) return refresh();
  asked.value = true;
  return null;
}

/** Counts sign-outs and questions who one is; `latest` is the last that was answered: an answer to one before it is stale. */
let asks = 0;
let latest = 0;

/** Find out who one is. */
export async function refresh(): Promise<Http.Me | null> {
  const own = ++asks;
  try {
    const found = await ask("GET /api/me");
    if (own < latest) return me.value;
    latest = own;
    me.value = found;
    signedOut.value = false;
    hint(true);
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 401) throw error;
    if (own < latest) return me.value;
    latest = own;
    me.value = null;
    hint(false);
  } finally {
    asked.value = true;
  }
  return me.value;
}

/** Return who is signed in, or a new guest. */
export async function currentOrGuest(): Promise<Http.Me> {
  const known = me.value ?? (await recall());
  if (known) return known;
  await ask("POST /api/guest");
  const found = await refresh();
  if (!found) throw new Refused(401, "");
  return found;
}

/** Whether a sign-in waits for the code of an account that has a second factor. */
export const codeWanted = signal(false);

/** Sign in, or return nothing where a code is wanted as well; makes the account first if it is a new one. */
export async function signIn(name: string, password: string, isNew: boolean): Promise<Http.Known | null> {
  if (isNew) await ask("POST /api/accounts", { body: { name, password } });
  const known = await ask("POST /api/login", { body: { name, password } }).catch((error: unknown) => {
    if (!(error instanceof Refused) || error.code !== "second_factor") throw error;
    codeWanted.value = true;
    return null;
  });
  if (!known) return null;
  if (isNew) await playChips().catch(refresh); // a house with a cashier gives none
  else await refresh();
  return known;
}

/** Finish a sign-in by the code of an app, or by a recovery code. */
export async function signInByCode(code: string): Promise<Http.Known> {
  const known = await ask("POST /api/login/code", { body: { code } });
  codeWanted.value = false;
  await refresh();
  return known;
}

/** Sign in by a passkey: after the password, or by itself. */
export async function signInByPasskey(): Promise<Http.Known> {
  const { options } = await ask("POST /api/login/passkey/options");
  const known = await ask("POST /api/login/passkey", { body: { credential: await askPasskey(options) } });
  codeWanted.value = false;
  await refresh();
  return known;
}

/** Get play chips, up to what a guest begins with. */
export async function playChips(): Promise<Http.Me | null> {
  await ask("POST /api/me/chips");
  return refresh();
}

/** Sign out, here or wherever one is signed in. */
export async function signOut(where: "here" | "everywhere" = "here"): Promise<void> {
  signedOut.value = true; // first: the table's line ends before the answer is here
  latest = ++asks;
  try {
    await (where === "here" ? ask("POST /api/logout") : ask("POST /api/logout-everywhere"));
  } catch (error) {
    signedOut.value = false;
    throw error;
  }
  latest = ++asks; // whatever was asked meanwhile was answered as before
  signedOut.value = true;
  hint(false);
  forgetBets();
  me.value = null;
}
