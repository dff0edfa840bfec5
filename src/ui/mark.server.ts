import { deflateSync } from "node:zlib";

type Colour = readonly [red: number, green: number, blue: number];

const ink: Colour = [11, 10, 12];
const paper: Colour = [255, 255, 255];
/** Each pixel is looked at so many times each way: smooth edges without a graphics library. */
const samples = 4;

/**
 * The house's mark as a PNG: the ring of public/favicon.svg, its left half heavier, for whatever takes no SVG.
 * `scale` shrinks the ring within its field, for systems that cut the field's corners off.
 */
export function markPng(size: number, options: { field?: Colour | null; ring?: Colour; scale?: number } = {}): Buffer {
  const { field = ink, ring = paper, scale = 1 } = options;
  const rows = Buffer.alloc(size * (1 + size * 4));
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const share = coverage(x, y, size, scale);
      const at = y * (1 + size * 4) + 1 + x * 4;
      ring.forEach((value, channel) => {
        rows[at + channel] = field ? Math.round(value * share + (field[channel] ?? 0) * (1 - share)) : value;
      });
      rows[at + 3] = field ? 255 : Math.round(share * 255);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // Eight bits of red, green, blue and alpha; the rest of the header is the format's only choice.
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** How much of a pixel the ring covers. The drawing is 32 units wide: radius 9, stroke 1.5, on the left 3.5. */
function coverage(x: number, y: number, size: number, scale: number): number {
  const unit = (pixel: number) => ((pixel / size) * 32 - 16) / scale;
  const inside = (dx: number, dy: number) => (dx < 0 ? 1.75 : 0.75) - Math.abs(Math.hypot(dx, dy) - 9);
  const [middleX, middleY] = [unit(x + 0.5), unit(y + 0.5)];
  const pixel = 32 / size / scale;
  // Only edges need a closer look, and the seam where the stroke changes.
  const clear = Math.abs(inside(middleX, middleY)) > pixel && Math.abs(middleX) > pixel;
  if (clear) return inside(middleX, middleY) > 0 ? 1 : 0;
  let hits = 0;
  for (let sample = 0; sample < samples * samples; sample++) {
    const [across, down] = [sample % samples, Math.floor(sample / samples)];
    if (inside(unit(x + (across + 0.5) / samples), unit(y + (down + 0.5) / samples)) >= 0) hits += 1;
  }
  return hits / (samples * samples);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const framed = Buffer.alloc(8 + body.length);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), 4 + body.length);
  return framed;
}

/** The format's own checksum; Node's arrived with version 22. */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
