// Shape: whether a value from outside has just the fields, lists, numbers and digits it should have; it computes nothing.

export type Shape = ((value: unknown) => boolean) | { [field: string]: Shape };

/** Whether a value has a shape: an object just the fields of it, no more and no fewer. */
export function has(shape: Shape, value: unknown): boolean {
  if (typeof shape === "function") return shape(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const fields = Object.entries(shape);
  return Object.keys(value).length === fields.length && fields.every(([name, inside]) => has(inside, (value as Record<string, unknown>)[name]));
}

export const list =
  (item: Shape, least: number, most: number): Shape =>
  (value) =>
    Array.isArray(value) && value.length >= least && value.length <= most && value.every((one) => has(item, one));

export const whole =
  (least: number, most: number): Shape =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;

/** So many bytes in small hexadecimal digits, so that every content has one spelling. */
export const digits =
  (bytes: number): Shape =>
  (value) =>
    typeof value === "string" && value.length === 2 * bytes && /^[0-9a-f]*$/.test(value);

export const oneOf =
  (...values: string[]): Shape =>
  (value) =>
    values.includes(value as string);

export const text =
  (bytes: number): Shape =>
  (value) =>
    typeof value === "string" && value !== "" && new TextEncoder().encode(value).length <= bytes;
