/** Told on the page as long before as by email. */
const soonDays = 30;

export function endsSoon(end: string, days = soonDays): boolean {
  return Date.parse(end) - Date.now() < days * 86_400_000;
}
