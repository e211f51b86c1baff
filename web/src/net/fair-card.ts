// Fair card: the check of a proof that opens one card of a deck and no other, by this browser alone.
import { octets, unhex, utf8, hex } from "./bytes";
import { BOUND, type Commitment, dealt, DIGEST, FACES, type Hash, hashOf, leftOut, type Problem, type Proof, rootOf, SEAT, shareProblems, thrown } from "./fair";
import { digits, has, list, oneOf, type Shape, whole } from "./shape";

/** What opens one card: its place from the top of the deck, its leaf in the house's tree, and the way from there to the root. */
export interface CardProof {
  format: string;
  version: number;
  commitment: Commitment;
  links: { seat: number; link: string }[];
  throws: number[][];
  reveals: { seat: number; nonce: string }[];
  unrevealed: number[];
  place: number;
  leaf: number;
  face: string;
  salt: string;
  path: string[];
  dice_salt: string;
  dice_path: string[];
}

const DICE_LEAF = 52;

/** Proofs of the present protocol alone: links to rounds are younger than it. */
function shapeOf(proof: CardProof): Shape {
  const isThrown = Array.isArray(proof.throws) && proof.throws.length > 0;
  return {
    format: oneOf("letitride-fair-card"),
    version: whole(3, 3),
    commitment: BOUND,
    links: list({ seat: SEAT, link: DIGEST }, 0, 255),
    throws: list(list(whole(1, 6), 3, 3), 0, 1),
    reveals: list({ seat: SEAT, nonce: DIGEST }, 0, 255),
    unrevealed: list(SEAT, 0, 255),
    place: whole(0, 51),
    leaf: whole(0, 51),
    face: oneOf(...FACES),
    salt: DIGEST,
    path: list(DIGEST, 6, 6),
    dice_salt: digits(isThrown ? 32 : 0),
    dice_path: list(DIGEST, isThrown ? 6 : 0, isThrown ? 6 : 0),
  };
}

/** What is wrong with the proof of a card; nothing where it holds. */
export async function cardProblems(card: CardProof): Promise<Problem[]> {
  if (!has(shapeOf(card), card)) return [{ code: "fields" }];
  const proof = { ...card, outcome: "dealt", cards: [] } as unknown as Proof;
  const by = hashOf(card.version);
  const found = [...(await shareProblems(proof)), ...leftOut(proof)];
  if (card.commitment.root !== (await rootOf(card.commitment, card.version))) found.push({ code: "root" });
  if ((await dealt(proof))[card.place] !== card.leaf) found.push({ code: "card_place" });
  const leaf = await by("leaf", octets(card.leaf, 1), unhex(card.salt), utf8(card.face));
  if ((await top(by, leaf, card.leaf, card.path)) !== card.commitment.merkle) found.push({ code: "card_deck" });
  if (!card.throws.length) return found;
  const dice = await by("dice", unhex(card.dice_salt));
  if ((await top(by, dice, DICE_LEAF, card.dice_path)) !== card.commitment.merkle) found.push({ code: "card_dice" });
  if (JSON.stringify(await thrown(proof)) !== JSON.stringify(card.throws)) found.push({ code: "throws" });
  return found;
}

/** Where the way from a leaf leads. */
async function top(by: Hash, leaf: Uint8Array, at: number, path: string[]): Promise<string> {
  let digest = leaf;
  for (const [height, other] of path.entries()) {
    const beside = unhex(other);
    digest = await ((at >> height) % 2 ? by("node", beside, digest) : by("node", digest, beside));
  }
  return hex(digest);
}
