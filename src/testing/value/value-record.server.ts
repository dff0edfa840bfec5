import { and, inArray, sql } from "drizzle-orm";
import { centsOf } from "#brand/amounts.ts";
import * as club from "#loyalty/calls.ts";
import { entries } from "#loyalty/ledger/ledger.tables.server.ts";
import type { Rules } from "#loyalty/programme/rules.ts";
import { referrals } from "#loyalty/referral/referral.tables.server.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { type Call, CallFailed } from "#platform/api/client/client.ts";
import type * as shop from "#shop/calls.ts";
import { gainOf, grantFavour, isLate, keepsWorth, promisesGift, type ValuedAccount, type ValuedSale } from "./value.ts";
import type { Seller, ValuePeople } from "./value-people.server.ts";

export interface Account extends ValuedAccount {
  id: number;
  /** Whose mailbox it is. */
  person: number;
  email: string;
  call: Call;
  card: string;
  erased: boolean;
  /** Whose recommendation promises points for this account: it is of another person, who is new. */
  friendOf: Account | null;
}

export interface Sale extends ValuedSale {
  number: string;
  shopId: number;
  seller: Seller;
  account: Account | null;
  /** Whose vouchers it used. */
  owner: Account | null;
  claimCode: string | undefined;
  /** How often it was amended. */
  amended?: number;
}

export interface Basket {
  account: Account | null;
  lines: { cents: number; earns: boolean }[];
  codes: string[];
  /** By the till's clock; below zero, after now. */
  daysAgo: number;
  exchanged: Sale | null;
  /** Vouchers that cannot be used any more do not refuse it. */
  acceptsLost?: boolean;
}

/** A return, which the till that recorded it may undo. */
interface GivenBack {
  number: string;
  seller: Seller;
  sale: Sale;
  refunds: ResponseBody<typeof shop.postReturn>["Refunds"];
  late: boolean;
  /** The favour of the account before it. */
  favourCents: number;
  /** Of an exchange. */
  newSale?: Sale;
}

interface Hold {
  number: string;
  seller: Seller;
  until: Date;
  /** A late return took the voucher's points meanwhile. */
  late: boolean;
}

/** What a group did and what it has, from the responses of the API. */
export function openRecord({ clock, database, sellers }: ValuePeople, rules: Rules) {
  const accounts: Account[] = [];
  const sales: Sale[] = [];
  /** The owner of each voucher that the group has seen. */
  const owners = new Map<string, Account>();
  const holds = new Map<string, Hold>();
  const givenBack: GivenBack[] = [];
  /** Addresses of accounts that are recorded as the assistant's own. */
  const ownCards = new Set<string>();
  const log: string[] = [];
  const nameOf = (account: Account | null) => (account ? `account ${accounts.indexOf(account)}` : "nobody");

  /** A call that may be refused; the log says what became of it. */
  async function attempt<T>(what: string, call: () => Promise<T>): Promise<T | undefined> {
    const at = clock.now.toISOString().slice(0, 16);
    try {
      const response = await call();
      log.push(`${at} ${what}`);
      return response;
    } catch (error) {
      if (!(error instanceof CallFailed) || error.status >= 500) throw error;
      log.push(`${at} ${what}: refused, ${error.problem?.code}`);
      return undefined;
    }
  }

  async function noteAccount(person: number, email: string, call: Call) {
    const { Card, IdCustomer } = await call(club.readLoyalty);
    const nothing = { giftPoints: 0, availablePoints: 0, usableCents: 0, favourCents: 0, sales: [], spent: [] };
    const account: Account = {
      id: IdCustomer,
      person,
      email,
      call,
      card: Card?.Number ?? "",
      erased: false,
      friendOf: null,
      ...nothing,
    };
    accounts.push(account);
    return account;
  }

  async function noteSale(
    seller: Seller,
    { account, lines, codes, daysAgo, exchanged }: Basket,
    number: string,
    sold: ResponseBody<typeof shop.postPurchase>,
  ) {
    const owner = owners.get(codes[0] ?? "") ?? null;
    const believed = seller === sellers.partner ? Math.max(daysAgo, 0) : 0;
    const postedAt = new Date(clock.now.getTime() - believed * 24 * 3_600_000);
    const sale: Sale = {
      ...{ number, shopId: seller.shopId, seller, account: null, owner, postedAt },
      ...{ multiplierHundredths: 100, judgedCents: 0, review: "none", claimCode: sold.ClaimCode },
      lines: sold.Lines.map(({ Line, Paid, VoucherShare }, n) => ({
        ...{ line: Line, earns: lines[n]?.earns ?? false, refundedCents: 0, lateCents: 0, returned: false },
        ...{ paidCents: centsOf(Paid), shareCents: centsOf(VoucherShare) },
      })),
    };
    sales.push(sale);
    owner?.spent.push(sale);
    const buyer = account ?? owner;
    if (buyer && sold.Tier)
      noteBuyer(sale, buyer, Math.round(sold.Tier.Multiplier * 100), sold.Waiting ? "waiting" : "none");
    if (exchanged) await noteRefunds(exchanged, sold.Refunds ?? []);
    // A voucher that was held when a late return took its points may be used by that receipt.
    const late = codes.some((code) => holds.get(code)?.late && (holds.get(code)?.until ?? 0) > clock.now);
    if (late && owner) await favour(owner);
    return sale;
  }

  /** The account to which the points of a sale are granted, for what is left of it now. */
  function noteBuyer(sale: Sale, buyer: Account, multiplierHundredths: number, review: "waiting" | "none") {
    const earning = sale.lines.filter(({ earns }) => earns);
    sale.judgedCents = earning.reduce((sum, { paidCents, refundedCents }) => sum + paidCents - refundedCents, 0);
    const own = sale.seller === sellers.assistant && ownCards.has(buyer.email);
    Object.assign(sale, { account: buyer, multiplierHundredths, review: own ? "own" : review });
    buyer.sales.push(sale);
  }

  async function noteRefunds(sale: Sale, refunds: ResponseBody<typeof shop.postReturn>["Refunds"]) {
    const late = isLate(sale, clock.now);
    for (const { Line, Amount } of refunds) {
      const line = sale.lines.find((one) => one.line === Line);
      if (!line) throw new Error("A refund of a line that was not sold.");
      line.refundedCents += centsOf(Amount);
      if (late) line.lateCents += centsOf(Amount);
      line.returned = line.refundedCents === line.paidCents;
    }
    if (!late || !sale.account) return;
    for (const [code, hold] of holds) if (owners.get(code) === sale.account) hold.late = true;
    await favour(sale.account);
  }

  /** What was returned is paid again. */
  function noteUndone({ sale, refunds, late, favourCents }: GivenBack) {
    for (const { Line, Amount } of refunds) {
      const line = sale.lines.find((one) => one.line === Line);
      if (!line) throw new Error("A refund of a line that was not sold.");
      line.refundedCents -= centsOf(Amount);
      if (late) line.lateCents -= centsOf(Amount);
      line.returned = false;
    }
    if (sale.account) sale.account.favourCents = favourCents;
  }

  async function favour(account: Account) {
    await readGifts();
    grantFavour(account, rules, clock.now);
  }

  /** At the end everything is decided, so a friend brings points only while enough of a purchase is kept. */
  async function readGifts(atTheEnd = false) {
    const { customerId, cause, points } = entries;
    const ids = accounts.map(({ id }) => id);
    const given = await database
      .select({ customerId, cause, points })
      .from(entries)
      .where(sql`${inArray(customerId, ids)} and ${entries.kind} in ('welcome', 'event')`)
      .orderBy(entries.at, customerId, entries.id);
    for (const account of accounts) account.giftPoints = 0;
    const received = new Set<string>();
    for (const gift of given) {
      const account = accounts.find(({ id }) => id === gift.customerId);
      if (!account) continue;
      const known = `${account.person} ${gift.cause}`;
      if (!received.has(known) || promisesGift(account, gift.cause, rules)) account.giftPoints += gift.points;
      received.add(known);
    }
    // Of a friend who is new and bought something, until the points are taken back.
    const recommended = await database
      .select()
      .from(referrals)
      .where(and(inArray(referrals.customerId, ids), inArray(referrals.state, ["credited", "revoked"])));
    for (const { customerId: friendId, points: promised } of recommended) {
      const friend = accounts.find(({ id }) => id === friendId);
      if (!friend?.friendOf || friend.sales.length === 0 || promised === null) continue;
      if (!atTheEnd || keepsWorth(friend, promised, rules)) friend.friendOf.giftPoints += promised;
    }
  }

  /** Points for a friend were taken back: goods that they had paid for by then are the retailer's favour, as after a late return. */
  async function noteNight() {
    const before = accounts.map(({ giftPoints }) => giftPoints);
    await readGifts();
    accounts.forEach((account, index) => {
      if (account.giftPoints < (before[index] ?? 0)) grantFavour(account, rules, clock.now);
    });
  }

  async function usable(account: Account) {
    if (account.erased) return [];
    const { CustomerRewards } = await account.call(club.listCustomerRewards, { LoyaltyRewardState: "available" });
    for (const { Code } of CustomerRewards) owners.set(Code, account);
    return CustomerRewards;
  }

  /** What each account has beyond its promise, in cents. */
  async function gains() {
    await readGifts(true);
    for (const account of accounts) {
      account.availablePoints = account.erased ? 0 : (await account.call(club.readLoyalty)).Points.Available;
      account.usableCents = (await usable(account)).reduce((sum, { Value }) => sum + centsOf(Value.Amount), 0);
    }
    return accounts.map((account) => ({ of: nameOf(account), cents: gainOf(account, rules) }));
  }

  return {
    ...{ accounts, sales, owners, holds, ownCards, log, nameOf, attempt, noteAccount, noteSale, noteBuyer },
    ...{ givenBack, noteRefunds, noteUndone, noteNight, usable, gains },
  };
}
