import { createHash } from "node:crypto";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { costOf, storedForm } from "#identity/password/old-hashes/old-hash.server.ts";
import { readForeignHash, readStoredHash } from "#identity/password/old-hashes/read-hash.server.ts";
import { mostCosts } from "#identity/password/old-hashes/samples.server.ts";
import { generateCardNumber } from "#loyalty/card/card.server.ts";
import { type FileName, fileNames, fileOf, snake, tableOf, typeOf } from "./package/columns.server.ts";
import type { OpenPackage } from "./package/manifest.server.ts";
import { type FileReader, type ReadRow, type Rejection, readFile } from "./package/read-file.server.ts";
import type { ReadContext } from "./package/values.server.ts";

/** Columns of the staged members that are made of a row: what COPY brings, and what is found out later. */
const memberColumns = {
  content: "text",
  password_stored: "text",
  password_steps: "text",
  password_text: "text",
  new_card: "text",
};
const laterColumns: Partial<Record<FileName, Record<string, string>>> = {
  members: { rank: "integer", customer_id: "bigint", fate: "text", linked: "boolean" },
  receipts: { shop_id: "integer" },
};

/** What rejected rows were worth, so that the sums of the package are those of its files. */
export interface Lost {
  members: number;
  points: number;
  pending: number;
  pointsByMonth: Map<string, number>;
  vouchers: number;
  voucherCents: number;
  newsletter: number;
  newsletterSms: number;
  cards: number;
}

export interface Staged {
  rows: number;
  lost: Lost;
  /** One stored hash of each cost (src/identity/password/old-hashes/samples.server.ts). */
  samples: Map<string, string>;
}

export interface StageOptions {
  client: pg.PoolClient;
  pack: OpenPackage;
  context: ReadContext;
  reject(rejection: Rejection): void;
  progress(file: string, rows: number, of: number): void;
}

/**
 * Copies the files of a package into temporary tables of one connection. They are gone with it, whatever happens: no
 * personal data is left behind, and starting again begins with the files.
 */
export async function stage({ client, pack, context, reject, progress }: StageOptions): Promise<Staged> {
  const lost: Lost = {
    ...{ members: 0, points: 0, pending: 0, pointsByMonth: new Map() },
    ...{ vouchers: 0, voucherCents: 0, newsletter: 0, newsletterSms: 0, cards: 0 },
  };
  const samples = new Map<string, string>();
  const incomplete: [shop: string, number: string][] = [];
  let rows = 0;
  for (const name of fileNames) {
    const columns = Object.entries(fileOf(name).columns).map(([field, column]) => [snake(field), typeOf(column).sql]);
    const copied = [["line", "integer"], ...columns, ...(name === "members" ? Object.entries(memberColumns) : [])];
    const later = Object.entries(laterColumns[name] ?? {});
    const declared = [...copied, ...later].map(
      ([field, type]) => `${field} ${type}${type === "text" ? ' collate "C"' : ""}`,
    );
    await client.query(`create temp table ${tableOf(name)} (${declared.join(", ")})`);
    if (!pack.files.has(name)) continue;
    const total = pack.manifest.Files[pack.files.get(name) ?? ""]?.Rows ?? 0;
    const target = client.query(
      copyFrom(`copy ${tableOf(name)} (${copied.map(([field]) => field).join(", ")}) from stdin`),
    );
    const reader: FileReader = {
      context,
      reject(rejection, row) {
        reject(rejection);
        if (rejection.wholeRow) countLost(lost, name, row, context);
        if (name === "receipts") incomplete.push([row.get("Shop") ?? "", row.get("ReceiptNumber") ?? ""]);
      },
      progress: (done) => progress(name, done, total),
      ...(name === "members" && { derive: memberDeriver(pack, samples) }),
    };
    rows += await readFile(pack, name, target, reader);
  }
  await client.query(
    "create temp table stage_incomplete as select * from unnest($1::text[], $2::text[]) i (shop, number)",
    [incomplete.map(([shop]) => shop), incomplete.map(([, number]) => number)],
  );
  return { rows, lost, samples };
}

/** What is stored of a member besides the columns: a hash of the row, the password, and a card of this club. */
function memberDeriver(pack: OpenPackage, samples: Map<string, string>): NonNullable<FileReader["derive"]> {
  const reasons = {
    format: "hash_format",
    damaged: "hash_damaged",
    too_expensive: "hash_too_expensive",
    setting_missing: "hash_setting_missing",
  } as const;
  return (row, refuse) => {
    const content = createHash("md5")
      .update([...row.values()].join("\u0001"))
      .digest("base64url");
    const hash = row.get("PasswordHash");
    const password: [stored: string | null, steps: string | null, text: string | null] = [null, null, null];
    if (hash) {
      const format = row.get("PasswordFormat") ?? "";
      // The product's own export: what is stored here is what was stored there.
      const read =
        format === ownFormat
          ? readStoredHash(hash)
          : readForeignHash({
              ...{ format, hash, salt: row.get("PasswordSalt") ?? "" },
              ...(pack.manifest.Passwords && { settings: pack.manifest.Passwords }),
            } as Parameters<typeof readForeignHash>[0]);
      const stored = "stored" in read ? read.stored : "steps" in read ? storedForm(read.steps, wrapping) : undefined;
      const isOneTooMany = stored !== undefined && !samples.has(costOf(stored)) && samples.size >= mostCosts;
      if ("refused" in read) refuse("PasswordHash", reasons[read.refused], false);
      else if (isOneTooMany) refuse("PasswordHash", "hash_costs", false);
      else if ("stored" in read) password[0] = read.stored;
      else [, password[1], password[2]] = [null, read.steps.join(","), read.text];
      if (stored && !isOneTooMany) samples.set(costOf(stored), stored);
    }
    return [content, ...password, generateCardNumber()];
  };
}

export const ownFormat = "cercle";
/** Stands for the argon2id hash that a fast one is wrapped in: only its cost matters. */
const wrapping = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

function countLost(lost: Lost, name: FileName, row: ReadRow, { takenAt }: ReadContext): void {
  if (name === "members") {
    if (row.get("JoinedAt") && !row.get("LeftAt")) lost.members += 1;
    if (row.get("Newsletter") === "true") lost.newsletter += 1;
    if (row.get("NewsletterSms") === "true") lost.newsletterSms += 1;
  }
  if (name === "cards") lost.cards += 1;
  if (name === "vouchers" && row.get("Amount")) {
    lost.vouchers += 1;
    lost.voucherCents += Number(row.get("Amount"));
  }
  if (name === "lots") {
    const points = Number(row.get("Points") ?? 0);
    const available = row.get("AvailableAt");
    if (available && Date.parse(available) > Date.parse(takenAt)) lost.pending += points;
    else {
      lost.points += points;
      const month = row.get("ExpiresAt")?.slice(0, 7) ?? "";
      lost.pointsByMonth.set(month, (lost.pointsByMonth.get(month) ?? 0) + points);
    }
  }
}

/** Indexes and statistics: the rules and the batches look rows up by their member. */
export async function indexStage(client: pg.PoolClient): Promise<void> {
  for (const name of fileNames) {
    const { key } = fileOf(name);
    await client.query(`create index on ${tableOf(name)} (${[...key.map(snake), "line"].join(", ")})`);
    if (key[0] !== "SourceId") await client.query(`create index on ${tableOf(name)} (source_id)`);
  }
  await client.query("create index on stage_members (line)");
  for (const name of fileNames) await client.query(`analyze ${tableOf(name)}`);
}

/** Which shop sold, and which status a name stands for. */
export async function resolveNames(client: pg.PoolClient): Promise<void> {
  // The name of a status in any language of the programme, or its rank.
  await client.query(
    `update stage_members s set rank = t.rank from stage_tiers t
     where lower(s.status) = any (t.names) or s.status = t.rank::text`,
  );
  // The name of a shop if only one has it, or its number.
  await client.query(
    `update stage_receipts s set shop_id = shop.id from (
       select id, lower(name) as word from shop where lower(name) in (select lower(name) from shop group by 1 having count(*) = 1)
       union select id, id::text from shop) shop
     where lower(s.shop) = shop.word`,
  );
}

/**
 * Who each member is here: `done` (this package or a later one has brought them), `known` (an earlier one has), `linked`
 * (the address is known and confirmed on both sides), `gone` (erased or merged here since); `new` are the others once the rules have run.
 */
export async function resolveMembers(client: pg.PoolClient, source: string): Promise<void> {
  await client.query(
    `update stage_members s set customer_id = customer_survivor(k.customer_id), linked = k.linked, fate = case
       when not exists (select from customer c where c.id = customer_survivor(k.customer_id)) then 'gone'
       when k.taken_at >= (select taken_at from stage_now) then 'done'
       else 'known' end
     from move_member k where k.source = $1 and k.source_id = s.source_id`,
    [source],
  );
  // Two accounts that were merged here have one ledger, in which nobody can tell any more what the old club says of either.
  await client.query(
    `with merged as (
       select line, source_id, fate from stage_members where fate <> 'gone' and customer_id in (
         select g.into_id from customer_merge g join move_member o using (customer_id) where o.source = $1)
     ), left_out as (update stage_members s set fate = 'gone' from merged where merged.line = s.line)
     insert into move_rejected (run_id, file, line, field, value, reason, whole_row, source_id)
     select n.run_id, 'members.csv', line, 'SourceId', source_id, 'moved_here', true, source_id
     from merged cross join stage_now n where fate = 'known'`,
    [source],
  );
  await client.query(
    `update stage_members s set customer_id = c.id, linked = true, fate = 'linked'
     from customer_email e join customer c on c.id = e.customer_id
     where s.fate is null and e.email = s.email and c.email_verified_at is not null and s.email_verified is not null`,
  );
  await removeGone(client);
}

/** Nothing of a member who was erased here comes back, and nothing changes of one who was merged. */
async function removeGone(client: pg.PoolClient): Promise<void> {
  for (const name of fileNames.filter((one) => one !== "members"))
    await client.query(
      `delete from ${tableOf(name)} s using stage_members m where m.fate = 'gone' and m.source_id = s.source_id`,
    );
}

/** After the batches: those who were erased or merged meanwhile are compared no more. Whether there are any. */
export async function leaveOutGone(client: pg.PoolClient, goneBefore: number): Promise<boolean> {
  await client.query(
    `update stage_members s set fate = 'gone' from move_member k, stage_now n
     where k.source = n.source and k.source_id = s.source_id and s.fate <> 'gone'
       and not exists (select from customer c where c.id = k.customer_id)`,
  );
  if ((await countGone(client)) === goneBefore) return false;
  await removeGone(client);
  return true;
}

export async function countGone(client: pg.PoolClient): Promise<number> {
  const { rowCount } = await client.query("select from stage_members where fate = 'gone'");
  return rowCount ?? 0;
}
