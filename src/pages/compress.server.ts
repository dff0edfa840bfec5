import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** Quality 4 is where brotli beats gzip in size and still costs about a millisecond a page. */
const brotliQuality = 4;

/** Below this the headers outweigh the gain. */
const leastBytes = 1_024;

/**
 * Whether the browser takes an encoding: named, and not with weight nought. The header is split, because a regular
 * expression that allows spaces on both sides takes quadratic time on a header full of spaces.
 */
function takes(header: string, encoding: string): boolean {
  return header.split(",").some((wish) => {
    const [name, ...parameters] = wish.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    return name === encoding && Number(weight) > 0;
  });
}

/**
 * A page as small as the browser takes it. It runs beside the event loop, on zlib's own threads. What a page repeats of the
 * request never stands beside a secret that outlives the page, so its size tells an eavesdropper nothing.
 */
export async function compressed(
  text: string,
  accepted: string | undefined,
): Promise<{ body: Uint8Array<ArrayBuffer>; encoding: "br" | "gzip" | undefined }> {
  const bytes = Buffer.from(text);
  if (!accepted || bytes.length < leastBytes) return { body: bytes, encoding: undefined };
  if (takes(accepted, "br")) {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    return { body: await promisify(brotliCompress)(bytes, { params }), encoding: "br" };
  }
  if (takes(accepted, "gzip")) return { body: await promisify(gzip)(bytes), encoding: "gzip" };
  return { body: bytes, encoding: undefined };
}
