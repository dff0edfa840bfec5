/*
 * Names stand in letters to whatever address somebody types. A name must hold nothing that a mail program turns into a
 * link, or strangers could send their own advertising in our name.
 */

/** Characters without width would hide a dot from us and not from a mail program. */
const invisible = /\p{Cf}/gu;
const dot = "[.\\u3002]";
/** Each pattern looks at a bounded number of characters from each place, so the time grows with the length alone. */
const linkSigns = [
  /@/,
  /[\\/]{2}/,
  /www[.\u3002]/i,
  /(?:https?|ftp|mailto|tel|sms|file):/i,
  // A domain, as in evil.example: a dot with something right before it and two letters right behind. "J.R.R." has one.
  new RegExp(`[^\\s.]${dot}\\p{L}[\\p{L}\\p{M}\\p{N}-]`, "u"),
  // The address of a machine.
  new RegExp(`\\p{N}${dot}\\p{N}`, "u"),
];

/** Full-width and other compatible spellings are read as what they stand for. */
const plain = (text: string) => text.normalize("NFKC").replace(invisible, "");

export function holdsLink(name: string): boolean {
  const read = plain(name);
  return linkSigns.some((sign) => sign.test(read));
}

/** What to call somebody of whom only the address is known. */
export function nameFromEmail(email: string): string {
  return harmlessName(email.split("@")[0] ?? "");
}

/** A name that somebody else chose, a provider for instance: kept as it is, or with all that could make a link taken out. */
export function harmlessName(name: string): string {
  if (!holdsLink(name)) return name;
  return plain(name)
    .replace(/[@:/\\.\u3002]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
