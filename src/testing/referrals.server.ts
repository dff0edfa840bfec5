import { sql } from "drizzle-orm";
import { beforeEach } from "vitest";
import { register } from "#identity/calls.ts";
import { readLoyalty } from "#loyalty/calls.ts";
import { firstProgramme } from "#loyalty/programme/first-programme.server.ts";
import { valueOfPoints } from "#loyalty/programme/point-value.ts";
import { registrationForm } from "./people.server.ts";
import { openTestShop } from "./shop.server.ts";

const dayMs = 24 * 3_600_000;

/** The club with a shop, members who recommend it, and friends who register by their links. Each test in a year of its own. */
export async function openTestReferrals() {
  const club = await openTestShop();
  const { addMember, as, clock, database, openShop, product } = club;
  const shop = await openShop();
  const { referral } = firstProgramme();
  type Member = Awaited<ReturnType<typeof addMember>>;
  type Caller = Pick<Member, "call">;
  type Friend = Awaited<ReturnType<typeof addFriend>>;

  const wait = (days: number) => {
    clock.now = new Date(clock.now.getTime() + days * dayMs);
  };
  beforeEach(() => wait(366));

  const codeOf = async ({ call }: Caller) => (await call(readLoyalty)).Referral?.Url.split("/").at(-1) ?? "";
  const available = async ({ call }: Caller) => (await call(readLoyalty)).Points.Available;

  /** Registers by the member's link. */
  async function addFriend(member: Caller, changes: Parameters<typeof registrationForm>[0] = {}, headers = {}) {
    const ReferralCode = await codeOf(member);
    const { AuthData } = await as(undefined, headers)(
      register,
      registrationForm({ LoyaltySubscribe: true, ReferralCode, ...changes }),
    );
    const call = as(AuthData.Token);
    const { IdCustomer: id, Email: email } = AuthData.Customer;
    await database.execute(sql`update customer set email_verified_at = now() where id = ${id}`);
    const { Card } = await call(readLoyalty);
    return { id, email, call, card: Card?.Number ?? "" };
  }

  async function buy(friend: Friend, sale: Parameters<typeof shop.sell>[0] = { Amount: "40.00" }): Promise<string> {
    const ReceiptNumber = shop.newNumber();
    await shop.sell({ ReceiptNumber, CardNumber: friend.card, ...sale });
    return ReceiptNumber;
  }

  /** What the member has got beside the points from before. */
  async function gained(member: Caller, during: () => Promise<unknown>) {
    const before = await available(member);
    await during();
    return (await available(member)) - before;
  }

  return {
    ...{ ...club, shop, referral, wait, codeOf, available, addFriend, buy, gained },
    /** What the points are worth, which a friend must keep of the first purchase. */
    minimumCents: valueOfPoints(firstProgramme()).cents(referral.points, Math.ceil),
    night: () => product.jobs["loyalty:referrals"]?.({}, database),
  };
}
