import { pagePaths } from "#identity/paths.ts";
import { openTestClub } from "./club.server.ts";

const path = pagePaths.memberPage;

/** The club, with its pages as a customer sees them. */
export async function openTestPages() {
  const club = await openTestClub();
  type Person = Awaited<ReturnType<typeof club.addCustomer>>;
  return {
    ...club,
    async see(person: Person, address: string = path) {
      const response = await club.fetch(address, { headers: { cookie: `auth.token=${person.token}` } });
      const html = await response.text();
      return { status: response.status, html, words: wordsOf(html) };
    },
    /** Sends a form of the member's page as a browser without script does. */
    async send(person: Person, fields: Record<string, string>) {
      const headers = { cookie: `auth.token=${person.token}`, "sec-fetch-site": "same-origin" };
      const response = await club.fetch(path, { method: "POST", headers, body: new URLSearchParams(fields) });
      return wordsOf(await response.text());
    },
  };
}

/** The visible text of a page, without scripts, styles and tags. */
export function wordsOf(html: string): string {
  return html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
}

/** The address of the link with these words. */
export function linkIn(html: string, words: string): string {
  const [before = ""] = html.split(words);
  const [, href = ""] = before.slice(before.lastIndexOf("<a ")).match(/href="([^"]*)"/) ?? [];
  return href.replaceAll("&amp;", "&").replace(path, "");
}
