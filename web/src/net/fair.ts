// Fair: a seat's share in a shuffle, and the check of a proof by this browser alone; docs/fairness.md tells the same.
import { hex, joined, octets, unhex, utf8 } from "./bytes";
import { sha256 } from "./sha256";
import { digits, has, list, oneOf, type Shape, text, whole } from "./shape";

export const FACES = [..."23456789TJQKA"].flatMap((rank) => [..."cdhs"].map((suit) => rank + suit));
/** Of what is hashed: the third protocol differs from the second by what its root binds. */
const PROTOCOL = 2;

export interface ShuffleId {
  table: string;
  round: number;
  shuffle: number;
}

export interface Commitment extends ShuffleId {
  merkle: string;
  seats: { seat: number; commitment: string }[];
  /** Of the second protocol on. */
  cuts?: number[];
  /** Of the third protocol on: how often dice are thrown, 0 or 1. */
  dice?: number | null;
  root: string;
}

/** A proof as the server gives it; what came from outside is looked at before it is believed. */
export interface Proof {
  format: string;
  version: number;
  commitment: Commitment;
  /** Of the second protocol on, as are throws and the salt of the dice. */
  links?: { seat: number; link: string }[];
  throws?: number[][];
  reveals: { seat: number; nonce: string }[];
  unrevealed: number[];
  outcome: "dealt" | "void";
  cards: { face: string; salt: string }[];
  dice_salt?: string;
  order?: string[];
  reason?: string;
}

/** What is wrong with a proof, as a code, with the seat it is about if any; texts/kept.ts words it. */
export interface Problem {
  code: string;
  seat?: number;
}

/** Which shuffle a proof was asked for, and what this page saw of it before: the proof has to agree with it. */
export interface Seen extends Partial<ShuffleId> {
  merkle?: string;
  root?: string;
  throws?: number[][];
  nonces?: { seat: number; nonce: string }[];
}

// What a document has to look like before anything is computed from it. A number that an octet cannot hold, or a cut
// that a deck cannot have, would be hashed as one thing and carried out as another.
export const DIGEST = digits(32);
export const SEAT = whole(1, 255);
const COMMITMENT = {
  table: text(255),
  round: whole(1, Number.MAX_SAFE_INTEGER),
  shuffle: whole(1, 2 ** 31 - 1),
  merkle: DIGEST,
  seats: list({ seat: SEAT, commitment: DIGEST }, 0, 255),
  root: DIGEST,
};
const CUT = { ...COMMITMENT, cuts: list(whole(1, 51), 0, 255) };
export const BOUND = { ...CUT, dice: whole(0, 1) };

function shapeOf(proof: Proof): Shape {
  const isVoid = proof.outcome === "void";
  const isLost = isVoid && proof.cards.length === 0;
  const face = oneOf(...FACES);
  const deck = isLost ? 0 : 52;
  return {
    format: oneOf("letitride-fair-proof"),
    version: whole(1, 3),
    commitment: [COMMITMENT, CUT, BOUND][proof.version - 1] ?? {},
    reveals: list({ seat: SEAT, nonce: DIGEST }, 0, 255),
    unrevealed: list(SEAT, 0, 255),
    outcome: oneOf("dealt", "void"),
    cards: list({ face, salt: DIGEST }, deck, deck),
    ...(isVoid ? { reason: text(2000) } : { order: list(face, 52, 52) }),
    ...(proof.version === 1
      ? {}
      : { links: list({ seat: SEAT, link: DIGEST }, 0, 255), throws: list(list(whole(1, 6), 3, 3), 0, 1), dice_salt: digits(isLost ? 0 : 32) }),
  };
}

/** Whether what the house published as the root is one that binds everything, and follows from what it lists. */
export async function isBound({ table, round, shuffle, merkle, seats, cuts, dice, root }: Commitment): Promise<boolean> {
  const commitment = { table, round, shuffle, merkle, seats, cuts, dice, root };
  return has(BOUND, commitment) && root === (await rootOf(commitment as Commitment));
}

export type Hash = (what: string, ...parts: Uint8Array[]) => Promise<Uint8Array>;

export const hashOf =
  (version: number): Hash =>
  (what, ...parts) =>
    sha256(joined(utf8(`letitride/fair/${Math.min(version, PROTOCOL)}/${what}\0`), ...parts));
const hash = hashOf(PROTOCOL);

function idOf(id: ShuffleId, by: Hash): Promise<Uint8Array> {
  const name = utf8(id.table);
  return by("id", octets(name.length, 1), name, octets(id.round, 8), octets(id.shuffle, 4));
}

/** How many there are, then each seat with what it gave. */
const listed = (shares: { seat: number; content: string }[]): Uint8Array =>
  joined(octets(shares.length, 1), ...shares.map((one) => joined(octets(one.seat, 1), unhex(one.content))));

const linksOf = (proof: Proof): Uint8Array => listed((proof.links ?? []).map((one) => ({ seat: one.seat, content: one.link })));

/** The link of a nonce: a seat's part in the dice. */
export const link = async (nonce: Uint8Array): Promise<string> => hex(await hash("link", nonce));

/** The pledge of a nonce that a seat will reveal. */
export async function pledge(id: ShuffleId, seat: number, nonce: Uint8Array): Promise<string> {
  return hex(await hash("seat", await idOf(id, hash), octets(seat, 1), await hash("link", nonce)));
}

/** The root that follows from what a commitment commits to. */
export async function rootOf(commitment: Commitment, version = PROTOCOL): Promise<string> {
  const by = hashOf(version);
  const seats = listed(commitment.seats.map((one) => ({ seat: one.seat, content: one.commitment })));
  const cuts = commitment.cuts ? [octets(commitment.cuts.length, 1), Uint8Array.from(commitment.cuts)] : [];
  const dice = typeof commitment.dice === "number" ? [octets(commitment.dice, 1)] : [];
  return hex(await by("root", await idOf(commitment, by), unhex(commitment.merkle), seats, ...cuts, ...dice));
}

/** What is wrong with a proof; nothing where it holds. */
export async function problems(proof: Proof, seen?: Seen): Promise<Problem[]> {
  try {
    return await allProblems(proof, seen);
  } catch {
    return [{ code: "unreadable" }]; // a list of something else, a field that is missing
  }
}

async function allProblems(proof: Proof, seen?: Seen): Promise<Problem[]> {
  if (!has(shapeOf(proof), proof)) return [{ code: "fields" }];
  const isDealt = proof.outcome === "dealt";
  const found = await shareProblems(proof);
  const { commitment } = proof;
  if (commitment.root !== (await rootOf(commitment, proof.version))) found.push({ code: "root" });
  found.push(...leftOut(proof), ...seenProblems(proof, seen));
  if (!isDealt && !proof.cards.length) return found;
  return [...found, ...(await deckProblems(proof))];
}

/** What a house left out or added that knew the nonces, and so chose among decks; the first protocol let silent seats be left out. */
export function leftOut(proof: Proof): Problem[] {
  if (proof.version === 1) return [];
  const found: Problem[] = [];
  const isVoid = proof.outcome === "void";
  const seatsOf = (shares: { seat: number }[] = []): string => shares.map((one) => one.seat).join();
  const pledged = seatsOf(proof.commitment.seats);
  const thrown = proof.throws?.length ?? 0;
  const due = proof.commitment.dice ?? Math.min(thrown, 1);
  if (thrown > due || (thrown < due && !isVoid)) found.push({ code: "throws_count" });
  if (thrown && seatsOf(proof.links) !== pledged) found.push({ code: "links_missing" });
  if (!thrown && proof.links?.length && !(isVoid && proof.commitment.dice !== 0)) found.push({ code: "links_extra" });
  if (!isVoid && seatsOf(proof.reveals) !== pledged) found.push({ code: "reveals_missing" });
  return found;
}

/** What this page asked for or saw, and the proof says otherwise. */
function seenProblems(proof: Proof, seen?: Seen): Problem[] {
  const found: Problem[] = [];
  const { commitment } = proof;
  for (const name of ["table", "round", "shuffle"] as const)
    if (seen?.[name] !== undefined && commitment[name] !== seen[name]) found.push({ code: `another_${name}` });
  for (const name of ["merkle", "root"] as const)
    if (seen?.[name] && commitment[name] !== seen[name]) found.push({ code: `published_${name}` });
  if (seen?.throws?.length && JSON.stringify(seen.throws) !== JSON.stringify(proof.throws)) found.push({ code: "published_throws" });
  for (const one of seen?.nonces ?? [])
    if (!proof.reveals.some((told) => told.seat === one.seat && told.nonce === one.nonce)) found.push({ code: "left_out", seat: one.seat });
  return found;
}

const rising = (shares: { seat: number }[]): boolean => shares.every((one, at) => at === 0 || shares[at - 1]!.seat < one.seat);

export async function shareProblems(proof: Proof): Promise<Problem[]> {
  const by = hashOf(proof.version);
  const found: Problem[] = [];
  const id = await idOf(proof.commitment, by);
  const pledged = new Map(proof.commitment.seats.map((one) => [one.seat, one.commitment]));
  const links = proof.links ?? [];
  for (const [name, shares] of Object.entries({ seats: proof.commitment.seats, links, reveals: proof.reveals }))
    if (!rising(shares)) found.push({ code: `rising_${name}` });
  const fits = async (seat: number, share: Uint8Array): Promise<boolean> => pledged.get(seat) === hex(await by("seat", id, octets(seat, 1), share));
  for (const one of links) if (!(await fits(one.seat, unhex(one.link)))) found.push({ code: "pledged_link", seat: one.seat });
  for (const one of proof.reveals) {
    const nonce = unhex(one.nonce);
    if (!(await fits(one.seat, proof.version === 1 ? nonce : await by("link", nonce)))) found.push({ code: "pledged_nonce", seat: one.seat });
  }
  const silent = [...pledged.keys()].filter((seat) => !proof.reveals.some((one) => one.seat === seat));
  if (silent.join() !== proof.unrevealed.join()) found.push({ code: "unrevealed" });
  return found;
}

async function deckProblems(proof: Proof): Promise<Problem[]> {
  const by = hashOf(proof.version);
  const found: Problem[] = [];
  const faces = proof.cards.map((card) => card.face);
  if ([...faces].sort().join() !== [...FACES].sort().join()) found.push({ code: "faces" });
  let level = await Promise.all(proof.cards.map((card, at) => by("leaf", octets(at, 1), unhex(card.salt), utf8(card.face))));
  if (proof.dice_salt !== undefined) level.push(await by("dice", unhex(proof.dice_salt)));
  const pad = await by("pad");
  while (level.length < 64) level.push(pad);
  while (level.length > 1) {
    const pairs = level.filter((_, at) => at % 2 === 0);
    level = await Promise.all(pairs.map((left, at) => by("node", left, level[2 * at + 1]!)));
  }
  if (hex(level[0]!) !== proof.commitment.merkle) found.push({ code: "merkle" });
  if (proof.throws && JSON.stringify(await thrown(proof)) !== JSON.stringify(proof.throws)) found.push({ code: "throws" });
  if (proof.outcome === "dealt") {
    const order = (await dealt(proof)).map((card) => faces[card]);
    if (order.join() !== proof.order?.join()) found.push({ code: "order" });
  }
  return found;
}

/** The bytes that follow from a key, one by one. */
function streamOf(by: Hash, key: Uint8Array): () => Promise<number> {
  let stream: number[] = [];
  let block = 0;
  return async () => {
    if (!stream.length) stream = Array.from(await by("stream", key, octets(block++, 8)));
    return stream.shift()!;
  };
}

/** The throws of the dice that follow, as many as the proof has. */
export async function thrown(proof: Proof): Promise<number[][]> {
  const next = streamOf(hash, await hash("throw", unhex(proof.commitment.root), unhex(proof.dice_salt ?? ""), linksOf(proof)));
  const die = async (): Promise<number> => {
    for (;;) {
      const bits = (await next()) % 8;
      if (bits < 6) return bits + 1;
    }
  };
  const found: number[][] = [];
  for (const _ of proof.throws ?? []) found.push([await die(), await die(), await die()]);
  return found;
}

/** For each place of the deck as it was dealt, the number of the house's card that lay there. */
export async function dealt(proof: Proof): Promise<number[]> {
  const by = hashOf(proof.version);
  const nonces = listed(proof.reveals.map((one) => ({ seat: one.seat, content: one.nonce })));
  const dice = proof.throws ? [octets(proof.throws.length, 1), Uint8Array.from(proof.throws.flat()), linksOf(proof)] : [];
  const next = streamOf(by, await by("key", unhex(proof.commitment.root), ...dice, nonces));
  let places = Array.from({ length: 52 }, (_, at) => at);
  for (let top = 51; top > 0; top--) {
    const size = 2 ** top.toString(2).length;
    let other = 64;
    while (other > top) other = (await next()) % size;
    [places[top], places[other]] = [places[other]!, places[top]!];
  }
  for (const cut of proof.commitment.cuts ?? []) places = [...places.slice(cut), ...places.slice(0, cut)];
  return places;
}
