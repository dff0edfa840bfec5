/*
 * Names appear in mails to any address that a person types. A name must contain nothing that a mail program turns into a
 * link, or spammers could send their own advertising through us.
 */

/** Zero-width characters would hide a dot from these patterns, but not from a mail program. */
const invisible = /\p{Cf}/gu;
const dot = "[.\\u3002]";
/** Each pattern looks at a bounded number of characters at each position, so the time is linear in the length. */
const linkPatterns = [
  /@/,
  /[\\/]{2}/,
  /www[.\u3002]/i,
  /(?:https?|ftp|mailto|tel|sms|file):/i,
  // A domain, as in evil.example: a dot with something right before it and two letters right behind. "J.R.R." has one.
  new RegExp(`[^\\s.]${dot}\\p{L}[\\p{L}\\p{M}\\p{N}-]`, "u"),
  // An IP address.
  new RegExp(`\\p{N}${dot}\\p{N}`, "u"),
];

/** NFKC maps full-width and other compatible characters to their plain ones. */
const normalise = (text: string) => text.normalize("NFKC").replace(invisible, "");

export function containsLink(name: string): boolean {
  const normalised = normalise(name);
  return linkPatterns.some((pattern) => pattern.test(normalised));
}

/** A name for a person of whom only the address is known. */
export function nameFromEmail(email: string): string {
  return harmlessName(email.split("@")[0] ?? "");
}

/**
 * Nothing in it can be seen: spaces, control and format characters, and letters without a shape, such as Hangul fillers and
 * the blank Braille pattern.
 */
export const isBlank = (text: string): boolean =>
  !/[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{C}\u2800]/u.test(text);

/**
 * A name from another source, such as a provider: unchanged, or without the characters that could make a link. Empty when
 * nothing in it can be seen.
 */
export function harmlessName(name: string): string {
  if (isBlank(name)) return "";
  if (!containsLink(name)) return name;
  return normalise(name)
    .replace(/[@:/\\.\u3002]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** "Camille L.": enough to greet, too little to know. */
export function shortName(firstname: string, lastname: string): string {
  const [initial = ""] = lastname;
  return initial ? `${firstname} ${initial.toUpperCase()}.` : firstname;
}
