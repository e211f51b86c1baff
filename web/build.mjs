// Build: bundles src/ into a folder the server serves, hashed and compressed; it checks no types and never serves.
import { build } from "esbuild";
import { catalogueOrExit, plugin } from "./catalogue.mjs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(here, "../src/letitride/server/assets"));
const made = `${out}.new`;
const languages = await catalogueOrExit();

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
  plugins: [plugin(languages)],
});

const names = Object.entries(metafile.outputs);
const entry = names.find(([, output]) => output.entryPoint === "src/main.tsx");
if (!entry?.[1].cssBundle) throw new Error("expected a script and a style sheet from src/main.tsx, got none");
const script = basename(entry[0]);
const style = basename(entry[1].cssBundle);
const page = (await readFile(join(here, "src/index.html"), "utf8"))
  .replace("{{script}}", `/assets/${script}`)
  .replace("{{style}}", `/assets/${style}`);

let first = 0;
for (const [name] of names) {
  const path = join(made, basename(name));
  if (/\.(js|css)$/.test(path)) {
    const plain = await readFile(path);
    const smaller = brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
    await writeFile(`${path}.br`, smaller);
    await writeFile(`${path}.gz`, gzipSync(plain, { level: 9 }));
    if ([script, style].includes(basename(path))) first += smaller.length;
  }
}
await writeFile(join(made, "index.html"), page); // last: a reader that finds it finds everything
await rm(out, { recursive: true, force: true });
await rename(made, out);
console.error(`web: ${names.length} files; ${Math.ceil(first / 1000)} kB compressed before the first page`);
