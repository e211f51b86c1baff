// Page: lets a test call the page's own part in shuffles and its check of proofs, a line of JSON for each call.
import { createInterface } from "node:readline";

const { problems, shares } = await import(process.argv[2]);
let part = shares();
const calls = {
  problems,
  begin: () => void (part = shares()),
  announced: (message) => part.announced(message),
  told: (message) => part.told(message),
  reconnected: () => part.reconnected(),
  ended: (round, shuffle) => part.ended({ round, shuffle }),
  pledge: async (seat, isOpen) => sent((send) => part.pledge(seat, send), isOpen),
  betting: async (takesBets, isOpen) => sent((send) => part.betting(takesBets, send), isOpen),
  committed: async (message, isOpen) => sent((send) => part.committed(message, send), isOpen),
};

async function sent(act, isOpen) {
  const frames = [];
  await act((frame) => isOpen && frames.push(frame) > 0);
  return frames;
}

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...words] = JSON.parse(line);
  const found = await calls[name](...words);
  console.log(JSON.stringify(found ?? null));
}
