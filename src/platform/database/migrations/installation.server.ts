import pg from "pg";
import { type Brand, defaultBrand } from "#brand/brand.server.ts";
import { BadBrand } from "#brand/brand-file.server.ts";
import { currencyDecimals } from "#i18n/formats.ts";
import { errorCode } from "#platform/database/database.server.ts";

/** What amounts and days are written in. It is stored at the first start and never changes: amounts and days stay as they were written. */
export type Installation = Pick<Brand, "Currency" | "TimeZone">;

/** The brand's currency or time zone is not the database's. Its message is for the operator. */
export class OtherInstallation extends Error {}

const invalidParameterValue = "22023";

/** What the database was made with; a database from before this was stored is that of the default brand. */
export async function installationOf(
  client: pg.Client,
  brand: Installation,
  { isNew, isStored }: { isNew: boolean; isStored: boolean },
): Promise<Installation> {
  const stored = isStored
    ? (await client.query<Installation>(`select currency as "Currency", time_zone as "TimeZone" from installation`))
        .rows[0]
    : undefined;
  const installation = stored ?? (isNew ? brand : defaultBrand());
  const other = (["Currency", "TimeZone"] as const).filter((field) => installation[field] !== brand[field]);
  if (other.length > 0)
    throw new OtherInstallation(
      `brand.json: ${other.join(", ")}: this database was made for ${written(installation)}, which cannot change, and the brand says ${written(brand)}: start with a brand that says the same, or with an empty database.`,
    );
  return installation;
}

const written = ({ Currency, TimeZone }: Installation) => `${Currency} and ${TimeZone}`;

/** In the transaction of the caller. */
export async function storeInstallation(client: pg.Client, { Currency, TimeZone }: Installation): Promise<void> {
  await client.query(`
    create table installation (
      only_row boolean primary key default true check (only_row), currency text not null, time_zone text not null)`);
  try {
    await client.query(
      "insert into installation (currency, time_zone) select $1, $2 where now() at time zone $2 is not null",
      [Currency, TimeZone],
    );
  } catch (error) {
    if (errorCode(error) !== invalidParameterValue) throw error;
    throw new BadBrand(`brand.json: TimeZone: the database does not know ${TimeZone}`);
  }
}

/** The text of an SQL function with the installation's values, which files name as psql does its variables. */
export function forInstallation<T extends { statements: string }>(text: T, { Currency, TimeZone }: Installation): T {
  const statements = text.statements
    .replaceAll(":'time_zone'", pg.escapeLiteral(TimeZone))
    .replaceAll(":currency_decimals", String(currencyDecimals(Currency)));
  return { ...text, statements };
}
