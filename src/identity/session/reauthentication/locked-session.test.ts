import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import {
  autologin,
  changePassword,
  endOtherSessions,
  listSessions,
  resetPassword,
  signInWithEmail,
  verifyEmail,
} from "#identity/calls.ts";
import { enter, form, mailedToken, password, resetLinks } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { freshPerson, socialTools } from "#testing/services/social.server.ts";

const product = await openTestProduct();
const { call, as, fetch, database } = product;
const social = socialTools(product);
const fresh = { Password: "nouveau-1", ConfirmPassword: "nouveau-1" };
/** A race does not fail every time: ATTACK_ROUNDS=20 tries more often. */
const rounds = Array.from({ length: Number(process.env["ATTACK_ROUNDS"] ?? 3) });

const askForLink = resetLinks({ call, database, jobs: product.product.jobs });

/** Six concurrent loops that repeat a call until `end`. */
function loop(act: () => Promise<Response>) {
  let going = true;
  let calls = 0;
  let faults = 0;
  const tokens: string[] = [];
  const loops = Array.from({ length: 6 }, async () => {
    while (going) {
      const response = await act();
      calls += 1;
      if (response.status >= 500) faults += 1;
      const { AuthData } = await response.json();
      if (AuthData) tokens.push(AuthData.Token);
    }
  });
  return {
    /** Resolves once the loops are running, so that the owner acts in the middle of them. */
    started: () => expect.poll(() => calls, { interval: 1 }).toBeGreaterThan(6),
    async end() {
      going = false;
      await Promise.all(loops);
      return { tokens, faults };
    },
  };
}

/** How many of the newest 50 tokens are still valid; no customer has more sessions. */
async function survivors(tokens: string[]): Promise<number> {
  const responses = await Promise.all(
    tokens.slice(-50).map((token) => fetch("/api/customer", { headers: { authorization: `Bearer ${token}` } })),
  );
  return responses.filter(({ status }) => status === 200).length;
}

const exchange = (email: string, Token: string) => () =>
  fetch("/api/customer/autologin", form({ Email: email, Token }));

test.each([
  [
    "a reset",
    async (owner: { email: string }) => {
      await call(resetPassword, { Token: await askForLink(owner.email), ...fresh });
    },
  ],
  [
    "a change of the password",
    async (owner: { Token: string }) => {
      await as(owner.Token)(changePassword, { CurrentPassword: password, ...fresh });
    },
  ],
  [
    "signing the other devices out",
    async (owner: { Token: string }) => {
      await as(owner.Token)(endOtherSessions);
    },
  ],
  [
    "the owner's first sign-in at the Google-type provider",
    async (owner: { email: string }) => {
      await social.enterGoogle(freshPerson({ Email: owner.email }));
    },
  ],
])(
  "no session exchanged in a loop survives %s",
  async (_what, act) => {
    for (const _ of rounds) {
      const owner = await enter(call);
      const stolen = (await call(signInWithEmail, { Email: owner.email, Password: password })).AuthData.Token;
      const attack = loop(exchange(owner.email, stolen));
      await attack.started();
      await act(owner);
      const { tokens, faults } = await attack.end();
      expect({ faults, survivors: await survivors(tokens) }).toEqual({ faults: 0, survivors: 0 });
    }
  },
  120_000,
);

test("no social login linked in a loop with an earlier session survives a reset", async () => {
  for (const _ of rounds) {
    const owner = await enter(call);
    await as(owner.Token)(verifyEmail, { Token: await mailedToken(database, owner.email) });
    const link = await askForLink(owner.email);
    const fields = await social.facebookProof(freshPerson());
    const attack = loop(() =>
      fetch("/api/customer/social/facebook", {
        ...form(fields),
        headers: { authorization: `Bearer ${owner.Token}` },
      }),
    );
    await attack.started();
    await call(resetPassword, { Token: link, ...fresh, UnlinkSocial: true });
    expect((await attack.end()).faults).toBe(0);
    const { AuthData } = await call(signInWithEmail, { Email: owner.email, Password: fresh.Password });
    expect(AuthData.Customer.SocialLogins).toEqual([]);
  }
});

test("no social login linked in a loop survives the reset of an account whose address nobody had verified", async () => {
  for (const _ of rounds) {
    const owner = await enter(call);
    const link = await askForLink(owner.email);
    const fields = await social.facebookProof(freshPerson());
    const attack = loop(() =>
      fetch("/api/customer/social/facebook", {
        ...form(fields),
        headers: { authorization: `Bearer ${owner.Token}` },
      }),
    );
    await attack.started();
    await call(resetPassword, { Token: link, ...fresh });
    expect((await attack.end()).faults).toBe(0);
    const { AuthData } = await call(signInWithEmail, { Email: owner.email, Password: fresh.Password });
    expect(AuthData.Customer.SocialLogins).toEqual([]);
  }
});

test("an exchanged session inherits the age of the first", async () => {
  const { email, Token, Customer } = await enter(call);
  await database.execute(sql`update session set created_at = now() - interval '170 days'
    where customer_id = ${Customer.IdCustomer}`);
  let token = Token;
  for (let n = 0; n < 3; n += 1) token = (await call(autologin, { Email: email, Token: token })).AuthData.Token;
  const { Sessions } = await as(token)(listSessions);
  const current = Sessions.find((session) => session.Current);
  const days = (Date.parse(current?.ExpiresAt ?? "") - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(10);
});

test("a customer has 50 sessions at most; the least recently used ends first", async () => {
  const { email, Token } = await enter(call);
  const tokens = [Token];
  for (let n = 0; n < 50; n += 1)
    tokens.push((await call(autologin, { Email: email, Token: tokens.at(-1) ?? "" })).AuthData.Token);
  const statuses = await Promise.all(
    tokens.map(
      async (token) => (await fetch("/api/customer", { headers: { authorization: `Bearer ${token}` } })).status,
    ),
  );
  expect(statuses).toEqual([401, ...Array(50).fill(200)]);
  expect((await as(tokens.at(-1))(listSessions)).Sessions).toHaveLength(50);
});

test("after 120 concurrent exchanges at most 50 sessions exist", async () => {
  const { email, Token, Customer } = await enter(call);
  await Promise.all(Array.from({ length: 120 }, exchange(email, Token)));
  const { rows } = await database.execute(sql`select from session where customer_id = ${Customer.IdCustomer}`);
  expect(rows.length).toBeLessThanOrEqual(50);
});
