// Table: one table over a WebSocket, as signals: the view, how the table stands, and what happens to commands.
// It sends again what was not answered, comes back by itself when the line drops, and takes its share in the shuffles.
import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import type { Act, Answer, Outgoing, SetPace, TableSent, View } from "../generated/api";
import { learnBets } from "../texts";
import { refusal } from "../texts/engine";
import { ask, capital, Refused } from "./api";
import { hex, random } from "./bytes";
import { type Noted, type Send, shares } from "./shares";

export type Command = Act["command"];
export type Line = "connecting" | "open" | "lost" | "session" | "missing" | "halted" | "elsewhere" | "left";

export interface Connection {
  readonly id: string;
  /** What the table is called; its id until that is known. */
  readonly name: ReadonlySignal<string>;
  readonly line: ReadonlySignal<Line>;
  /** When the next attempt to connect is made, while the line is lost. */
  readonly retryAt: ReadonlySignal<number>;
  readonly view: ReadonlySignal<View | null>;
  readonly standing: ReadonlySignal<TableSent | null>;
  /** Where the viewer sits; 0: nowhere. */
  readonly seat: ReadonlySignal<number>;
  /** Decks whose proof can be had, the latest first. */
  readonly proofs: ReadonlySignal<Noted[]>;
  /** Commands without an answer yet. */
  readonly waiting: ReadonlySignal<number>;
  /** Why the table is halted. */
  readonly halted: ReadonlySignal<string>;
  /** What came over the line that belongs to no command. */
  readonly trouble: Signal<string>;
  /** How far the server's clock is ahead of ours, in milliseconds. */
  readonly ahead: ReadonlySignal<number>;
  /** The decisions the player sent from this page, as 'round/bet/seat'; all others were made for them. */
  readonly decided: ReadonlySet<string>;
  /** Have a command carried out, once, however often the line drops. */
  act(command: Command, by?: "player" | "program"): Promise<Answer>;
  /** For staff: the next step of the script. */
  next(): Promise<Answer>;
  send(message: { type: "take_shift" } | { type: "end_shift" } | { type: "clock"; on: boolean } | SetPace): void;
  reconnect(): void;
  leave(): void;
}

const PAUSES = [300, 700, 1500, 3000, 5000, 8000];
const PROOFS_KEPT = 20;

interface Waiting {
  frame: string;
  done: (answer: Answer) => void;
}

/** Connect to a table, as a player or in a role. */
export function connect(id: string, role = ""): Connection {
  const name = signal(id);
  const line = signal<Line>("connecting");
  const retryAt = signal(0);
  const view = signal<View | null>(null);
  const standing = signal<TableSent | null>(null);
  const proofs = signal<Noted[]>([]);
  const halted = signal("");
  const trouble = signal("");
  const ahead = signal(0);
  const waitingFor = new Map<string, Waiting>();
  const waiting = signal(0);
  const decided = new Set<string>();
  const seat = computed(() => Number(/^seat:(\d+)$/.exec(view.value?.viewer ?? "")?.[1] ?? 0));
  const part = shares();
  let socket: WebSocket | null = null;
  let tries = 0;
  let timer = 0;
  let over = false;
  let attempt = 0;
  let early: Answer[] = [];

  async function open(): Promise<void> {
    if (over) return;
    clearTimeout(timer);
    line.value = "connecting";
    const own = ++attempt; // an attempt that is overtaken leaves it to the later one
    try {
      const asked = Date.now();
      const joined = await ask("POST /api/tables/{table_id}/join", { path: { table_id: id } });
      ahead.value = joined.now_ms - (asked + Date.now()) / 2;
      name.value = joined.name;
      if (over || own !== attempt) return;
      const base = (joined.address || location.origin).replace(/^http/, "ws");
      const query = new URLSearchParams({ ticket: joined.ticket, changes: "true", ...(role ? { role } : {}) });
      listen(new WebSocket(`${base}${joined.path}?${query}`));
    } catch (error) {
      if (over || own !== attempt) return;
      const status = error instanceof Refused ? error.status : 0;
      if (status === 401) stop("session");
      else if (status === 404 || status === 422) stop("missing");
      else again();
    }
  }

  function listen(opened: WebSocket): void {
    socket = opened;
    opened.onopen = () => {
      tries = 0;
      line.value = "open";
      part.reconnected();
      for (const one of waitingFor.values()) opened.send(one.frame);
    };
    opened.onmessage = ({ data }) => take(JSON.parse(data as string) as Outgoing, opened);
    opened.onclose = ({ code }) => {
      if (socket !== opened || over) return;
      socket = null;
      if (code === 1008) void afterRefusal();
      else again(code === 1012);
    };
  }

  /** A line that the server refuses: because the session is over, or only the ticket. */
  async function afterRefusal(): Promise<void> {
    try {
      await ask("GET /api/me");
      again();
    } catch (error) {
      if (error instanceof Refused && error.status === 401) stop("session");
      else again();
    }
  }

  function again(soon = false): void {
    const pause = soon ? 50 : PAUSES[Math.min(tries, PAUSES.length - 1)]! * (0.75 + Math.random() / 2);
    tries++;
    line.value = halted.value ? "halted" : "lost";
    retryAt.value = Date.now() + pause;
    clearTimeout(timer);
    timer = setTimeout(() => void open(), pause);
  }

  function stop(why: Line): void {
    line.value = why;
    clearTimeout(timer);
  }

  function take(message: Outgoing, from: WebSocket): void {
    switch (message.type) {
      case "view":
        halted.value = "";
        learnBets(message.view.sign.side_bets.map((bet) => [bet.spot, bet.title]));
        view.value = message.view;
        tellSeen();
        break;
      case "change":
        if (view.value?.version === message.since) {
          view.value = { ...view.value, ...message.view, seats: { ...view.value.seats, ...message.seats } } as View;
          tellSeen();
        } else from.close(); // something was lost on the way: begin again with a whole view
        break;
      case "table":
        standing.value = message;
        break;
      case "answer":
        early.push(message);
        tellSeen();
        break;
      case "error":
        if (message.command && waitingFor.has(message.command)) {
          const sentence = capital(message.sentence);
          answered({ type: "answer", command: message.command, accepted: false, version: 0, code: message.code, sentence });
        } else if (message.code !== "shuffle_share") trouble.value = refusal({ type: "answer", command: "", accepted: false, version: 0, code: message.code, sentence: capital(message.sentence) });
        break;
      case "pledges":
        part.announced(message);
        break;
      case "commitment":
        void part.committed(message, sender(from));
        break;
      case "share":
        part.told(message);
        break;
      case "proof":
        proofs.value = [part.ended(message), ...proofs.value].slice(0, PROOFS_KEPT);
        break;
      case "halted":
        halted.value = message.why;
        break;
    }
    // Where a book takes bets until the first card, those while the deck is bound are refused all the same.
    const takesBets = view.value?.phase === "betting" && view.value.betting_open;
    void part.betting(takesBets, sender(from));
    // A shuffle may be announced before the view shows a seat: then the pledge follows with the view that does.
    void part.pledge(seat.value, sender(from));
  }

  const sender =
    (to: WebSocket): Send =>
    (message) => {
      const open = to.readyState === WebSocket.OPEN;
      if (open) to.send(JSON.stringify(message));
      return open;
    };

  /** An answer comes before the view it speaks of: those who wait for it are told when they can see what followed. */
  function tellSeen(): void {
    const seen = view.value?.version ?? 0;
    const told = early.filter((one) => !one.accepted || one.version <= seen);
    early = early.filter((one) => !told.includes(one));
    told.forEach(answered);
  }

  function answered(answer: Answer): void {
    const one = waitingFor.get(answer.command);
    waitingFor.delete(answer.command);
    waiting.value = waitingFor.size;
    one?.done(answer);
  }

  function submit(make: (id: string) => object): Promise<Answer> {
    return new Promise((done) => {
      const own = hex(random(16));
      const frame = JSON.stringify(make(own));
      waitingFor.set(own, { frame, done });
      waiting.value = waitingFor.size;
      if (socket?.readyState === WebSocket.OPEN) socket.send(frame);
    });
  }

  function awake(): void {
    if (document.visibilityState === "visible" && !socket && (line.value === "lost" || line.value === "halted")) void open();
  }

  document.addEventListener("visibilitychange", awake);
  addEventListener("online", awake);
  void open();
  return {
    id,
    name,
    line,
    retryAt,
    view,
    standing,
    seat,
    proofs,
    waiting,
    halted,
    trouble,
    ahead,
    decided,
    act: (command, by = "player") => {
      const round = view.value?.round ?? 0;
      const mine = by === "program" ? [] : command.type === "Choose" ? [command.bet] : command.type === "Tuck" ? [1, 2] : [];
      for (const bet of mine) decided.add(`${round}/${bet}/${"seat" in command ? command.seat : 0}`); // before the view tells of it
      return submit((own) => ({ type: "command", id: own, command }));
    },
    next: () => submit((own) => ({ type: "next", id: own })),
    send: (message) => {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
    reconnect: () => {
      tries = 0;
      socket?.close();
      socket = null;
      void open();
    },
    leave: () => {
      over = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", awake);
      removeEventListener("online", awake);
      line.value = "left";
      socket?.close();
    },
  };
}
