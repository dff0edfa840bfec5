/** Of this tab alone: it outlives a reload and a change of language, and ends with the tab. */
const key = "cercle.till.sale";

/** Undefined: there is no sale in hand. */
export function storeSale(sale: object | undefined): void {
  try {
    if (sale) sessionStorage.setItem(key, JSON.stringify(sale));
    else sessionStorage.removeItem(key);
  } catch {
    // Refused, or full: the sale is then lost with the page.
  }
}

/** The sale that was in hand when the page was left, as JSON has it. */
export function readStoredSale(): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}
