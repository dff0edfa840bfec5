import { createHash, randomInt } from "node:crypto";
import people from "../../db/people.json";

/** A person with an account at the sandbox's providers. */
export interface Person {
  email: string;
  firstname: string;
  lastname: string;
}

/** The first of the demo customers, so that signing in with a provider finds their accounts. */
export const demoPeople: Person[] = people
  .slice(0, 4)
  .map(({ email, firstname, lastname }) => ({ email, firstname, lastname }));

/** The prefilled form of a new person. */
export function newPerson(): Person {
  return { email: `alix.${randomInt(1_000_000)}@exemple.fr`, firstname: "Alix", lastname: "Moreau" };
}

/** The id of a person at a provider, derived from the email address: always the same, and another at each provider. */
export function providerUserId(provider: "google" | "facebook", email: string): string {
  const hash = createHash("sha256").update(`${provider}:${email.trim().toLowerCase()}`).digest("hex");
  return `1${BigInt(`0x${hash.slice(0, 24)}`)
    .toString()
    .padStart(29, "0")
    .slice(-(provider === "google" ? 20 : 15))}`;
}
