import { sectionsOf } from "#office/screen/menu.ts";
import { useSession } from "#office/screen/session.tsx";

/** From a metric towards its rows, for the person who is signed in. */
export function useRowLinks() {
  const { Role } = useSession();
  return (rows: Rows) => rowLink(Role, rows);
}

interface Rows {
  from: string;
  to: string;
  shopId: number | null;
}

/**
 * The day of a shop is its receipts, for those who may see them; any other period is the metrics of that shop or of those days,
 * which lead on.
 */
export function rowLink(role: Parameters<typeof sectionsOf>[0], { from, to, shopId }: Rows): string {
  const mayOpenShops = sectionsOf(role).some(({ path }) => path === "/shops");
  return shopId !== null && from === to && mayOpenShops
    ? `/shop?id=${shopId}&day=${from}`
    : `/figures?${new URLSearchParams({ From: from, To: to, ...(shopId !== null && { IdShop: String(shopId) }) })}`;
}
