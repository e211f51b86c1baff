// Provider: the house's own sign-in provider: what it is called, the way there, and how a person came back; draws nothing.
import { signal } from "@preact/signals";
import type { Http } from "../generated/api";
import { ask } from "../net/api";
import { hasText, t, type Text } from "../texts";
import { codeWanted } from "./session";

/** How people sign in here; nothing until it is known. */
export const ways = signal<Http.Ways | null>(null);

/** Find out how people sign in here, once. */
export async function loadWays(): Promise<void> {
  ways.value ??= await ask("GET /api/sign-in");
}

/** Why a sign-in at the provider failed, until it is tried again. */
export const failed = signal("");

/** What the provider is asked for. */
export type Purpose = NonNullable<Http.NewStart["purpose"]>;

/** Go to the provider, and come back to this page. */
export async function leave(purpose: Purpose): Promise<void> {
  failed.value = "";
  const { address } = await ask("POST /api/oidc/start", { body: { purpose, to: location.pathname } });
  location.assign(address);
}

/** Take from the address how a sign-in at the provider ended; return what to say where it ended well. */
export function takeEnding(): Text | "" {
  const query = new URLSearchParams(location.search);
  const how = query.get("sign_in");
  if (how === null) return "";
  query.delete("sign_in");
  history.replaceState(null, "", location.pathname + (query.size ? `?${query}` : ""));
  codeWanted.value = how === "factor_wanted";
  const done = `provider.done.${how}`;
  if (hasText(done)) return done as Text;
  const why = `provider.failed.${how}`;
  if (hasText(why)) failed.value = t(why as Text);
  return "";
}
