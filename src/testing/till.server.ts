import { eq } from "drizzle-orm";
import { createPasswordHashes } from "#identity/password/password-hashes.server.ts";
import { createCall } from "#platform/api/client/client.ts";
import { createPins } from "#staff/pins.server.ts";
import { addStaff } from "#staff/staff.server.ts";
import { staff } from "#staff/staff.tables.server.ts";
import * as calls from "#till/calls.ts";
import { createPairing } from "#till/pairing/pairing.server.ts";
import { givePin } from "./give-pin.server.ts";
import { openTestShop } from "./shop.server.ts";

const pinKey = Buffer.alloc(32, 5).toString("base64");

/** Shops with paired tills and people who work at them. */
export async function openTestTill(
  environment: Record<string, string> = {},
  overrides?: Parameters<typeof openTestShop>[1],
) {
  const shop = await openTestShop({ PIN_KEY: pinKey, ...environment }, overrides);
  const { clock, database, fetch, settings } = shop;
  // argon2id at its lowest cost.
  const passwords = createPasswordHashes({ cost: { memoryCost: 8, timeCost: 1, parallelism: 1 } });
  const pins = createPins(settings, passwords);
  let people = 0;

  /** A browser: it keeps cookies, and says that its requests come from our own pages. */
  function openBrowser() {
    const cookies = new Map<string, string>();
    const headers: Record<string, string> = { origin: settings.publicUrl.origin };
    const browse = async (path: string, init: RequestInit = {}) => {
      const all = new Headers(init.headers);
      for (const [name, value] of Object.entries(headers)) all.set(name, value);
      all.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
      const response = await fetch(path, { ...init, headers: all });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        if (value) cookies.set(name, value);
        else cookies.delete(name);
      }
      return response;
    };
    return { cookies, headers, browse, call: createCall(browse) };
  }

  async function addPerson(shopId: number | null, names = { firstname: "Nora", lastname: "Petit" }) {
    people += 1;
    const email = `staff-${people}@cercle.example`;
    const role = shopId === null ? "owner" : "shop";
    const id = await addStaff(database, { ...names, email, role, shopId });
    // Not new: the first sales of new staff to staff cards are reviewed.
    const createdAt = new Date(clock.now.getTime() - 365 * 24 * 3_600_000);
    await database.update(staff).set({ createdAt }).where(eq(staff.id, id));
    return { id, email, pin: await givePin(database, pins, id) };
  }

  /** A person who runs the shop: they can sign in to the back office too. */
  async function addManager(shopId: number) {
    const person = await addPerson(shopId, { firstname: "Rose", lastname: "Arnaud" });
    await database.update(staff).set({ passwordHash: "none" }).where(eq(staff.id, person.id));
    return person;
  }

  const newCode = (shopId: number, name?: string) => createPairing(database, pins, { shopId, name, now: clock.now });

  /** A paired browser where no one has signed in. */
  async function pairTill(shopId: number) {
    const browser = openBrowser();
    await browser.call(calls.pair, { Code: await newCode(shopId) });
    return browser;
  }

  /** A till of a new shop with a person signed in. */
  async function openTill(shopId?: number) {
    const till = await shop.openShop();
    const id = shopId ?? till.shopId;
    const browser = await pairTill(id);
    const person = await addPerson(id);
    await browser.call(calls.signIn, { IdStaff: person.id, Pin: person.pin });
    const moments = () => ({ SoldAt: clock.now.toISOString(), SentAt: clock.now.toISOString() });
    const sell = (sale: { ReceiptNumber?: string; CardNumber?: string; Amount?: string; [name: string]: unknown }) =>
      browser.call(calls.postPurchase, { ReceiptNumber: till.newNumber(), ...moments(), ...sale });
    return { ...browser, shopId: id, person, newNumber: till.newNumber, moments, sell };
  }

  return { ...shop, passwords, pins, openBrowser, addPerson, addManager, newCode, pairTill, openTill };
}
