// SHA-256: by the browser where it offers it, by our own arithmetic where a page without https may not ask for it.
export async function sha256(content: Uint8Array): Promise<Uint8Array> {
  if (globalThis.crypto?.subtle) return new Uint8Array(await crypto.subtle.digest("SHA-256", content as BufferSource));
  return sha256Here(content);
}

const PRIMES: number[] = [];
for (let number = 2; PRIMES.length < 64; number++) if (PRIMES.every((prime) => number % prime)) PRIMES.push(number);
const fraction = (value: number): number => Math.floor((value - Math.floor(value)) * 2 ** 32);

/** The same without help of the browser's. */
export function sha256Here(content: Uint8Array): Uint8Array {
  const keys = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
  const state = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
  const padded = new Uint8Array((((content.length + 8) >> 6) + 1) << 6);
  padded.set(content);
  padded[content.length] = 0x80;
  const words = new DataView(padded.buffer);
  words.setUint32(padded.length - 8, Math.floor(content.length / 2 ** 29));
  words.setUint32(padded.length - 4, (content.length << 3) >>> 0);
  const turn = (value: number, by: number): number => (value >>> by) | (value << (32 - by));
  const w = new Int32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = words.getInt32(at + 4 * i);
    for (let i = 16; i < 64; i++) {
      const [a, b] = [w[i - 15]!, w[i - 2]!];
      const low = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
      const high = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
      w[i] = w[i - 16]! + low + w[i - 7]! + high;
    }
    let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + keys[i]! + w[i]!) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => (state[i] = (state[i]! + value) | 0));
  }
  const found = new DataView(new ArrayBuffer(32));
  state.forEach((value, i) => found.setInt32(4 * i, value));
  return new Uint8Array(found.buffer);
}
