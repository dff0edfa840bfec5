/** As it is compared: without accents, capitals and the different apostrophes and hyphens. */
function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").replace(/[’']/g, " ").replace(/[‐‑-]/g, " ").toLowerCase();
}

/** Whether a text contains every word of a search, in any order; an empty search finds everything. */
export function containsWords(text: string, search: string): boolean {
  const within = plain(text);
  return plain(search)
    .split(/\s+/)
    .every((word) => within.includes(word));
}
