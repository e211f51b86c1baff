// Icons: the mark of the house as PNG and SVG, drawn by these functions at build time; it reads and writes no file.
import { deflateSync } from "node:zlib";

const FELT = [14, 90, 60];
const INK = [244, 233, 200];
/** Samples along each side of a pixel. */
const FINE = 4;

/** Whether a point of the unit square lies in the spade: two lobes, the point above them, and the foot. */
function inSpade(x, y) {
  const lobe = (cx) => (x - cx) ** 2 + (y - 0.56) ** 2 < 0.125 ** 2;
  const above = y >= 0.2 && y <= 0.56 && Math.abs(x - 0.5) < 0.24 * ((y - 0.2) / 0.36) ** 0.85;
  const foot = y > 0.56 && y < 0.78 && Math.abs(x - 0.5) < 0.025 + 0.09 * ((y - 0.56) / 0.22) ** 3;
  return lobe(0.385) || lobe(0.615) || above || foot;
}

/** The color of a point: spade on felt; outside the chip there is nothing, unless the icon fills its square. */
function colour(x, y, fills) {
  if (inSpade(x, y)) return [...INK, 255];
  return fills || (x - 0.5) ** 2 + (y - 0.5) ** 2 < 0.25 ? [...FELT, 255] : [0, 0, 0, 0];
}

/** One pixel, the mean of its samples. */
function pixel(column, row, size, fills) {
  const sum = [0, 0, 0, 0];
  for (let at = 0; at < FINE * FINE; at++) {
    const x = (column + ((at % FINE) + 0.5) / FINE) / size;
    const y = (row + (Math.floor(at / FINE) + 0.5) / FINE) / size;
    const [red, green, blue, alpha] = colour(x, y, fills);
    for (const [channel, value] of [red, green, blue].entries()) sum[channel] += (value * alpha) / 255;
    sum[3] += alpha;
  }
  const covered = sum[3] / 255;
  return [...sum.slice(0, 3).map((value) => (covered ? Math.round(value / covered) : 0)), Math.round(sum[3] / FINE ** 2)];
}

const CRCS = Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc >>> 0;
});

function chunk(kind, data) {
  const body = Buffer.concat([Buffer.from(kind, "ascii"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE((body.reduce((crc, byte) => CRCS[(crc ^ byte) & 255] ^ (crc >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0, body.length + 4);
  return framed;
}

/** The mark as a PNG of so many pixels; `fills`: to the edges, for systems that cut icons to their own shape. */
export function png(size, fills = false) {
  const rows = Array.from({ length: size }, (_, row) =>
    Buffer.from([0, ...Array.from({ length: size }, (_, column) => pixel(column, row, size, fills)).flat()]),
  );
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 6, 0, 0, 0], 8); // eight bits of red, green, blue and alpha
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", deflateSync(Buffer.concat(rows), { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}
