import { createListener } from "#app/process/listener.server.ts";
import { createServer } from "#app/server.ts";
import { readSettings } from "#app/settings.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { createLog } from "#platform/log.server.ts";
import { createMetrics } from "#platform/metrics.server.ts";

export const publicUrl = "http://localhost:3000";

export const benchSettings = (observed = false) =>
  readSettings({ RATE_LIMITS: "off", LOG_LEVEL: observed ? "info" : "error" });

/** The whole product, and with `observed` its logs and metrics too. Rate limits are off: the bench is one client address. */
export function createProduct(database: Database, { observed = false } = {}) {
  const product = createServer({
    settings: benchSettings(observed),
    database,
    // Logged to /dev/null: the cost of formatting the line counts, not the terminal's.
    log: observed ? createLog("info", "/dev/null") : createLog("error"),
    metrics: observed ? createMetrics() : undefined,
    assetsOf: () => noAssets,
  });
  // Nothing connects here, but creating the listener installs the lighter Request and Response classes used in production.
  createListener(product.fetch);
  return product;
}

export const noAssets = { script: "", styles: [], preload: [], fonts: [] };

/** Calls the product's API; anything but 200 throws. */
export function openProduct(database: Database, options: { observed?: boolean } = {}) {
  const product = createProduct(database, options);
  return async (path: string, init: RequestInit = {}) => {
    const response = await product.fetch(new Request(`${publicUrl}/api/${path}`, init));
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
}

export type Ask = ReturnType<typeof openProduct>;

export const password = "secret-42";
const person = { Firstname: "Ada", Lastname: "Mesure", Birthday: "1990-05-17" };

/** Registers a customer who joins the club; returns their id and their authorization header. */
export async function registerMember(ask: Ask, name: string) {
  const entered = await ask("customer", { method: "POST", body: registration(`${name}@exemple.fr`) });
  const { Token, Customer } = entered.AuthData;
  return { id: Customer.IdCustomer as number, headers: { authorization: `Bearer ${Token}` } };
}

export const registration = (email: string, more: Record<string, string> = { LoyaltySubscribe: "true" }) =>
  new URLSearchParams({ Email: email, Password: password, ...person, ...more });
