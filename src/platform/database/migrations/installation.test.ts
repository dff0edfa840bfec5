import { expect, test } from "vitest";
import { defaultBrand } from "#brand/brand.server.ts";
import { BadBrand } from "#brand/brand-file.server.ts";
import { withEmptyDatabase } from "#testing/database.server.ts";
import { OtherInstallation } from "./installation.server.ts";
import { migrate, productSchema } from "./migrate.server.ts";

const first = { name: "0001_thing", statements: "create table thing (name text);\n" };
const schema = {
  migrations: [first],
  functions: productSchema.functions.filter(({ name }) => name.startsWith("club_day")),
};
const nord = { Currency: "CHF", TimeZone: "Pacific/Auckland" };
const start = (url: string, brand = nord) => migrate(url, schema, () => {}, brand);

test("the first start stores the brand's currency and time zone, and the club's days are made from them", async () => {
  await withEmptyDatabase(async ({ url, connect }) => {
    await start(url);
    const client = await connect();
    expect((await client.query("select currency, time_zone from installation")).rows).toEqual([
      { currency: "CHF", time_zone: "Pacific/Auckland" },
    ]);
    const { rows } = await client.query(`
      select club_day('2028-02-28T11:30:00Z')::text as day, club_day_start('2028-02-29') as starts,
        club_day_end('2028-02-29') as ends,
        (select string_agg(distinct provolatile::text, '') from pg_proc where proname like 'club\\_day%') as volatility`);
    expect(rows).toEqual([
      {
        day: "2028-02-29",
        starts: new Date("2028-02-28T11:00:00Z"),
        ends: new Date("2028-02-29T10:59:59Z"),
        volatility: "i",
      },
    ]);
    expect(await start(url)).toEqual([]);
  });
});

test.each([
  ["Currency", { ...nord, Currency: "EUR" }],
  ["TimeZone", { ...nord, TimeZone: "Europe/Zurich" }],
])(
  "a start whose brand has another %s is refused in one sentence that names it, and nothing is changed",
  async (field, brand) => {
    await withEmptyDatabase(async ({ url, connect }) => {
      await start(url);
      const refused = await start(url, brand).catch((error) => error);
      expect(refused).toBeInstanceOf(OtherInstallation);
      expect(refused.message).toContain(`brand.json: ${field}: this database`);
      expect(refused.message).toMatch(
        /: this database was made for CHF and Pacific\/Auckland, which cannot change, and the brand says [A-Z]{3} and \w+\/\w+: [^.\n]*\.$/,
      );
      expect((await (await connect()).query("select currency, time_zone from installation")).rows).toEqual([
        { currency: "CHF", time_zone: "Pacific/Auckland" },
      ]);
    });
  },
);

test("a database without stored values is that of the default brand", async () => {
  await withEmptyDatabase(async ({ url, connect }) => {
    await start(url, defaultBrand());
    const client = await connect();
    await client.query("drop table installation");
    await expect(start(url)).rejects.toThrow(OtherInstallation);
    await start(url, defaultBrand());
    const { Currency, TimeZone } = defaultBrand();
    expect((await client.query("select currency, time_zone from installation")).rows).toEqual([
      { currency: Currency, time_zone: TimeZone },
    ]);
  });
});

test("a time zone that the database does not know is refused with file and field", async () => {
  await withEmptyDatabase(async ({ url }) => {
    await expect(start(url, { ...nord, TimeZone: "Europe/Nowhere" })).rejects.toThrow(BadBrand);
  });
});
