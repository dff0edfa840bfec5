import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { readSettings } from "#app/settings.server.ts";
import { manageWebhooks } from "#commands/shops/manage-webhooks.server.ts";
import { createPasswordHashes } from "#identity/password/password-hashes.server.ts";
import { officeSealing } from "#office/sign-in/credentials/totp.server.ts";
import { createKeySealing, readSigningKeys } from "#oidc/signing-keys.server.ts";
import { createSecrets } from "#shop/webhooks/secrets.server.ts";
import { createPins } from "#staff/pins.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { resealSecrets } from "./reseal-secrets.server.ts";

const { database } = await openTestProduct();
const passwords = createPasswordHashes({ cost: { memoryCost: 8, timeCost: 1, parallelism: 1 } });
const key = (fill: number) => Buffer.alloc(32, fill).toString("base64");
function partsOf(keys: string) {
  const settings = readSettings({ WEBHOOK_KEY: keys, PIN_KEY: keys, OIDC_KEY: keys });
  const pins = createPins(settings, passwords);
  return { pins, webhooks: createSecrets(settings), office: officeSealing(pins), oidc: createKeySealing(settings) };
}

test("keys are changed without losing a secret: both, then seal anew, then the new one alone", async () => {
  const old = partsOf(key(1));
  const webhook = { queries: database, secrets: old.webhooks, sandbox: false, now: new Date() };
  const secret = (await manageWebhooks(webhook, ["add", "https://partner.example/", "owner@partner.example"])).at(-1);
  await database.execute(sql`insert into staff (email, firstname, lastname, role, created_at, totp_secret)
    values ('nora@cercle.example', 'Nora', 'Petit', 'owner', now(), ${old.office.seal("JBSWY3DP")})`);
  const pin = await old.pins.hash("482913");
  const signingKeys = await readSigningKeys(database, old.oidc);

  const both = partsOf(`${key(2)}, ${key(1)}`);
  expect(await both.pins.matches("482913", pin)).toBe(true);
  expect(await both.pins.matches("482914", pin)).toBe(false);
  expect(await resealSecrets(database, both)).toMatch(/^4 secrets/);

  const fresh = partsOf(key(2));
  const { rows } = await database.execute<{ webhook: Buffer; totp: Buffer }>(sql`
    select (select secret from webhook_endpoint) as webhook,
           (select totp_secret from staff where totp_secret is not null) as totp`);
  const [row] = rows;
  expect(fresh.webhooks.open(row?.webhook ?? Buffer.alloc(0))).toBe(secret);
  expect(fresh.office.open(row?.totp ?? Buffer.alloc(0))).toBe("JBSWY3DP");
  expect(await readSigningKeys(database, fresh.oidc)).toEqual(signingKeys);
  expect(() => old.webhooks.open(row?.webhook ?? Buffer.alloc(0))).toThrow();
});

test("every column that holds a sealed secret is sealed anew", async () => {
  const { rows } = await database.execute(sql`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' and column_name ~ 'secret$|^sealed' order by 1`);
  expect(rows.map(({ name }) => name)).toEqual([
    "oidc_signing_key.sealed_jwk",
    "staff.totp_secret",
    "staff_invitation.totp_secret",
    "webhook_endpoint.previous_secret",
    "webhook_endpoint.secret",
  ]);
});
