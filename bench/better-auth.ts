import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { hash, verify } from "@node-rs/argon2";
import type pg from "pg";
import type { Fresh } from "./cluster.ts";
import { type Result, race } from "./measures.ts";
import { openProduct, password, publicUrl, registerMember, registration } from "./product.ts";

type Handler = (request: Request) => Promise<Response>;
type Options = { session?: object; experimental?: object };

const folder = resolve("bench/better-auth");
/** What the product hashes with: argon2id, 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19 * 1_024, timeCost: 2, parallelism: 1 };
const sameHash = {
  hash: (word: string) => hash(word, cost),
  verify: (given: { hash: string; password: string }) => verify(given.hash, given.password),
};

/** It has a lockfile of its own and is installed when it is first measured; the product never depends on it. */
function install(): void {
  const read = (path: string) => JSON.parse(readFileSync(resolve(folder, path), "utf8"));
  const wanted = read("package.json").dependencies["better-auth"];
  const found = "node_modules/better-auth/package.json";
  if (existsSync(resolve(folder, found)) && read(found).version === wanted) return;
  console.log(`Installing better-auth ${wanted} for comparison…`);
  execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}

async function openOther(pool: pg.Pool, more: Options = {}) {
  const { open } = await import(/* @vite-ignore */ pathToFileURL(resolve(folder, "open.mjs")).href);
  const handler: Handler = await open({ pool, baseURL: publicUrl, password: sameHash, ...more });
  const ask = async (path: string, init: RequestInit) => {
    const response = await handler(new Request(`${publicUrl}/api/auth/${path}`, init));
    const body = await response.json();
    if (response.status !== 200 || !body) throw new Error(`better-auth ${path}: ${response.status}`);
    return { body, cookie: cookieOf(response) };
  };
  const post = (path: string, fields: object) =>
    ask(path, {
      method: "POST",
      headers: { "content-type": "application/json", origin: publicUrl },
      body: JSON.stringify(fields),
    });
  return { ask, post };
}

/** What a browser would send back. */
const cookieOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");

/** Each has a database of its own in one cluster: both call a table `session`. */
export async function measureBetterAuth({ database }: Fresh, { pool }: Fresh): Promise<Result[]> {
  install();
  const ask = openProduct(database);
  const { headers } = await registerMember(ask, "mesure");
  const other = await openOther(pool);
  const joined = await openOther(pool, { experimental: { joins: true } });
  const cached = await openOther(pool, { session: { cookieCache: { enabled: true, maxAge: 300 } } });
  const person = { email: "mesure@exemple.fr", password, name: "Ada Mesure" };
  const { cookie } = await other.post("sign-up/email", person);
  const { cookie: cachedCookie } = await cached.post("sign-in/email", person);

  const read = () => ask("customer", { headers });
  const session = (of: typeof other, sent: string) => () => of.ask("get-session", { headers: { cookie: sent } });
  const reading = await race(read, session(other, cookie));
  const joinedReading = await race(read, session(joined, cookie), { rounds: 16 });
  const cachedReading = await race(read, session(cached, cachedCookie), { rounds: 16 });

  const login = { Email: person.email, Password: password };
  const hashing = { seconds: 1, rounds: 16 };
  const signingIn = await race(
    () => ask("authentification/email", { method: "POST", body: new URLSearchParams(login) }),
    () => other.post("sign-in/email", person),
    hashing,
  );
  let people = 0;
  const registering = await race(
    () => ask("customer", { method: "POST", body: registration(`ours-${++people}@exemple.fr`, {}) }),
    () => other.post("sign-up/email", { ...person, email: `theirs-${++people}@exemple.fr` }),
    hashing,
  );
  const row = (what: string, raced: Awaited<ReturnType<typeof race>>, least?: number): Result => ({
    what: `${what}: API to better-auth`,
    ...raced,
    ...(least && { least }),
  });
  return [
    row("GET customer to get-session", reading, 10),
    row("GET customer to get-session with joins, an experiment of theirs", joinedReading),
    row("GET customer to get-session out of a cookie, no database", cachedReading),
    row("sign-in, the same argon2id", signingIn, 1.1),
    row("registration, the same argon2id", registering, 1.1),
  ];
}
