import { execFileSync, fork } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Fresh } from "./cluster.ts";
import { openServer, openSide, requests, type Side } from "./http.ts";
import { type Result, race } from "./measures.ts";
import { openProduct, password, publicUrl, registerMember, registration } from "./product.ts";

const folder = resolve("bench/better-auth");

/** It has a lockfile of its own and is installed when it is first measured; the product never depends on it. */
function install(): void {
  const read = (path: string) => JSON.parse(readFileSync(resolve(folder, path), "utf8"));
  const wanted = read("package.json").dependencies["better-auth"];
  const found = "node_modules/better-auth/package.json";
  if (existsSync(resolve(folder, found)) && read(found).version === wanted) return;
  console.log(`Installing better-auth ${wanted} for comparison…`);
  execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}

/** In a process of its own, as the product is. */
const openOther = (url: string, options: object = {}) =>
  openServer(fork(resolve(folder, "serve.mjs"), [url, publicUrl, JSON.stringify(options)]));

const json = { "content-type": "application/json", origin: publicUrl };
const post = (path: string, fields: object) => ({
  method: "POST",
  path: `/api/auth/${path}`,
  headers: json,
  body: JSON.stringify(fields),
});
const form = (path: string, fields: URLSearchParams) => ({
  method: "POST",
  path: `/api/${path}`,
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: fields.toString(),
});

/** What a browser would send back after this request. */
async function cookieOf(side: Side, { path, ...init }: ReturnType<typeof post>): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${side.port}${path}`, init);
  if (response.status !== 200) throw new Error(`better-auth ${path}: ${response.status}`);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

/** Each has a database of its own in one cluster: both call a table `session`. */
export async function measureBetterAuth({ database }: Fresh, { pool }: Fresh): Promise<Result[]> {
  install();
  const { headers } = await registerMember(openProduct(database), "mesure");
  const url = String(pool.options.connectionString);
  const ownUrl = String(database.$client.options.connectionString);
  const ours = await openSide("product", ownUrl);
  const bare = await openSide("customer", ownUrl);
  const hash = await openSide("hash", ownUrl);
  const other = await openOther(url);
  const joined = await openOther(url, { experimental: { joins: true } });
  const cached = await openOther(url, { session: { cookieCache: { enabled: true, maxAge: 300 } } });
  const person = { email: "mesure@exemple.fr", password, name: "Ada Mesure" };
  const cookie = await cookieOf(other, post("sign-up/email", person));
  const cachedCookie = await cookieOf(cached, post("sign-in/email", person));

  const read = requests(ours, () => ({ path: "/api/customer", headers }));
  const session = (of: Side, sent: string) =>
    requests(of, () => ({ path: "/api/auth/get-session", headers: { cookie: sent } }));
  const reading = await race(read, session(other, cookie));
  const bareReading = await race(
    requests(bare, () => ({ path: "/api/customer", headers })),
    session(other, cookie),
    { rounds: 16 },
  );
  const joinedReading = await race(read, session(joined, cookie), { rounds: 16 });
  const cachedReading = await race(read, session(cached, cachedCookie), { rounds: 16 });

  // Another person, with us: of too many sessions of one customer the oldest is ended.
  await registerMember(openProduct(database), "entree");
  const login = new URLSearchParams({ Email: "entree@exemple.fr", Password: password });
  const hashing = { seconds: 1, rounds: 16 };
  const signingIn = await race(
    requests(ours, () => form("authentification/email", login)),
    requests(other, () => post("sign-in/email", person)),
    hashing,
  );
  const onlyHashing = await race(
    requests(hash, () => form("hash", login)),
    requests(other, () => post("sign-in/email", person)),
    hashing,
  );
  let people = 0;
  const registering = await race(
    requests(ours, () => form("customer", registration(`ours-${++people}@exemple.fr`, {}))),
    requests(other, () => post("sign-up/email", { ...person, email: `theirs-${++people}@exemple.fr` })),
    hashing,
  );
  for (const side of [ours, bare, hash, other, joined, cached]) side.close();
  const row = (what: string, raced: Awaited<ReturnType<typeof race>>, least?: number): Result => ({
    what: `${what}, over HTTP: API to better-auth`,
    ...raced,
    ...(least && { least }),
  });
  return [
    row("GET customer to get-session", reading, 4.5),
    { what: "one SELECT to get-session, over HTTP: a bare handler to better-auth", ...bareReading },
    row("GET customer to get-session with joins, an experiment of theirs", joinedReading),
    row("GET customer to get-session out of a cookie, no database", cachedReading),
    row("sign-in, the same argon2id", signingIn, 0.95),
    { what: "the hash alone to a sign-in, over HTTP: a server that only hashes to better-auth", ...onlyHashing },
    row("registration, the same argon2id", registering, 0.9),
  ];
}
