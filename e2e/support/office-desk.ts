import { createHmac } from "node:crypto";
import type { APIRequestContext, BrowserContext, Page } from "@playwright/test";
import { at, expect, type Locale } from "./browser.ts";

type Role = "owner" | "marketing" | "service" | "shop";

/** A person of the sandbox who may sign in to the back office, with the code of the moment. */
export async function personOf({ request }: { request: APIRequestContext }, role: Role) {
  const people: { Role: Role; Name: string; Email: string; Password: string; Code: string }[] = await (
    await request.get("/sandbox/office.json")
  ).json();
  const person = people.find(({ Role }) => Role === role);
  if (!person) throw new Error(`Nobody has the role ${role}`);
  return person;
}

/** Opens a page as a person of this role, who has just signed in. */
export async function openOffice(
  context: BrowserContext,
  role: Role,
  path = "/office",
  locale: Locale = "fr",
): Promise<Page> {
  const { Email: email } = await personOf(context, role);
  await context.request.post("/sandbox/office/session", { form: { email, locale } });
  const page = await context.newPage();
  await page.goto(at(locale, path));
  await expect(page.locator(".office-menu")).toBeVisible();
  return page;
}

/** The code that an authenticator app shows now for a secret (RFC 6238). */
export function codeOf(secret: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const mac = createHmac("sha1", key).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}
