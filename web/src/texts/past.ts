// Past: words a line of a past round from the parts the server sends; where a language has none, its English sentence.
import { betName, cardName, hasText, locale, money, roleName, spoken, t, type Text } from ".";
import type { Http } from "../generated/api";
import { amounts, readHand, ruled } from "./engine";

/** A line of a past round as a sentence. */
export function lineWords(line: Http.Line): string {
  const words = ofLine(line);
  if (words === null) return spoken(line.sentence);
  const cards = line.cards?.length ? `: ${line.cards.map(cardName).join(", ")}` : "";
  const said = line.announced ? ` — ${announcedWords(line.announced)}` : "";
  const moved = (line.moved ?? []).map((one) => ` [${money(one.cents)}: ${accountWords(one.source)} → ${accountWords(one.target)}]`);
  const clauses = line.clauses?.length ? ` (${line.clauses.join(", ")})` : "";
  return `${words}${signalWords(line)}${cards}${said}${moved.join("")}${clauses}`;
}

function ofLine(line: Http.Line): string | null {
  const [kind = "", which = ""] = line.code.split(":");
  const values = amounts(line.values ?? {});
  const by = values["by"] ? byWords(String(values["by"])) : "";
  if (kind === "step") {
    const key = `step.${which}`;
    if (!hasText(key)) return null;
    const text = t(key as Text, { ...values, wager: betName(String(values["wager"])) } as never);
    return t("told.by", { by: roleName(String(values["actor"])), text });
  }
  if (!hasText("past.over")) return null; // the language in force is the one that comes with it
  if (kind === "ruling") return rulingWords(line, by, String(values["why"] ?? ""));
  if (kind === "dispute") {
    const paid = line.values?.["paid_cents"] ? `; ${t("told.paid", { amount: String(values["paid"]) })}` : "";
    return t(`told.${which}` as Text, { ...values, by } as never) + paid;
  }
  const key = `past.${line.code}`;
  if (!hasText(key)) return null;
  const bets = new Intl.ListFormat(locale.value).format((line.bets ?? []).map(([spot, cents]) => `${betName(String(spot))} ${money(Number(cents))}`));
  const bet = line.code === "withdraws_side" ? betName(String(values["bet"])) : values["bet"];
  return t(key as Text, { ...values, bets, bet, by } as never);
}

function rulingWords(line: Http.Line, by: string, why: string): string {
  const text = ruled({ name: String(line.values?.["name"] ?? ""), sentence: line.sentence });
  const parts = [t("told.ruling", { ruling: by ? t("told.by", { by, text }) : text })];
  if (line.seats?.length) parts.push(t("told.seats", { many: line.seats.length, seats: line.seats.join(", ") }));
  if (why) parts.push(t("told.because", { why }));
  if (!line.clauses?.length) parts.push(`(${t("told.default")})`);
  return parts.join(" ");
}

function announcedWords({ code, values, readings }: Http.Announcement): string {
  const key = `announced.${code}`;
  return hasText(key) ? t(key as Text, (values ?? {}) as never) : readHand(readings ?? []);
}

function signalWords(line: Http.Line): string {
  const key = `signal.${line.values?.["signal"] ?? ""}`;
  return hasText(key) ? ` (${t(key as Text)})` : "";
}

/** Who gave a ruling or advice: a role, or a seat. */
function byWords(by: string): string {
  const [, seat] = by.split("seat:");
  return seat ? t("rail.hand", { seat }) : roleName(by);
}

function accountWords({ kind, seat, spot, player }: Http.AccountPart): string {
  if (player) return t("told.wallet", { player });
  const name = t(`account.kind.${kind}` as Text);
  const bet = spot ? (spot === "match-play" ? t("told.coupon") : betName(spot)) : "";
  const account = bet ? (kind === "felt" ? bet : t("told.account.of", { bet, account: name })) : name;
  return seat ? t("told.account", { seat, account }) : account;
}
