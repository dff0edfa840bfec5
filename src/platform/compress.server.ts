import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Context } from "hono";

/** At quality 4 brotli is smaller than gzip and costs about a millisecond a page. */
const brotliQuality = 4;

/** Smaller pages are not worth compressing. */
const minimumBytes = 1_024;

/**
 * Whether Accept-Encoding allows an encoding: named, and not with q=0. The header is split, because a regular expression
 * that allows spaces on both sides takes quadratic time on a header full of spaces.
 */
function accepts(header: string, encoding: string): boolean {
  return header.split(",").some((entry) => {
    const [name, ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    return name === encoding && Number(weight) > 0;
  });
}

type Encoding = "br" | "gzip";

const encodingFor = (accepted = ""): Encoding | undefined =>
  (["br", "gzip"] as const).find((encoding) => accepts(accepted, encoding));

/**
 * Compresses a page as the browser accepts it, on zlib's own threads. Not for one that repeats parts of a request that
 * another site has chosen next to a secret, which its compressed size would reveal (BREACH).
 */
export async function compressed(
  page: string | Buffer<ArrayBuffer>,
  accepted: string | undefined,
): Promise<{ body: Uint8Array<ArrayBuffer>; encoding: Encoding | undefined }> {
  const bytes = typeof page === "string" ? Buffer.from(page) : page;
  const encoding = bytes.length < minimumBytes ? undefined : encodingFor(accepted);
  if (!encoding) return { body: bytes, encoding };
  if (encoding === "gzip") return { body: await promisify(gzip)(bytes), encoding };
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return { body: await promisify(brotliCompress)(bytes, { params }), encoding };
}

/** The body of a response to this request, and the headers that say how it is compressed. */
export async function compressedFor(c: Context, page: string | Buffer<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return withHeaders(c, await compressed(page, c.req.header("accept-encoding")));
}

/** The same for a page that never changes: rendered when it is first requested, and compressed once as each browser accepts it. */
export function compressedOnce(render: () => string): (c: Context) => Promise<Uint8Array<ArrayBuffer>> {
  let page: Buffer<ArrayBuffer> | undefined;
  const made = new Map<Encoding | undefined, ReturnType<typeof compressed>>();
  return async (c) => {
    page ??= Buffer.from(render());
    const encoding = encodingFor(c.req.header("accept-encoding"));
    const result = made.get(encoding) ?? compressed(page, encoding);
    made.set(encoding, result);
    return withHeaders(c, await result);
  };
}

function withHeaders(c: Context, { body, encoding }: Awaited<ReturnType<typeof compressed>>): Uint8Array<ArrayBuffer> {
  if (encoding) c.header("content-encoding", encoding);
  c.header("vary", "accept-encoding", { append: true });
  return body;
}
