import { randomInt } from "node:crypto";
import { afterAll } from "vitest";
import { createServer } from "#app/server.ts";
import { closeDatabase, openDatabase } from "#platform/database/database.server.ts";
import { createLog } from "#platform/log.server.ts";
import { form } from "./people.server.ts";
import { openTestProduct } from "./product.server.ts";

/** The product with its rate limits on, and calls to it from client addresses of one's choice. */
export async function openLimitedProduct() {
  const limited = await openTestProduct({ RATE_LIMITS: "on" });
  const { database, databaseUrl, settings, product } = limited;
  /** A second process on the same database, as far as the limits can tell. */
  const otherDatabase = openDatabase(databaseUrl);
  const other = createServer({
    settings,
    database: otherDatabase,
    log: createLog("silent"),
    assetsOf: () => ({ script: "", styles: [], preload: [], fonts: [] }),
  });
  afterAll(() => closeDatabase(otherDatabase));

  const send = (
    line: string,
    fields: object,
    address: string,
    headers: Record<string, string> = {},
    process = product,
  ) => {
    const [method = "POST", path = ""] = line.split(" ");
    const request = new Request(new URL(`/api/${path}`, settings.publicUrl), { ...form(fields), method, headers });
    return process.fetch(request, { address });
  };
  const post = (path: string, fields: object, address: string, process: typeof product = product) =>
    send(`POST ${path}`, fields, address, {}, process);
  return {
    ...limited,
    other,
    send,
    post,
    signIn: (Email: string, Password: string, address: string, process = product) =>
      post("authentification/email", { Email, Password }, address, process),
    /** Ends the period of every rate limit. */
    passTime: () => database.$client.query("update rate_limit set expire = 0 where key not like '%+:%'"),
  };
}

/** A client address no one has used in this run. */
export const freshAddress = () => `10.${[1, 2, 3].map(() => randomInt(256)).join(".")}`;

export const statuses = async (responses: (Response | Promise<Response>)[]) =>
  (await Promise.all(responses)).map((response) => response.status);

/** Many calls, ten at a time: all at once some would time out waiting for a connection of the pool. */
export async function repeat(times: number, ask: (place: number) => Response | Promise<Response>): Promise<number[]> {
  const codes: number[] = [];
  while (codes.length < times) {
    const few = Math.min(10, times - codes.length);
    codes.push(...(await statuses(Array.from({ length: few }, (_, i) => ask(codes.length + i)))));
  }
  return codes;
}

export const count = (list: number[], status: number) => list.filter((one) => one === status).length;
