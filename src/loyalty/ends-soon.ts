/** Told on the page as long before as by letter. */
const soonDays = 30;

export function endsSoon(end: string): boolean {
  return Date.parse(end) - Date.now() < soonDays * 86_400_000;
}
