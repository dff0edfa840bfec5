/**
 * The same page with some of its parameters changed, null removes one, at one of its sections: paging in one list keeps the
 * filter and the place in the others.
 */
export function pageLink(
  search: URLSearchParams,
  changes: Record<string, string | number | null>,
  sectionId: string,
): string {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name);
    else next.set(name, String(value));
  }
  return `?${next}#${sectionId}`;
}
