import { sql } from "drizzle-orm";
import type { Database } from "#platform/database/database.server.ts";
import type { Fresh } from "./cluster.ts";
import { compare, ms, type Result } from "./measures.ts";
import { openOffice } from "./office.ts";

const firstnames =
  "Camille Marie Jean Pierre Julie Gaëlle Hannah Oliver Margaux Antoine Julien Sophie Hélène Paul Inès Lou Nicolas Thomas Emma Léa Chloé Manon Louis Lucas Hugo Arthur Jules Gabriel Raphaël Adam Alice Louise Lina Rose Anna Jade Agathe Martin Lukas Felix Jonas Lena Leonie Greta Frieda Harry George Amelia Olivia Freya Charlotte Benjamin Marianne Marion Mathilde Maxime Mohamed Fatima Yasmine Karim Nadia".split(
    " ",
  );
const syllables =
  "ba be ber bo bou bri ca cha che cla co da de des du dre el er fa fe fou ga ge gui gra ha her jo ka la le lan lou ma mar mi mo mul na nel ni no ou pa per pi ra re ri ro sa sch se ta ter to va ve vi zan".split(
    " ",
  );
const domains = ["gmail.com", "gmail.com", "orange.fr", "hotmail.fr", "web.de", "exemple.fr"];

/**
 * Members with names as people have them: some first names that many share, hundreds of thousands of last names of which a few
 * are frequent, a third of the addresses at one provider. Without a history, which a search does not read.
 */
async function populateNames(database: Database, size: number): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`set local statement_timeout = 0`);
    for (const index of ["first", "last", "parts", "spellings"])
      await tx.execute(sql.raw(`drop index customer_name_${index}`));
    await tx.execute(sql.raw("drop index customer_email_parts"));
    await tx.execute(sql`select setseed(0.42)`);
    await tx.execute(sql`
      with drawn as (
        select n, ${sql.param(firstnames)}::text[] as firstnames, ${sql.param(syllables)}::text[] as syllables,
          1 + floor(power(random(), 1.4) * ${firstnames.length})::integer as a,
          case when random() < 0.25 then 1 + floor(random() * ${firstnames.length})::integer end as a2,
          1 + floor(power(random(), 1.7) * ${syllables.length})::integer as b,
          1 + floor(power(random(), 1.7) * ${syllables.length})::integer as c,
          1 + floor(power(random(), 1.5) * ${syllables.length})::integer as d,
          case when random() < 0.3 then 1 + floor(random() * ${syllables.length})::integer end as e
        from generate_series(1, ${size}::integer) n)
      insert into customer (email, firstname, lastname, password_hash, email_verified_at)
      select name_folded(firstnames[a]) || '.' || syllables[b] || syllables[c] || syllables[d] || coalesce(syllables[e], '') || n
          || '@' || (${sql.param(domains)}::text[])[1 + n % ${domains.length}],
        firstnames[a] || coalesce('-' || firstnames[a2], ''),
        initcap(syllables[b] || syllables[c] || syllables[d] || coalesce(syllables[e], '')), repeat('x', 90), now()
      from drawn`);
    await tx.execute(sql`
      insert into loyalty_account (customer_id, programme_id, state, member_since, card_number, balance)
      select id, 4, 'active', created_at, '29' || lpad(id::text, 11, '0'), 250 from customer`);
    const name = "name_folded(firstname || ' ' || lastname)";
    await tx.execute(sql.raw(`create index customer_name_first on customer (${name} collate "C", id)`));
    await tx.execute(
      sql.raw(
        `create index customer_name_last on customer (name_folded(lastname || ' ' || firstname) collate "C", id)`,
      ),
    );
    await tx.execute(sql.raw(`create index customer_name_parts on customer using gin (name_parts(${name}))`));
    await tx.execute(sql.raw(`create index customer_name_spellings on customer using gin (name_spellings(${name}))`));
    await tx.execute(sql.raw("create index customer_email_parts on customer using gin (email gin_trgm_ops)"));
    await tx.execute(sql`analyze customer, loyalty_account`);
  });
}

/** Two letters in the middle of a word change places. */
const mistyped = (word: string) => {
  const at = Math.floor(word.length / 2);
  return word.slice(0, at - 1) + word.charAt(at) + word.charAt(at - 1) + word.slice(at + 1);
};

const fullPage = "a full page by the beginning of a name";

/** What people type who do not know a name exactly, each compared with the search for a customer by full name. */
const searches: [what: string, typed: (customer: Named) => string][] = [
  ["a last name with a typing error", ({ lastname }) => mistyped(lastname)],
  [
    "a full name with an error in each word",
    ({ firstname, lastname }) => `${mistyped(firstname)} ${mistyped(lastname)}`,
  ],
  ["a first name that many share, with an error", () => "Camlile"],
  ["a part inside a last name", ({ lastname }) => lastname.slice(1, 6)],
  ["a part that a third of all addresses have", () => "gmail"],
  ["a part that one name of twenty has", () => "amill"],
  ["a name that no one has", () => "Xylophon Quarks"],
  [fullPage, ({ firstname }) => firstname.slice(0, 4)],
];

interface Named extends Record<string, unknown> {
  firstname: string;
  lastname: string;
}

/** The back office's search for customers: how much longer a search takes that forgives than one by full name. */
export async function measureSearch({ database }: Fresh, size: number): Promise<Result[]> {
  await populateNames(database, size);
  const { rows } = await database.execute<Named>(sql`
    select firstname, lastname from customer where id % ${Math.floor(size / 500)} = 0 and length(firstname) > 3`);
  const anyone = () => rows[Math.floor(Math.random() * rows.length)] ?? { firstname: "Camille", lastname: "Baba" };
  const { read } = await openOffice(database);
  const search = (text: string) => read(`office/customers?${new URLSearchParams({ Search: text })}`);
  const results: Result[] = [];
  for (const [what, typed] of searches) {
    const { one, other } = await compare(
      () => search(typed(anyone())),
      () => {
        const { firstname, lastname } = anyone();
        return search(`${firstname} ${lastname}`);
      },
      100,
    );
    results.push({
      what: `${what}, to a full name: ${size} customers`,
      metrics: `${ms(one)} to ${ms(other)}`,
      ratio: one / other,
      // Fifty rows to one.
      ...(what !== fullPage && { most: 1.5 }),
    });
  }
  return results;
}
