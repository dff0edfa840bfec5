import { createHash, randomInt } from "node:crypto";
import people from "../../db/people.json";

/** Somebody with an account at one of the sandbox's providers. */
export interface Person {
  email: string;
  firstname: string;
  lastname: string;
}

/** The demonstration's own customers, so that signing in with a provider finds their accounts. */
export const demoPeople: Person[] = people
  .slice(0, 4)
  .map(({ email, firstname, lastname }) => ({ email, firstname, lastname }));

/** A name to start from for somebody new: one press is enough. */
export function somebodyNew(): Person {
  return { email: `alix.${randomInt(1_000_000)}@exemple.fr`, firstname: "Alix", lastname: "Moreau" };
}

/** The same person has the same number at a provider every time; another provider knows them by another. */
export function numberAt(provider: "google" | "facebook", email: string): string {
  const hash = createHash("sha256").update(`${provider}:${email.trim().toLowerCase()}`).digest("hex");
  return `1${BigInt(`0x${hash.slice(0, 24)}`)
    .toString()
    .padStart(29, "0")
    .slice(-(provider === "google" ? 20 : 15))}`;
}
