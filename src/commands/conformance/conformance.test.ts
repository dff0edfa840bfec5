import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openTestShop } from "#testing/shop.server.ts";
import { openClub } from "./club.server.ts";
import { openNetwork } from "./network.server.ts";
import { runConformance } from "./suite.server.ts";

const { clock, database, product } = await openTestShop();
const fetchProduct = async (request: Request) => product.fetch(request, { address: "192.0.2.1" });
const network = await openNetwork(fetchProduct);
const servers: Server[] = [];
afterAll(async () => {
  for (const server of servers) server.close();
  await network.close();
});

async function verdictsOn(server: Server) {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const connector = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const club = await openClub({ database, fetchProduct, clock });
  return runConformance({ club, network, clock, connector });
}

test("the connector of the examples passes the conformance suite", async () => {
  const example: string = join(process.cwd(), "examples/connector/adapter.mjs");
  const { createAdapter } = await import(/* @vite-ignore */ example);
  const verdicts = await verdictsOn(createAdapter({ attempts: 2, wait: async () => {} }));
  expect(verdicts.filter(({ failure }) => failure !== undefined)).toEqual([]);
  expect(verdicts.length).toBeGreaterThan(15);
});

test("a connector that does nothing fails all that is about a sale", async () => {
  const idle = createServer((_, response) => response.writeHead(200).end("{}"));
  const verdicts = await verdictsOn(idle);
  const held = verdicts.filter(({ failure }) => failure === undefined).map(({ check }) => check);
  expect(held).toEqual(["an order whose payment fails is not recorded, and its voucher can be used elsewhere"]);
});
