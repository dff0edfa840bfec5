import type { Reply } from "#platform/api/client.ts";

/** Pages ask for a handful, in three languages; whatever would ask for more is not what this is for. */
const most = 50;

const replyOf = (body: string): Reply => ({ status: 200, json: async () => JSON.parse(body) });

/**
 * What the API lets any cache keep, the pages keep too, for as long: the programme is the same for everybody, and is not
 * asked of the database for every page.
 */
export function createPublicAnswers(now: () => number = Date.now) {
  const kept = new Map<string, { until: number; body: string }>();
  return async (key: string, ask: () => Promise<Response>): Promise<Reply> => {
    const known = kept.get(key);
    if (known && now() < known.until) return replyOf(known.body);
    const response = await ask();
    const seconds = /^public, max-age=(\d+)$/.exec(response.headers.get("cache-control") ?? "")?.[1];
    if (response.status !== 200 || !seconds) return response;
    const body = await response.text();
    if (kept.size >= most) kept.clear();
    kept.set(key, { until: now() + Number(seconds) * 1_000, body });
    return replyOf(body);
  };
}
