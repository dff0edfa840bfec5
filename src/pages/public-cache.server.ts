import type { Reply } from "#platform/api/client.ts";

/** Pages ask for a handful of public responses, in three languages; more than this would be requests nobody makes. */
const maxEntries = 50;

const replyOf = (body: string): Reply => ({ status: 200, json: async () => JSON.parse(body) });

/**
 * Caches the API's public responses for the pages, for as long as their cache-control allows or until they are told to
 * have changed: the programme is the same for everybody, and need not be formed for every page.
 */
export function createPublicCache(now: () => number = Date.now) {
  const entries = new Map<string, { expiresAt: number; body: string }>();
  async function get(key: string, send: () => Promise<Response>): Promise<Reply> {
    const entry = entries.get(key);
    if (entry && now() < entry.expiresAt) return replyOf(entry.body);
    const response = await send();
    const seconds = /^public, max-age=(\d+)$/.exec(response.headers.get("cache-control") ?? "")?.[1];
    if (response.status !== 200 || !seconds) return response;
    const body = await response.text();
    if (entries.size >= maxEntries) entries.clear();
    entries.set(key, { expiresAt: now() + Number(seconds) * 1_000, body });
    return replyOf(body);
  }
  return { get, clear: () => entries.clear() };
}
