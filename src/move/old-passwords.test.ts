import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { signInWithEmail } from "#identity/calls.ts";
import type { ForeignHash } from "#identity/password/old-hashes/read-hash.server.ts";
import { createMoves, differences, person, writePackage } from "#testing/move.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

type Vector = ForeignHash & { password: string };

const { call, database } = await openTestProduct();
const { move, moveIn, firstRow } = createMoves(database);
const vectors: Vector[] = JSON.parse(
  readFileSync(new URL("../identity/password/old-hashes/vectors.json", import.meta.url), "utf8"),
);

/** A package has one layout of salt and password. */
const layouts = ["salt+password", "password+salt"];
const hashOf = async (email: string) =>
  (await firstRow<{ hash: string }>(sql`select password_hash as hash from customer where email = ${email}`))?.hash ??
  "";

test("members with a hash of every format move and sign in with the old password, which is stored as the product's own", async () => {
  for (const layout of layouts) {
    const members = vectors.filter(({ settings }) => (settings?.Layout ?? layouts[0]) === layout);
    const source = layout.replace("+", "-");
    const emailOf = (index: number) => `${source}-${index}@example.com`;
    const folder = writePackage(
      {
        members: members.map(({ format, hash, salt = "" }, index) =>
          person(`${source}-${index}`, { PasswordHash: hash, PasswordFormat: format, PasswordSalt: salt }),
        ),
      },
      { source, passwords: Object.assign({ Layout: layout }, ...members.map(({ settings }) => settings)) },
    );
    const { rejected, result } = await moveIn(folder);
    expect(rejected).toBe(0);
    expect(differences(result)).toEqual([]);
    await Promise.all(
      members.map(async ({ format, password }, index) => {
        const Email = emailOf(index);
        const moved = await hashOf(Email);
        expect(moved, format).toContain("|");
        await call(signInWithEmail, { Email, Password: password });
        expect(await hashOf(Email), format).toMatch(/^\$argon2id\$/);
      }),
    );
    // From then on the product's own is checked.
    await call(signInWithEmail, { Email: emailOf(0), Password: members[0]?.password ?? "" });
  }
  expect(new Set(vectors.map(({ format }) => format)).size).toBe(17);
});

test("a club's WordPress hashes, each with a salt of its own, are of one cost; a hash of the own format is checked", async () => {
  const members = Array.from({ length: 40 }, (_, index) =>
    person(`wp-${index}`, {
      PasswordFormat: "wordpress",
      PasswordHash: `$P$B${String(index).padStart(8, "0")}${"a".repeat(22)}`,
    }),
  );
  const damaged = person("own", { PasswordFormat: "cercle", PasswordHash: "secret-42" });
  const { rejected } = await move("check", writePackage({ members: [...members, damaged] }, { source: "wp" }));
  expect(rejected).toBe(1);
});

test("of hashes with very many costs most are not taken, as each process measures all of them", async () => {
  const members = Array.from({ length: 34 }, (_, index) =>
    person(`costs-${index}`, {
      ...{ PasswordFormat: "pbkdf2", PasswordHash: `$pbkdf2-sha256$${20_000 + index}$c2FsdHNhbHQ$${"A".repeat(43)}` },
    }),
  );
  const { rejected } = await move("check", writePackage({ members }, { source: "costs" }));
  expect(rejected).toBe(2);
});
