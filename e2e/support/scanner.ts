import { readFileSync } from "node:fs";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import { prepareZXingModule, type ReaderOptions, readBarcodes } from "zxing-wasm/reader";

// The decoder would fetch its engine from elsewhere; here it is read from the package.
prepareZXingModule({
  overrides: { wasmBinary: readFileSync("node_modules/zxing-wasm/dist/reader/zxing_reader.wasm").buffer },
});

// Not a third time at a third of the size, where a bar of one pixel less is another digit: zxing would report both readings.
const options: ReaderOptions = {
  tryHarder: true,
  tryDownscale: false,
  formats: ["EAN13", "EAN8", "Code128", "QRCode"],
};

/** A till's scanner, set to what shops print, that knows nothing of how we draw: what it reads in a picture, as `format:text`. */
export async function scan(picture: Buffer): Promise<string[]> {
  const found = await readBarcodes(new Uint8Array(picture), options);
  return found.filter(({ isValid }) => isValid).map(({ format, text }) => `${format}:${text}`);
}

export interface PrintedCode {
  text: string;
  /** The code itself, without its quiet zone. */
  widthCm: number;
  heightCm: number;
}

const dotsPerPoint = 3;
const cmPerDot = 2.54 / 72 / dotsPerPoint;

export async function countPages(pdf: Buffer): Promise<number> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(pdf);
  const count = document.getPageCount();
  document.destroy();
  library.destroy();
  return count;
}

/** Lays a PDF under the scanner: how many pages it has, how large they are, and what is on the first. */
export async function scanPrint(pdf: Buffer) {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(pdf);
  const pages = [...document.pages()];
  const [first] = pages;
  if (!first) throw new Error("The print is empty.");
  const { width, height, data } = await first.render({ scale: dotsPerPoint, render: "bitmap" });
  const pixels = new Uint8ClampedArray(data);
  const found = await readBarcodes({ data: pixels, width, height, colorSpace: "srgb" }, options);
  const codes = found
    .filter(({ isValid }) => isValid)
    .map(
      ({ text, position: { topLeft, topRight, bottomLeft } }): PrintedCode => ({
        text,
        widthCm: Math.hypot(topRight.x - topLeft.x, topRight.y - topLeft.y) * cmPerDot,
        heightCm: Math.hypot(bottomLeft.x - topLeft.x, bottomLeft.y - topLeft.y) * cmPerDot,
      }),
    );
  // Every dot is a shade of grey: nothing on the sheet needs a second ink.
  let colourful = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    const [one, two, three] = [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
    if (Math.max(one, two, three) - Math.min(one, two, three) > 24) colourful += 1;
  }
  const size = { widthCm: width * cmPerDot, heightCm: height * cmPerDot };
  document.destroy();
  library.destroy();
  return { pages: pages.length, ...size, codes, colourful };
}
