import { domainToASCII } from "node:url";

const localPart = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/;
/** Emails, marks and digits of any script, and no character that a URL or a header would interpret. */
const writtenDomain = /^[\p{L}\p{M}\p{N}.-]{1,255}$/u;
const asciiDomain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/** One spelling per mailbox: trimmed, lower case, the domain in ASCII. Nothing when it is not an address. */
export function normaliseEmail(text: string): string | undefined {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf("@");
  const local = trimmed.slice(0, at).toLowerCase();
  const written = trimmed.slice(at + 1);
  if (at < 1 || !localPart.test(local) || !writtenDomain.test(written)) return undefined;
  const domain = domainToASCII(written);
  const email = `${local}@${domain}`;
  return asciiDomain.test(domain) && email.length <= 254 ? email : undefined;
}
