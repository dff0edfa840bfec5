import { createHash, randomInt } from "node:crypto";
import { type DemoPerson, readDemoPeople } from "#brand/demo-people.server.ts";

/** The first of the demo customers, so that signing in with a provider finds their accounts. */
export const peopleAtProviders = () => readDemoPeople().slice(0, 4);

/** The prefilled form of a new person, whose address ends as the others' do. */
export function newPerson(): DemoPerson {
  const domain = readDemoPeople()[0]?.email.split("@")[1] ?? "example.com";
  return { email: `alix.${randomInt(1_000_000)}@${domain}`, firstname: "Alix", lastname: "Moreau" };
}

/** The id of a person at a provider, derived from the email address: always the same, and another at each provider. */
export function providerUserId(provider: "google" | "facebook", email: string): string {
  const hash = createHash("sha256").update(`${provider}:${email.trim().toLowerCase()}`).digest("hex");
  return `1${BigInt(`0x${hash.slice(0, 24)}`)
    .toString()
    .padStart(29, "0")
    .slice(-(provider === "google" ? 20 : 15))}`;
}
