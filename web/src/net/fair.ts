// Fair: a seat's share in a shuffle, and the check of a proof by this browser alone; docs/fairness.md tells the same.
import { hex, joined, octets, unhex, utf8 } from "./bytes";
import { sha256 } from "./sha256";

const FACES = [..."23456789TJQKA"].flatMap((rank) => [..."cdhs"].map((suit) => rank + suit));

export interface ShuffleId {
  table: string;
  round: number;
  shuffle: number;
}

interface Commitment extends ShuffleId {
  merkle: string;
  seats: { seat: number; commitment: string }[];
  root: string;
}

/** A proof as the server gives it; what came from outside is looked at before it is believed. */
export interface Proof {
  format: string;
  version: number;
  commitment: Commitment;
  reveals: { seat: number; nonce: string }[];
  unrevealed: number[];
  outcome: "dealt" | "void";
  cards: { face: string; salt: string }[];
  order?: string[];
  reason?: string;
}

const hash = (what: string, ...parts: Uint8Array[]): Promise<Uint8Array> =>
  sha256(joined(utf8(`letitride/fair/1/${what}\0`), ...parts));

function idOf(id: ShuffleId): Promise<Uint8Array> {
  const name = utf8(id.table);
  return hash("id", octets(name.length, 1), name, octets(id.round, 8), octets(id.shuffle, 4));
}

/** The pledge of a nonce that a seat will reveal. */
export async function pledge(id: ShuffleId, seat: number, nonce: Uint8Array): Promise<string> {
  return hex(await hash("seat", await idOf(id), octets(seat, 1), nonce));
}

/** What is wrong with a proof, in words of the proof; nothing where it holds. `root` is the one noted before the deal. */
export async function problems(proof: Proof, root?: string, mine?: { seat: number; digest: string }): Promise<string[]> {
  if (proof.format !== "letitride-fair-proof" || proof.version !== 1) return [`format: ${proof.format} ${proof.version}`];
  const found: string[] = [];
  const { commitment } = proof;
  const id = await idOf(commitment);
  const seats = commitment.seats.map((one) => joined(octets(one.seat, 1), unhex(one.commitment)));
  const follows = hex(await hash("root", id, unhex(commitment.merkle), octets(seats.length, 1), ...seats));
  if (commitment.root !== follows) found.push("commitment.root does not follow from what it commits to");
  if (root !== undefined && commitment.root !== root) found.push("commitment.root is not the one that was published");
  const pledged = new Map(commitment.seats.map((one) => [one.seat, one.commitment]));
  if (mine && pledged.has(mine.seat) && pledged.get(mine.seat) !== mine.digest) found.push("my own pledge is not in it");
  for (const one of proof.reveals) {
    const digest = hex(await hash("seat", id, octets(one.seat, 1), unhex(one.nonce)));
    if (pledged.get(one.seat) !== digest) found.push(`seat ${one.seat} did not pledge the nonce of the proof`);
  }
  if (proof.outcome === "void" && !proof.cards.length) return found;
  return [...found, ...(await deckProblems(proof))];
}

async function deckProblems(proof: Proof): Promise<string[]> {
  const found: string[] = [];
  const faces = proof.cards.map((card) => card.face);
  if ([...faces].sort().join() !== [...FACES].sort().join()) found.push("cards are not the 52 faces");
  let level = await Promise.all(
    proof.cards.map((card, at) => hash("leaf", octets(at, 1), unhex(card.salt), utf8(card.face))),
  );
  const pad = await hash("pad");
  while (level.length < 64) level.push(pad);
  while (level.length > 1) {
    const pairs = level.filter((_, at) => at % 2 === 0);
    level = await Promise.all(pairs.map((left, at) => hash("node", left, level[2 * at + 1]!)));
  }
  if (hex(level[0]!) !== proof.commitment.merkle) found.push("cards are not the deck that was committed to");
  if (proof.outcome === "dealt") {
    const order = (await sigma(proof)).map((card) => faces[card]);
    if (order.join() !== proof.order?.join()) found.push("order does not follow from the cards and the nonces");
  }
  return found;
}

/** For each place of the deck, the number of the house's card that lies there. */
async function sigma(proof: Proof): Promise<number[]> {
  const nonces = proof.reveals.map((one) => joined(octets(one.seat, 1), unhex(one.nonce)));
  const key = await hash("key", unhex(proof.commitment.root), octets(nonces.length, 1), ...nonces);
  const places = Array.from({ length: 52 }, (_, at) => at);
  let stream: number[] = [];
  let block = 0;
  for (let top = 51; top > 0; top--) {
    const bits = top.toString(2).length;
    let other = 64;
    while (other > top) {
      if (!stream.length) stream = Array.from(await hash("stream", key, octets(block++, 8)));
      other = stream.shift()! % 2 ** bits;
    }
    [places[top], places[other]] = [places[other]!, places[top]!];
  }
  return places;
}
