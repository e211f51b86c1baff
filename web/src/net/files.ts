// Files: hands something to the browser as a file; it makes up nothing.

const KEPT_MS = 1000;

/** Let the browser keep something under a name. */
export function save(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}

/** The same with something that is written as JSON. */
export function saveJson(name: string, value: unknown): void {
  save(name, new Blob([`${JSON.stringify(value, null, 1)}\n`], { type: "application/json" }));
}
