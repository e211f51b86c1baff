// Build: bundles src/ into a folder the server serves, hashed and compressed; it checks no types and never serves.
import { build } from "esbuild";
import { catalogueOrExit, plugin } from "./catalogue.mjs";
import { png } from "./icons.mjs";
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(here, "../src/letitride/server/assets"));
const made = `${out}.new`;
const languages = await catalogueOrExit();
/** The words of the page that is shown where the server cannot be reached. */
const OFFLINE_TEXTS = ["offline.title", "offline.text", "offline.again"];

/** Makes what is loaded later build on what a player has loaded: else the bundler cuts what they share into dozens of files. */
const PLAYER = join(here, "src/player.ts");
const wholePlayer = {
  name: "whole player",
  setup(build) {
    const later = new Set();
    build.onResolve({ filter: /^\./ }, async ({ path, kind, resolveDir, importer }) => {
      if (kind !== "dynamic-import") return undefined;
      const found = await build.resolve(path, { kind: "import-statement", resolveDir, importer });
      later.add(found.path);
      return found;
    });
    build.onLoad({ filter: /\.tsx?$/ }, async ({ path }) =>
      later.has(path) ? { contents: `import ${JSON.stringify(PLAYER)};\n${await readFile(path, "utf8")}`, loader: extname(path).slice(1) } : undefined,
    );
  },
};

await rm(made, { recursive: true, force: true });
await mkdir(made, { recursive: true });
const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: { app: "src/main.tsx" },
  outdir: made,
  bundle: true,
  splitting: true,
  format: "esm",
  target: ["es2022"],
  minify: true,
  jsx: "automatic",
  jsxImportSource: "preact",
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  legalComments: "linked",
  metafile: true,
  logLevel: "warning",
  plugins: [plugin(languages, PLAYER), wholePlayer],
});

const names = Object.entries(metafile.outputs);
const entry = names.find(([, output]) => output.entryPoint === "src/main.tsx");
if (!entry?.[1].cssBundle) throw new Error("expected a script and a style sheet from src/main.tsx, got none");
const script = basename(entry[0]);
const style = basename(entry[1].cssBundle);
/** What the first script needs before it can run: itself and all it imports, without what it loads later. */
function needed(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const { path, kind } of metafile.outputs[name].imports) if (kind === "import-statement") needed(path, found);
  return found;
}
const assetOf = (name) => `/assets/${basename(name)}`;
const base = [...needed(entry[0])].map(assetOf);

/** Write a file under a name that has its digest in it; return its address. */
async function hashed(name, content) {
  const [stem, suffix] = name.split(/\.(?=[^.]+$)/);
  const named = `${stem}-${createHash("sha256").update(content).digest("hex").slice(0, 8).toUpperCase()}.${suffix}`;
  await writeFile(join(made, named), content);
  return `/assets/${named}`;
}
const fill = (text, values) => text.replace(/\{\{([\w.]+)\}\}/g, (_, key) => values[key] ?? "");

const icon = await hashed("icon-180.png", png(180, true));
const page = fill(await readFile(join(here, "src/index.html"), "utf8"), {
  script: `/assets/${script}`,
  style: `/assets/${style}`,
  icon,
  preloads: base.slice(1).map((one) => `    <link rel="modulepreload" href="${one}">`).join("\n"),
});

const offline = {};
for (const language of ["en", "es"]) {
  const texts = Object.fromEntries(OFFLINE_TEXTS.map((key) => [key, languages[language][key].plain]));
  const html = fill(await readFile(join(here, "src/offline.html"), "utf8"), { language, style: `/assets/${style}`, ...texts });
  offline[`offline.${language}`] = await hashed(`offline-${language}.html`, html);
}
const worker = fill(await readFile(join(here, "src/worker.js"), "utf8"), { version: style, style: `/assets/${style}`, ...offline });
await writeFile(join(made, "sw.js"), worker);
const icons = [
  { src: await hashed("icon-192.png", png(192)), sizes: "192x192", type: "image/png" },
  { src: await hashed("icon-512.png", png(512)), sizes: "512x512", type: "image/png" },
  { src: await hashed("icon-fill-512.png", png(512, true)), sizes: "512x512", type: "image/png", purpose: "maskable" },
];
const manifest = {
  id: "/",
  name: "Let It Ride",
  short_name: "Let It Ride",
  start_url: "/",
  scope: "/",
  display: "standalone",
  background_color: "#0d5a3c",
  theme_color: "#0d5a3c",
  icons,
};
await writeFile(join(made, "manifest.webmanifest"), JSON.stringify(manifest));
let first = 0;
for (const [name] of names) {
  const path = join(made, basename(name));
  if (/\.(js|css)$/.test(path)) {
    const plain = await readFile(path);
    const smaller = brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
    await writeFile(`${path}.br`, smaller);
    await writeFile(`${path}.gz`, gzipSync(plain, { level: 9 }));
    if ([...base, `/assets/${style}`].includes(assetOf(path))) first += smaller.length;
  }
}
await writeFile(join(made, "index.html"), page); // last: a reader that finds it finds everything
await rm(out, { recursive: true, force: true });
await rename(made, out);
console.error(`web: ${names.length} files; ${Math.ceil(first / 1000)} kB compressed before the first page`);
