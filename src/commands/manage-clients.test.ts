import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import "#brand/texts.server.ts";
import { readSettings } from "#app/settings.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { addWebCustomer, connectWebShop, signedInBrowser } from "#testing/web-shop.server.ts";
import { manageClients } from "./manage-clients.server.ts";

const guide = readFileSync(join(import.meta.dirname, "../../docs/sign-in.md"), "utf8");
const product = await openTestProduct({ OIDC_KEY: Buffer.alloc(32, 5).toString("base64") });
const commands = [...guide.matchAll(/npm run client -- (add [^`]+)`/g)].map(([, words = ""]) =>
  [...words.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? ""),
);

test("the commands of the guide add a shop and an app that sign customers in as it says", async () => {
  expect(commands.map(([, name]) => name)).toEqual(["Web shop", "App"]);
  const { id, subject } = await addWebCustomer(product);
  const browser = await signedInBrowser(product, id);
  for (const words of commands) {
    const printed = await manageClients(product.database, words);
    const secret = words.includes("--public") ? undefined : printed.at(-1);
    const clientId = secret === undefined ? printed.at(-1) : /id: (\S+)/.exec(printed[0] ?? "")?.[1];
    const client = { id: clientId ?? "", ...(secret !== undefined && { secret }) };
    const shop = await connectWebShop(product, client, words[2] ?? "");
    const tokens = await shop.signIn(browser, { scope: "openid email profile loyalty" });
    expect(tokens.claims()?.sub).toBe(subject);
    expect(tokens.expires_in).toBe(600);
    const { scopes_supported, claims_supported, ui_locales_supported } = shop.configuration.serverMetadata();
    const offered = [scopes_supported, claims_supported, ui_locales_supported].flat() as string[];
    for (const word of ["openid", "email_verified", "family_name", "loyalty_points", "de"]) {
      expect(offered).toContain(word);
      expect(guide).toContain(`\`${word}\``);
    }
  }
});

test.each([...guide.matchAll(/```ini\n([^`]+)```/g)].map(([, lines = ""]) => parseEnv(lines)))(
  "the settings for $STAFF_SSO_ISSUER are accepted",
  (environment) => {
    const { companyAccount } = readSettings(environment as NodeJS.ProcessEnv);
    expect(companyAccount?.issuer).toBe(environment["STAFF_SSO_ISSUER"]);
    expect(Object.keys(companyAccount?.roles ?? {})).toHaveLength(2);
  },
);
