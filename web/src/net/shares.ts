// Shares: this page's part in the shuffles of a table: what it pledged, revealed and was told. It opens no connection.
import type { CommitmentSent, Incoming, PledgesSent, ProofSent, ShareSent } from "../generated/api";
import { hex, random, unhex } from "./bytes";
import { isBound, link, pledge, type Seen, type ShuffleId } from "./fair";

export type Step = ShareSent["what"];

/** Why this page keeps its part to itself, or what was published under its seat that it did not send. */
export type Doubt = "merkle" | "root" | "roots" | "left_out" | "another";

/** What is known of a shuffle before its proof: to hold the proof against. */
export interface Noted extends Required<Omit<Seen, "table">> {
  mine?: { seat: number; digest: string; sent: Step[]; acknowledged: Step[] };
  doubts: Doubt[];
}

export interface Shares {
  /** A shuffle that seats may pledge to. */
  announced(message: PledgesSent): void;
  /** Pledge for a seat to each of them, once over each line; `send` says whether the message went out. */
  pledge(seat: number, send: Send): Promise<void>;
  /** Whether this page sees bets taken: what would tell the house the cards waits until they are closed. */
  betting(isOpen: boolean, send: Send): Promise<void>;
  /** Give what a commitment wants, if it is the one this page pledged for. */
  committed(message: CommitmentSent, send: Send): Promise<void>;
  /** What a seat gave, as it was published. */
  told(message: ShareSent): void;
  /** A shuffle has ended; what is known of it. */
  ended(message: ProofSent): Noted;
  /** The line is a new one: what it does not know yet is said again. */
  reconnected(): void;
}

export type Send = (message: Incoming) => boolean;

const KEPT = 40;
/** A shuffle of which nothing was seen. */
export const blank = (round: number, shuffle: number): Noted => ({ round, shuffle, merkle: "", root: "", throws: [], nonces: [], doubts: [] });

export function shares(): Shares {
  const notes = new Map<string, Noted>();
  const secrets = new Map<string, { nonce: string; link: string }>();
  /** The shuffles that seats may pledge to, one for each deck that lies there. */
  const open = new Map<string, PledgesSent>();
  const pledged = new Set<string>();
  let takesBets = false;
  let early: CommitmentSent[] = [];
  const keyOf = ({ round, shuffle }: Omit<ShuffleId, "table">): string => `${round}/${shuffle}`;

  function noteOf(id: Omit<ShuffleId, "table">): Noted {
    const found = notes.get(keyOf(id)) ?? blank(id.round, id.shuffle);
    notes.set(keyOf(id), found);
    for (const old of [...notes.keys()].slice(0, -KEPT)) {
      notes.delete(old);
      // A page that no longer knows that a nonce was revealed must not pledge it again.
      for (const key of secrets.keys()) if (key.startsWith(`${old}/`)) secrets.delete(key);
    }
    return found;
  }

  const secretOf = (note: Noted) => secrets.get(`${keyOf(note)}/${note.mine?.seat}`);

  function doubt(note: Noted, what: Doubt): void {
    if (!note.doubts.includes(what)) note.doubts.push(what);
  }

  /** Why the page does not reveal for a commitment; null where it may. */
  async function refusal(message: CommitmentSent, note: Noted): Promise<Doubt | null> {
    if (message.merkle !== note.merkle) return "merkle";
    const isOld = !message.wants && typeof message.dice !== "number"; // in play since before the root bound the dice
    if (!isOld && !(await isBound(message))) return "root";
    if (message.root !== note.root) return "roots";
    const mine = message.seats.find((one) => one.seat === note.mine?.seat);
    return mine?.commitment === note.mine?.digest ? null : "left_out";
  }

  async function pledgeTo(id: PledgesSent, seat: number, send: Send): Promise<void> {
    const key = `${keyOf(id)}/${seat}`;
    if (pledged.has(key)) return;
    pledged.add(key);
    // The same nonce however often the line drops: a pledge that is repeated tells nothing new.
    const nonce = secrets.get(key)?.nonce ?? hex(random(32));
    secrets.set(key, { nonce, link: await link(unhex(nonce)) });
    const digest = await pledge(id, seat, unhex(nonce));
    const note = noteOf(id);
    if (note.root) return; // it was closed meanwhile
    if (note.mine?.digest !== digest) note.mine = { seat, digest, sent: [], acknowledged: [] };
    const { round, shuffle } = id;
    if (send({ type: "pledge", round, shuffle, digest })) note.mine.sent.push("pledge");
  }

  async function give(message: CommitmentSent, send: Send): Promise<void> {
    open.delete(keyOf(message));
    const note = noteOf(message);
    note.root ||= message.root;
    const why = note.mine ? await refusal(message, note) : null;
    if (why) doubt(note, why);
    if (message.throws.length && note.root === message.root) note.throws = message.throws;
    const { mine } = note;
    const secret = mine && secretOf(note);
    const { wants, round, shuffle } = message;
    if (!wants || !mine || why || !secret || mine.acknowledged.includes(wants)) return;
    const given: Incoming =
      wants === "link" ? { type: "link", round, shuffle, link: secret.link } : { type: "reveal", round, shuffle, nonce: secret.nonce };
    if (send(given)) mine.sent.push(wants);
  }

  return {
    announced(message) {
      const note = noteOf(message);
      if (note.merkle && note.merkle !== message.merkle) return doubt(note, "merkle");
      note.merkle = message.merkle;
      if (!note.root) open.set(keyOf(message), message);
    },
    async pledge(seat, send) {
      if (seat) await Promise.all([...open.values()].map((id) => pledgeTo(id, seat, send)));
    },
    async betting(isOpen, send) {
      takesBets = isOpen;
      if (!isOpen) for (const one of early.splice(0)) await give(one, send);
    },
    async committed(message, send) {
      if (takesBets && message.wants === "nonce") early.push(message);
      else await give(message, send);
    },
    told(message) {
      const note = noteOf(message);
      const { mine } = note;
      if (message.what === "nonce" && !note.nonces.some((one) => one.seat === message.seat)) note.nonces.push({ seat: message.seat, nonce: message.value });
      if (!mine || message.seat !== mine.seat) return;
      const own = { pledge: mine.digest, ...secretOf(note) };
      if (own[message.what] !== message.value) doubt(note, "another");
      else if (!mine.acknowledged.includes(message.what)) mine.acknowledged.push(message.what);
    },
    ended(message) {
      open.delete(keyOf(message));
      return notes.get(keyOf(message)) ?? blank(message.round, message.shuffle);
    },
    reconnected() {
      pledged.clear();
      early = []; // the house says them again
    },
  };
}
