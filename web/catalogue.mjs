// Catalogue: reads the texts of the page, checks and compiles them (ICU MessageFormat); it words nothing itself.
// `node catalogue.mjs` checks them and writes their types; the build does the same.
import MessageFormat from "@messageformat/core";
import compileModule from "@messageformat/core/compile-module.js";
import { parse } from "@messageformat/parser";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { argv, exit } from "node:process";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const SOURCES = join(here, "src");
const TYPES = join(SOURCES, "generated/texts.d.ts");
const FIRST = "en";
const LANGUAGES = [FIRST, "es"];
/** Sources that a player who goes to a table does not load: texts that these alone use come with them, not before. */
const LATER = /^(pages\/(staff|learn|par|results)\/|results\/|rules\/|texts\/rules\.ts$)/;
/** Texts that staff alone see, by how their keys begin: a language may leave them out, and then the first one speaks. */
const STAFF = /^(staff|staffdrill|assign|instructor|desk)\./;
/** What Python says in English and sends with a code: the other languages word it, English comes with it. */
const ENGINE = join(SOURCES, "generated/engine.json");

/** The values a message needs by name, and whether each has to be a number. */
function valuesOf(tokens, found = new Map()) {
  for (const token of tokens) {
    if (token.type === "argument" || token.type === "function") found.set(token.arg, found.get(token.arg) ?? false);
    if (token.type === "plural" || token.type === "selectordinal") found.set(token.arg, true);
    if (token.type === "select") found.set(token.arg, found.get(token.arg) ?? false);
    for (const one of token.cases ?? []) valuesOf(one.tokens, found);
  }
  return found;
}

/** The messages of each language by key, each with its text and its values; what cannot be read is told in `wrong`. */
async function read(wrong) {
  const languages = {};
  for (const language of LANGUAGES) {
    const sent = language === FIRST ? JSON.parse(await readFile(ENGINE, "utf8")) : {};
    const texts = { ...sent, ...JSON.parse(await readFile(join(SOURCES, "texts", `${language}.json`), "utf8")) };
    languages[language] = {};
    for (const [key, text] of Object.entries(texts)) {
      try {
        const tokens = parse(text, { cardinal: new Intl.PluralRules(language).resolvedOptions().pluralCategories });
        languages[language][key] = { text, sent: key in sent, values: valuesOf(tokens), plain: tokens.every((one) => one.type === "content") ? tokens.map((one) => one.value).join("") : null };
      } catch (error) {
        wrong.push(`${language}.json, ${key}: expected ICU MessageFormat, got ${JSON.stringify(text)}: ${error.message.split("\n")[0]}`);
      }
    }
  }
  return languages;
}

/** What the sources ask for: keys as they are written, and patterns of keys that are put together. */
async function asked() {
  const written = new Map();
  const called = new Map();
  const patterns = [];
  const files = await readdir(SOURCES, { recursive: true });
  for (const [, key] of (await readFile(join(SOURCES, "offline.html"), "utf8")).matchAll(/\{\{(\w+\.\w+)\}\}/g)) {
    written.set(key, ["offline.html"]);
    called.set(key, "offline.html");
  }
  for (const file of files.filter((one) => /\.tsx?$/.test(one) && !one.endsWith(".d.ts"))) {
    const source = await readFile(join(SOURCES, file), "utf8");
    for (const [, key] of source.matchAll(/"([a-z][\w]*(?:\.[^"\n]+)+)"/g)) written.set(key, [...(written.get(key) ?? []), file]);
    for (const [, template] of source.matchAll(/`([a-z]\w*\.(?:[^`\\$]|\$\{[^`{}]*\})*)`/g)) {
      if (!template.includes("${")) continue;
      const parts = template.split(/\$\{[^{}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      patterns.push({ file, template, pattern: new RegExp(`^${parts.join("[^.]+")}$`) });
    }
    for (const [, key] of source.matchAll(/\bt\(\s*"([^"]+)"/g)) called.set(key, file);
  }
  return { written, called, patterns };
}

/** Every sentence about what is wrong with the catalogue; none where all is well. */
function check(languages, { written, called, patterns }, wrong) {
  const first = languages[FIRST];
  for (const [key, file] of called) if (!first[key]) wrong.push(`${file}: ${FIRST}.json has no text ${key}.`);
  for (const [key, { sent }] of Object.entries(first)) {
    if (!sent && !written.has(key) && !patterns.some((one) => one.pattern.test(key))) wrong.push(`${FIRST}.json, ${key}: no source uses this text.`);
  }
  const families = new Set(Object.keys(first).map((key) => key.split(".")[0]));
  for (const { file, template, pattern } of patterns) {
    if (families.has(template.split(".")[0]) && !Object.keys(first).some((key) => pattern.test(key))) wrong.push(`${file}: no text has a key like ${template}.`);
  }
  for (const language of LANGUAGES.filter((one) => one !== FIRST)) {
    const other = languages[language];
    for (const key of Object.keys(first)) if (!other[key] && !STAFF.test(key)) wrong.push(`${language}.json, ${key}: the text is missing.`);
    for (const [key, { values }] of Object.entries(other)) {
      const own = [...values.keys()].sort().join(", ");
      if (!first[key]) wrong.push(`${language}.json, ${key}: ${FIRST}.json has no such text.`);
      else if (own !== [...first[key].values.keys()].sort().join(", ")) {
        wrong.push(`${language}.json, ${key}: expected the values ${[...first[key].values.keys()].join(", ") || "none"} as in ${FIRST}.json, got ${own || "none"}.`);
      }
    }
  }
}

/** The keys with the values of each, as TypeScript reads them; written where it has changed. */
async function writeTypes(messages) {
  const rows = Object.entries(messages).map(([key, { values }]) => {
    const fields = [...values].map(([name, isNumber]) => `${JSON.stringify(name)}: ${isNumber ? "number" : "string | number"}`);
    return `  ${JSON.stringify(key)}: { ${fields.join("; ")} };`;
  });
  const parts = LANGUAGES.flatMap((language) => [language, `${language}/later`]);
  const modules = parts.map((part) => `declare module "catalogue:${part}" {\n  const messages: import("./texts").Messages;\n  export default messages;\n}`);
  const types = [
    "// Made by catalogue.mjs from the texts; not to be edited.",
    `export interface Texts {\n${rows.join("\n")}\n}`,
    "export type Messages = Partial<Record<keyof Texts, string | ((values: object) => string)>>;",
  ];
  await write(TYPES, `${types.join("\n\n")}\n`);
  await write(TYPES.replace("texts.d.ts", "catalogue.d.ts"), `${modules.join("\n")}\n`);
}

async function write(path, text) {
  if ((await readFile(path, "utf8").catch(() => "")) !== text) await writeFile(path, text);
}

/** Read and check the texts and write their types; throws one error that tells everything that is wrong. */
async function catalogue() {
  const wrong = [];
  const languages = await read(wrong);
  const uses = await asked();
  check(languages, uses, wrong);
  if (wrong.length) throw new Error(`expected a complete catalogue of texts, got\n  ${wrong.join("\n  ")}`);
  await writeTypes(languages[FIRST]);
  for (const [key, { sent }] of Object.entries(languages[FIRST])) if (sent) delete languages[FIRST][key];
  const parts = {};
  for (const [language, messages] of Object.entries(languages)) {
    const later = (key) => isLater(key, uses);
    const of = (choose) => Object.fromEntries(Object.entries(messages).filter(([key]) => choose(key)));
    parts[language] = of((key) => !later(key));
    parts[`${language}/later`] = of(later);
  }
  return parts;
}

/** Whether a text is used by nothing that a player on the way to a table loads. */
function isLater(key, { written, patterns }) {
  const users = [...(written.get(key) ?? []), ...patterns.filter(({ pattern }) => pattern.test(key)).map(({ file }) => file)];
  return users.length > 0 && users.every((file) => LATER.test(file.replaceAll("\\", "/")));
}

/** A module of a language: texts without values as strings, the others as functions. */
function compiled(part, messages) {
  const [language] = part.split("/");
  const plain = Object.fromEntries(Object.entries(messages).flatMap(([key, one]) => (one.plain === null ? [] : [[key, one.plain]])));
  const rest = Object.fromEntries(Object.entries(messages).flatMap(([key, one]) => (one.plain === null ? [[key, one.text]] : [])));
  const functions = compileModule(new MessageFormat(language), rest).replace("export default", "const functions =");
  return `${functions}\nexport default { ...functions, ...${JSON.stringify(plain)} };`;
}

/** Read and check the texts; where something is wrong with them, say so and end the program. */
export async function catalogueOrExit() {
  try {
    return await catalogue();
  } catch (error) {
    console.error(error.message);
    return exit(1);
  }
}

/** For esbuild: gives `import messages from "catalogue:en"`; what comes later builds on `player`. */
export const plugin = (languages, player) => ({
  name: "catalogue",
  setup(build) {
    build.onResolve({ filter: /^catalogue:/ }, ({ path }) => ({ path: path.slice("catalogue:".length), namespace: "catalogue" }));
    build.onLoad({ filter: /.*/, namespace: "catalogue" }, ({ path }) => ({
      contents: (path === FIRST ? "" : `import ${JSON.stringify(player)};\n`) + compiled(path, languages[path]),
      resolveDir: here,
    }));
  },
});

if (argv[1] === fileURLToPath(import.meta.url)) await catalogueOrExit();
