// Bytes: between hexadecimal digits, numbers, texts and octets; and random ones.
export const hex = (content: Uint8Array): string => Array.from(content, (one) => one.toString(16).padStart(2, "0")).join("");

export const unhex = (digits: string): Uint8Array =>
  Uint8Array.from(digits.match(/../g) ?? [], (two) => Number.parseInt(two, 16));

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Random octets; `crypto.randomUUID` is there only on pages that came over https. */
export const random = (many: number): Uint8Array => crypto.getRandomValues(new Uint8Array(many));

/** A whole number as octets, the highest first. */
export function octets(number: number | bigint, many: number): Uint8Array {
  const found = new Uint8Array(many);
  for (let at = many - 1, rest = BigInt(number); at >= 0; at--, rest >>= 8n) found[at] = Number(rest & 255n);
  return found;
}

/** Several one after the other. */
export function joined(...parts: Uint8Array[]): Uint8Array {
  const found = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    found.set(part, at);
    at += part.length;
  }
  return found;
}
