import { readFileSync } from "node:fs";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";

// The decoder would fetch its engine from elsewhere; here it is read from the package.
prepareZXingModule({
  overrides: { wasmBinary: readFileSync("node_modules/zxing-wasm/dist/reader/zxing_reader.wasm").buffer },
});

/** A till's scanner that knows nothing of how we draw: what it reads in a picture, as `format:text`. */
export async function scan(picture: Buffer): Promise<string[]> {
  const found = await readBarcodes(new Uint8Array(picture), { tryHarder: true, formats: [] });
  return found.filter(({ isValid }) => isValid).map(({ format, text }) => `${format}:${text}`);
}
