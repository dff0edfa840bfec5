import { type APIRequestContext, expect } from "@playwright/test";

/** The newest link to such a page in the sandbox's emails to an address, without its origin. */
export async function mailedLink(request: APIRequestContext, to: string, page: string): Promise<string> {
  let link: string | undefined;
  await expect(async () => {
    const { letters: emails } = await (await request.get("/sandbox/mailbox.json", { params: { to } })).json();
    const links: string[] = JSON.stringify(emails).match(/https?:[^"\\\s<]+token=[\w-]+/g) ?? [];
    link = links.find((found) => found.includes(page));
    expect(link).toBeTruthy();
  }).toPass();
  const { pathname, search } = new URL(link ?? "");
  return pathname + search;
}

/** The newest code in the sandbox's emails to an address; not the one before, whose email may be the only one so far. */
export async function mailedCode(request: APIRequestContext, to: string, before = ""): Promise<string> {
  let code: string | undefined;
  await expect(async () => {
    const { letters: emails } = await (await request.get("/sandbox/mailbox.json", { params: { to } })).json();
    code = JSON.stringify(emails).match(/"(\d{6}) /)?.[1];
    expect(code).toBeTruthy();
    expect(code).not.toBe(before);
  }).toPass();
  return code ?? "";
}
