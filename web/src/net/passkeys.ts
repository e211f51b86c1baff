// Passkeys: asks a device for a new passkey or for one it has; what it is asked and what it answers is the server's to judge.
import { t } from "../texts";
import { Refused } from "./api";

/** Whether this browser can have passkeys at all. */
export const canPasskeys = (): boolean => "PublicKeyCredential" in globalThis && globalThis.isSecureContext;

interface Listed {
  id: string;
  type: "public-key";
}

const bytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));

const text = (content: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(content))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

const listed = (all: Listed[] = []): PublicKeyCredentialDescriptor[] => all.map((one) => ({ ...one, id: bytes(one.id) }));

/** Ask for a new passkey with the options of the server, and return what the device answers, as JSON. */
export async function newPasskey(options: string): Promise<string> {
  const asked = JSON.parse(options);
  const made = await answered(() =>
    navigator.credentials.create({
      publicKey: {
        ...asked,
        challenge: bytes(asked.challenge),
        user: { ...asked.user, id: bytes(asked.user.id) },
        excludeCredentials: listed(asked.excludeCredentials),
      },
    }),
  );
  const said = made.response as AuthenticatorAttestationResponse;
  return inJson(made, { attestationObject: text(said.attestationObject) });
}

/** Ask for a passkey that the device has, and return what it answers, as JSON. */
export async function askPasskey(options: string): Promise<string> {
  const asked = JSON.parse(options);
  const found = await answered(() =>
    navigator.credentials.get({
      publicKey: { ...asked, challenge: bytes(asked.challenge), allowCredentials: listed(asked.allowCredentials) },
    }),
  );
  const said = found.response as AuthenticatorAssertionResponse;
  return inJson(found, {
    authenticatorData: text(said.authenticatorData),
    signature: text(said.signature),
    ...(said.userHandle ? { userHandle: text(said.userHandle) } : {}),
  });
}

function inJson(one: PublicKeyCredential, said: Record<string, string>): string {
  const response = { ...said, clientDataJSON: text(one.response.clientDataJSON) };
  return JSON.stringify({ id: one.id, rawId: text(one.rawId), type: one.type, response });
}

/** What a device answers; it says why it does not by the name of an error alone. */
async function answered(question: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  let found: Credential | null;
  try {
    found = await question();
  } catch (error) {
    const known = error instanceof DOMException && error.name === "InvalidStateError";
    throw new Refused(0, t(known ? "no.passkey_known" : "passkey.failed"));
  }
  if (!found) throw new Refused(0, t("passkey.failed"));
  return found as PublicKeyCredential;
}
