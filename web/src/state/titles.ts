// Titles: what rule books and tables are called, asked of the server once; until that is known their ids stand in.
import { signal } from "@preact/signals";
import { BOOK_NAMES, SPECIALS } from "../generated/kept";
import { ask } from "../net/api";
import { hasText, t, type Text } from "../texts";

type Names = Record<string, string>;

/** A way to look up names by id; the first look asks for all of them. */
function names(load: () => Promise<Names>): (id: string) => string {
  const known = signal<Names>({});
  let loading: Promise<void> | undefined;
  return (id) => {
    loading ??= load().then(
      (found) => void (known.value = found),
      () => void (loading = undefined),
    );
    return known.value[id] ?? id;
  };
}

const byId = <T extends { id: string }>(all: T[], name: (one: T) => string): Names => Object.fromEntries(all.map((one) => [one.id, name(one)]));

const books = names(async () => {
  const all = await ask("GET /api/rulebooks");
  const variants = all.flatMap((one) => Object.entries(one.variants).map(([name, title]): [string, string] => [`${one.id}+${name}`, title]));
  return { ...byId(all, (one) => one.title), ...Object.fromEntries(variants) };
});

/** The title of a published rule book in the page's language; a house's own comes as it is. */
export function bookWords(id: string, title: string): string {
  const key = `book.${id}`;
  return hasText(key) ? t(key as Text) : title;
}

/** The title of a rule book, with the variants it is played with: 'New South Wales casino rules (One deck in a shuffler)'. */
export function bookTitle(id: string): string {
  const [book = "", ...variants] = id.split("+");
  const title = bookWords(book, books(book));
  return variants.length ? `${title} (${variants.map((one) => books(`${book}+${one}`)).join(", ")})` : title;
}

/** What a book's title says beyond the table's name, where the table is called by its first words. */
export const beyond = (title: string, name: string): string => (title.startsWith(name) ? title.slice(name.length).replace(/^[:,]\s*/, "") : title);

/** The name of a table as people read it: book and what sets it apart, as in 'Nevada · shoe · $5–$500', in the page's language. */
export function tableTitle(name: string): string {
  const [book = "", special = "", limits, ...more] = name.split(" · ");
  const [ofBook, ofSpecial] = [`bookname.${BOOK_NAMES[book] ?? ""}`, `special.${SPECIALS[special] ?? ""}`];
  if (!limits || more.length || !(book in BOOK_NAMES)) return name;
  return [hasText(ofBook) ? t(ofBook as Text) : book, hasText(ofSpecial) ? t(ofSpecial as Text) : special, limits].join(" · ");
}

const lobbyNames = names(async () => byId(await ask("GET /api/tables"), (one) => one.name));
/** The name of a table of the lobby. */
export const lobbyName = (id: string): string => tableTitle(lobbyNames(id));
/** The name of a table, for those who work in the house. */
export const tableName = names(async () => byId(await ask("GET /api/desk"), (one) => one.name));
const paytables = names(async () => byId(await ask("GET /api/paytables"), (one) => one.title));

/** The title of a published paytable in the page's language; a house's own comes as it is. */
export function paytableWords(id: string, title: string): string {
  const key = `paytable.${id}`;
  return hasText(key) ? t(key as Text) : title;
}

/** The title of a paytable, with its id, which people of the trade know. */
export const paytableTitle = (id: string): string => `${id} · ${paytableWords(id, paytables(id))}`;
