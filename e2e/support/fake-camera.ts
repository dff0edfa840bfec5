import { writeFileSync } from "node:fs";
import bwip from "bwip-js/node";

const width = 1280;
const height = 720;

/** What is held before the camera: a member's card, a voucher, or the QR code of a receipt. */
export type Held = { kind: "ean13" | "code128" | "qrcode"; text: string };

/** Chromium's switches for a camera that shows a file; the context also needs `permissions: ["camera"]`. */
export const fakeCamera = (file: string) => [
  "--use-fake-device-for-media-stream",
  `--use-file-for-fake-video-capture=${file}`,
];

/**
 * Writes what such a camera sees, a Y4M video without colours: a phone on a grey counter, with the code on its bright
 * screen; or the counter alone. Written again while the browser runs, the file is another card.
 */
export function holdBeforeCamera(file: string, held?: Held): void {
  const luminance = new Uint8Array(width * height).fill(96);
  if (held) drawPhone(luminance, held);
  const header = `YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`;
  const colours = new Uint8Array((width * height) / 2).fill(128);
  const frame = Buffer.concat([Buffer.from("FRAME\n"), luminance, colours]);
  // With a single frame some versions of Chromium show nothing.
  writeFileSync(file, Buffer.concat([Buffer.from(header), frame, frame, frame]));
}

function drawPhone(luminance: Uint8Array, { kind, text }: Held): void {
  const fill = (left: number, top: number, right: number, bottom: number, shade: number) => {
    for (let y = top; y < bottom; y += 1) luminance.fill(shade, y * width + left, y * width + right);
  };
  fill(240, 60, 1040, 660, 20);
  fill(270, 80, 1010, 640, 245);
  const [symbol] = bwip.raw(kind, text);
  if (!symbol) throw new Error("Nothing to draw.");
  const isBars = "sbs" in symbol;
  const dots: number[] = isBars ? barsOf(symbol.sbs) : symbol.pixs;
  const columns = isBars ? dots.length : symbol.pixx;
  const rows = dots.length / columns;
  const dot = Math.floor(Math.min(600 / columns, 460 / rows));
  const tall = isBars ? 260 : dot;
  const left = Math.round((width - columns * dot) / 2);
  const top = Math.round((height - rows * tall) / 2);
  dots.forEach((dark, index) => {
    const x = left + (index % columns) * dot;
    const y = top + Math.floor(index / columns) * tall;
    if (dark) fill(x, y, x + dot, y + tall, 15);
  });
}

/** One dot for each module of a linear code, whose widths alternate, bar first: 1 is dark. */
const barsOf = (widths: number[]) =>
  widths.flatMap((count, index) => Array.from({ length: count }, () => (index % 2 === 0 ? 1 : 0)));
