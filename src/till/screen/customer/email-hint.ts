/** Providers that most customers have. A domain that is one of these, or far from all of them, is left alone. */
const knownDomains = [
  ...[
    "gmail.com",
    "googlemail.com",
    "outlook.com",
    "outlook.fr",
    "outlook.de",
    "hotmail.com",
    "hotmail.fr",
    "hotmail.de",
  ],
  ...["live.fr", "live.com", "msn.com", "yahoo.com", "yahoo.fr", "yahoo.de", "icloud.com", "me.com", "orange.fr"],
  ...["wanadoo.fr", "free.fr", "sfr.fr", "laposte.net", "bbox.fr", "neuf.fr", "gmx.de", "gmx.net", "gmx.at", "gmx.ch"],
  ...["web.de", "t-online.de", "freenet.de", "posteo.de", "bluewin.ch", "proton.me", "protonmail.com", "hotmail.co.uk"],
  ...["btinternet.com", "yahoo.co.uk", "live.co.uk"],
];

/** The address with the domain that was probably meant: one or two letters away from a well-known one. */
export function emailHint(address: string): string | undefined {
  const [, local, typed] = /^\s*([^\s@]+)@([^\s@]+)\s*$/.exec(address) ?? [];
  const domain = typed?.toLowerCase();
  if (!local || !domain || knownDomains.includes(domain)) return undefined;
  const near = knownDomains
    .map((known) => ({ known, distance: distanceOf(domain, known) }))
    // A short domain two letters away is another one: gmx.de is not web.de.
    .filter(({ known, distance }) => distance === 1 || (distance === 2 && known.length > 8))
    .sort((a, b) => a.distance - b.distance);
  return near[0] && `${local}@${near[0].known}`;
}

/** Letters to insert, remove, replace or swap with their neighbour (optimal string alignment). */
function distanceOf(one: string, two: string): number {
  const rows = [[...Array(two.length + 1).keys()]];
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= two.length; j += 1) {
      const replaced = at(i - 1, j - 1) + (one[i - 1] === two[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && one[i - 1] === two[j - 2] && one[i - 2] === two[j - 1] ? at(i - 2, j - 2) + 1 : replaced;
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped));
    }
  }
  return at(one.length, two.length);
}
