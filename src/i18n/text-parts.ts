/**
 * Which part of the catalogue a text is in: the first row whose pattern its id fits. A page of the browser loads only the
 * parts it shows; `server` stays on the server. The build cuts the catalogues by this table.
 */
export const textParts = [
  { part: "till", ids: /^till\./ },
  { part: "office", ids: /^office\./ },
  // What an application may read is said in the account too.
  { part: "informations", ids: /^oidc\.scope\./ },
  {
    part: "server",
    ids: /^(adjustment|csv|embed|export|mail|manifest|oidc|refusal|sandbox|wallet|loyalty\.history)\./,
  },
  // The fields' errors that only the back office's forms find, and those that come in the server's responses.
  {
    part: "office",
    ids: /^field\.(above_zero|ascending|first_zero|below_value|too_many_points|phone|line_code|unknown_code)$/,
  },
  { part: "server", ids: /^field\.(?!required|invalid|email|date|password_|code$)/ },
  // The pages of mailed links and of the till's QR code, what follows them, where a mailed code is typed, a provider's failure,
  // and the notice that a club has moved here, which are rare.
  {
    part: "links",
    ids: /^(autologin|email|pass|previousDetails|unsubscribe)\.|^(login|field)\.code|^error\.authenticationText$|^member\.moved/,
  },
  // What is said in parts of pages that are loaded later: errors, menus, notices, a provider's popup, joining.
  { part: "later", ids: /^error\.|^offline\.page$|^menu\.(?!label|loyalty)|^identity\.social\.(?!or$|with$|note$)/ },
  { part: "later", ids: /^account\.(pageFor|reload|session|signIn)|^member\.(join[A-Z]|walletPreparing)/ },
  // Below the card, below the profile.
  { part: "tiles", ids: /^account\.(activate|benefit|history|lastPurchase|next)/ },
  {
    part: "club",
    ids: /^member\.(benefits|campaign|confirmFirst|event(?!Obtained)|filter|history|leave|obtain|receipt|referral|reward|voucher)/,
  },
  { part: "links", ids: /^informations\.erase(?!Open)/ },
  { part: "informations", ids: /^informations\.(?!title|profile$|save)/ },
  { part: "member", ids: /^shell\.close$/ },
  { part: "account", ids: /^(shell\.newWindow|identity\.civility\.none)$/ },
  // On any page: the layout, the notice that the network is gone or back, and the errors that any form may show.
  { part: "base", ids: /^(brand|wordmark|selectLanguage|offline\.gone|offline\.back)$|^(card|field|form|shell)\./ },
  { part: "identity", ids: /^identity\.|^login\.title$/ },
  { part: "help", ids: /^help\./ },
  { part: "public", ids: /^(home|loyalty|store)\./ },
  { part: "entrance", ids: /^(login|register)\./ },
  { part: "password", ids: /^password\./ },
  { part: "member", ids: /^member\./ },
  { part: "account", ids: /^(account|date|informations|menu|offline)\./ },
] as const;

type Part = (typeof textParts)[number]["part"];
/** The parts that the pages load as they need them; `base` is loaded with every page. */
export type TextPart = Exclude<Part, "base" | "till" | "office" | "server">;

/** The part of each id. A text that no row fits, or a row that no text needs, is an error. */
export function cutTexts(ids: readonly string[], rows: readonly { part: Part; ids: RegExp }[] = textParts) {
  const unused = new Set(rows);
  const parts = new Map<string, Part>();
  for (const id of ids) {
    const row = rows.find((one) => one.ids.test(id));
    if (!row) throw new Error(`${id} is in no part of the catalogue: src/i18n/text-parts.ts`);
    unused.delete(row);
    parts.set(id, row.part);
  }
  for (const { part, ids: pattern } of unused)
    throw new Error(`No text is in part ${part} by ${pattern}: src/i18n/text-parts.ts`);
  return parts;
}
