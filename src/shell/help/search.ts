/** As it is compared: without accents, capitals and the different apostrophes and hyphens. */
function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").replace(/[’']/g, " ").replace(/[‐‑-]/g, " ").toLowerCase();
}

/**
 * Whether a text contains every word of a search, in any order; an empty search finds everything. Of a sentence such as
 * "I forgot my password" the short words do not count.
 */
export function containsWords(text: string, search: string): boolean {
  const within = plain(text);
  const words = plain(search).split(/\s+/);
  const long = words.filter((word) => word.length > 3);
  return (long.length > 0 ? long : words).every((word) => within.includes(word));
}
