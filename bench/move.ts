import { execFileSync } from "node:child_process";
import { createReadStream, createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { createPasswordHashes } from "#identity/password/password-hashes.server.ts";
import { exportClub } from "#move/export/export.server.ts";
import { differencesOf } from "#move/reconcile/reconcile.server.ts";
import { runMove, type Step } from "#move/run.server.ts";
import type { Fresh, OpenFresh } from "./cluster.ts";
import type { Result } from "./measures.ts";

const mostMegabytes = 300;

const name = "name_folded(Firstname || ' ' || Lastname)";
/** A table for each file, with the indexes of the tables that its rows end up in: what a bare COPY has to fill at least. */
const bare: Record<string, { columns: string; indexes: string[] }> = {
  // customer, customer_email, loyalty_account, move_member
  members: {
    columns: `SourceId text primary key, Email text unique, Firstname text, Lastname text, Civility text, Birthday date,
      MobilePhone text, Language text, CreatedAt timestamptz, EmailVerified text, LastActiveAt timestamptz,
      PasswordHash text, PasswordFormat text, PasswordSalt text, Newsletter int, NewsletterAt timestamptz, NewsletterSms int,
      NewsletterSmsAt timestamptz, ConsentText text, JoinedAt timestamptz, LeftAt timestamptz, Status text, StatusUntil date,
      WelcomeGiven int, Blocked text`,
    indexes: [
      ...["(SourceId, Email)", "(Email, SourceId)", "(LastActiveAt)", "(MobilePhone)", "(right(MobilePhone, 4))"],
      ...[`(${name} collate "C")`, "(name_folded(Lastname || ' ' || Firstname) collate \"C\")"],
      ...[`using gin (${name} gin_trgm_ops)`, `using gin (name_spellings(${name}))`, "using gin (Email gin_trgm_ops)"],
    ],
  },
  // loyalty_card, loyalty_account
  cards: {
    columns: "SourceId text, CardNumber text primary key, IssuedAt timestamptz, Main int",
    indexes: ["(SourceId)", "(right(CardNumber, 4))"],
  },
  // loyalty_entry, loyalty_lot, loyalty_earned_day, loyalty_import_day
  lots: {
    columns: `SourceId text, LotId text, Points int, EarnedAt timestamptz, ExpiresAt timestamptz, AvailableAt timestamptz,
      PointsEarned int, Kind text, primary key (SourceId, LotId)`,
    indexes: [
      ...[
        "(SourceId, LotId, Points)",
        "using brin (EarnedAt)",
        "using brin (ExpiresAt)",
        "(SourceId, EarnedAt, LotId)",
      ],
      ...["(ExpiresAt, SourceId) where Points > 0", "(SourceId, ExpiresAt, LotId) include (Points) where Points > 0"],
      ...["(SourceId, EarnedAt)", "(SourceId, EarnedAt) include (Points)", "(SourceId, Points) include (EarnedAt)"],
      "(EarnedAt, SourceId)",
    ],
  },
  // loyalty_import_history
  history: {
    columns: "SourceId text, EntryId text, At timestamptz, Points int, Text text, primary key (SourceId, EntryId)",
    indexes: [],
  },
  // loyalty_entry, loyalty_voucher, loyalty_voucher_code
  vouchers: {
    columns: `SourceId text, Code text primary key, Amount numeric, IssuedAt timestamptz, ExpiresAt timestamptz,
      MinimumBasket numeric`,
    indexes: ["(SourceId, Code)", "(SourceId, IssuedAt)", "(Code, SourceId)", "(ExpiresAt)"],
  },
  // Written by an export alone, where the lots of the package say what counts.
  "earned-days": { columns: "SourceId text, Day date, Points int", indexes: [] },
  consents: {
    columns: "SourceId text, Subject text, Given int, At timestamptz, Source text, Text text",
    indexes: [],
  },
};

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}

const tableOf = (prefix: string, file: string) => `${prefix}_${file.replace("-", "_")}`;

async function createBare({ pool }: Fresh, prefix: string): Promise<void> {
  for (const [file, { columns, indexes }] of Object.entries(bare)) {
    const table = tableOf(prefix, file);
    await pool.query(`create table ${table} (${columns})`);
    for (const index of indexes) await pool.query(`create index on ${table} ${index}`);
  }
}

/** The files of a package, as they are, by COPY. */
async function copyBare({ pool }: Fresh, prefix: string, folder: string): Promise<void> {
  const client = await pool.connect();
  try {
    for (const name of Object.keys(bare)) {
      const file = join(folder, `${name}.csv`);
      if (!existsSync(file)) continue;
      const header = readFileSync(file, "utf8").slice(0, 1_000).split("\n")[0];
      const into = `copy ${tableOf(prefix, name)} (${header}) from stdin with (format csv, header)`;
      await pipeline(createReadStream(file), client.query(copyFrom(into)));
    }
  } finally {
    client.release();
  }
}

/** The rows of an export by `COPY TO`, to files. */
async function copyOut({ pool }: Fresh, prefix: string, folder: string): Promise<void> {
  const client = await pool.connect();
  try {
    for (const name of Object.keys(bare)) {
      const source = client.query(copyTo(`copy ${tableOf(prefix, name)} to stdout with (format csv, header)`));
      await pipeline(source, createWriteStream(join(folder, `bare-${name}.csv`)));
    }
  } finally {
    client.release();
  }
}

interface Measured {
  bareSeconds: number;
  moveSeconds: number;
  copyToSeconds: number;
  exportSeconds: number;
  megabytes: number;
}

async function measureOne(fresh: OpenFresh, members: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "bench-move-"));
  try {
    execFileSync("node", ["examples/old-club/generate.mjs", join(folder, "package"), "--members", String(members)]);
    const [product, plain] = [await fresh(), await fresh()];
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss());
    }, 200);
    const passwords = createPasswordHashes();
    const step = (name: Step) =>
      runMove({
        ...{ database: product.database, folder: join(folder, "package"), step: name, release: "bench", passwords },
        now: () => new Date("2026-11-17T00:00:00Z"),
      });
    const checked = await seconds(() => step("check"));
    await step("rehearse");
    const committed = await seconds(async () => {
      const { result } = await step("commit");
      if (!result?.Equal) throw new Error(`The move is not equal: ${result && differencesOf(result).join("; ")}`);
    });
    const exportSeconds = await seconds(() =>
      exportClub(product.database, join(folder, "out"), { now: new Date("2026-11-17T00:00:00Z") }),
    );
    clearInterval(watch);
    await createBare(plain, "bare");
    const bareSeconds = await seconds(() => copyBare(plain, "bare", join(folder, "package")));
    await createBare(plain, "out");
    await copyBare(plain, "out", join(folder, "out"));
    const copyToSeconds = await seconds(() => copyOut(plain, "out", folder));
    return { bareSeconds, moveSeconds: checked + committed, copyToSeconds, exportSeconds, megabytes: most / 1e6 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A package of so many members, and of ten times as many: ratios to a bare COPY of the same files, memory, growth. */
export async function measureMove(fresh: OpenFresh, members: number): Promise<Result[]> {
  const few = await measureOne(fresh, members);
  const many = await measureOne(fresh, members * 10);
  const s = (value: number) => `${value.toFixed(1)} s`;
  const named = (members * 10).toLocaleString("en").replaceAll(",", " ");
  return [
    {
      what: `move in: check and commit of ${named} members against a bare COPY`,
      metrics: `${s(many.moveSeconds)} : ${s(many.bareSeconds)}`,
      ratio: many.bareSeconds / many.moveSeconds,
      least: 0.15,
    },
    {
      what: "move in: ten times as many members",
      metrics: `${s(few.moveSeconds)} → ${s(many.moveSeconds)}`,
      ratio: many.moveSeconds / few.moveSeconds,
      most: 12,
    },
    {
      what: "move out: export against COPY TO",
      metrics: `${s(many.exportSeconds)} : ${s(many.copyToSeconds)}`,
      ratio: many.copyToSeconds / many.exportSeconds,
      least: 0.3,
    },
    {
      what: `move: memory of the process, of ${mostMegabytes} MB`,
      metrics: `${Math.round(many.megabytes)} MB`,
      ratio: many.megabytes / mostMegabytes,
      most: 1,
    },
  ];
}
