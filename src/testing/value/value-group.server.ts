import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { amountOf, centsOf } from "#brand/amounts.ts";
import { clubDay } from "#i18n/club-day.ts";
import * as identity from "#identity/calls.ts";
import * as club from "#loyalty/calls.ts";
import type { Rules } from "#loyalty/programme/rules.ts";
import * as shop from "#shop/calls.ts";
import { mailedToken, password, registrationForm } from "#testing/people.server.ts";
import * as till from "#till/calls.ts";
import { isLate } from "./value.ts";
import type { Seller, ValuePeople } from "./value-people.server.ts";
import { type Account, type Basket, openRecord, type Sale } from "./value-record.server.ts";

const dayMs = 24 * 3_600_000;
const nothing = { account: null, codes: [], daysAgo: 0, exchanged: null };

/** People who work together, with all that they can do. One group for each sequence. */
export function openGroup(people: ValuePeople, rules: Rules) {
  const { as, call: anyone, clock, database, newNumber } = people;
  const record = openRecord(people, rules);
  const { accounts, attempt, givenBack, holds, nameOf, owners, sales, usable } = record;
  /** Amounts that the group got for receipts of customers outside it. */
  const stolen: string[] = [];
  const run = randomBytes(4).toString("hex");
  const mailboxes = [`camille.${run}@gmail.com`, `noe.${run}@exemple.fr`];

  /** Of one mailbox: as it is, with a tag, or spelt in another way that reaches it. */
  function addressOf(person: number, spelling: number): string {
    const [local = "", domain = ""] = (mailboxes[person] ?? "").split("@");
    if (spelling === 3 && domain === "gmail.com") return `${local.replace(".", "")}@${domain}`;
    return spelling === 0 ? `${local}@${domain}` : `${local}+${spelling}@${domain}`;
  }

  /** By the link of an account of the group, if one is named. */
  async function register(person: number, spelling: number, confirms: boolean, by?: Account) {
    const email = addressOf(person, spelling);
    const Birthday = `1990-${clubDay(clock.now).slice(5, 7)}-15`;
    const ReferralCode = by && (await by.call(club.readLoyalty)).Referral?.Url.split("/").at(-1);
    const form = registrationForm({
      Email: email,
      Birthday,
      LoyaltySubscribe: true,
      ...(ReferralCode && { ReferralCode }),
    });
    const link = by ? ` by the link of ${nameOf(by)}` : "";
    const isNew = !accounts.some((one) => one.person === person && one.card !== "");
    const registered = await attempt(`register ${email} as account ${accounts.length}${link}`, () =>
      anyone(identity.register, form),
    );
    if (!registered) return;
    const account = await record.noteAccount(person, email, as(registered.AuthData.Token));
    if (by && isNew && by.person !== person) account.friendOf = by;
    if (confirms) await confirm(account);
  }

  async function confirm(account: Account) {
    await attempt(`${nameOf(account)} confirms the address`, async () =>
      account.call(identity.verifyEmail, { Token: await mailedToken(database, account.email) }),
    );
  }

  async function joinAtTill(seller: Seller, person: number, spelling: number) {
    const email = addressOf(person, spelling);
    const form = { Email: email, Firstname: "Camille", Lastname: "Laurent", LanguageIsoCode: "fr" };
    const joined = await attempt(`${seller.name} registers ${email} as account ${accounts.length}`, async () =>
      (await seller.call())(shop.joinInShop, form),
    );
    if (!joined) return;
    // A known address gets no new link.
    const confirmed = await attempt(`${email} opens the link`, async () => {
      const Token = await mailedToken(database, email);
      await anyone(identity.verifyEmail, { Token, Password: password, ConfirmPassword: password, KeepCard: true });
      return anyone(identity.signInWithEmail, { Email: email, Password: password });
    });
    if (confirmed) await record.noteAccount(person, email, as(confirmed.AuthData.Token));
  }

  /** An account of the group becomes a member at a till, again or for the first time. */
  async function enrolAtTill(seller: Seller, account: Account) {
    const enrolled = await attempt(`${seller.name} enrols ${nameOf(account)}`, async () =>
      (await seller.call())(till.enrol, { Email: account.email }),
    );
    if (!enrolled) return;
    account.card = (await account.call(club.readLoyalty)).Card?.Number ?? "";
  }

  /** An account without a membership, which a till may enrol. */
  async function registerAlone(person: number, spelling: number) {
    const email = addressOf(person, spelling);
    const form = registrationForm({ Email: email, LoyaltySubscribe: false });
    const registered = await attempt(`register ${email} without the club as account ${accounts.length}`, () =>
      anyone(identity.register, form),
    );
    if (registered) await record.noteAccount(person, email, as(registered.AuthData.Token));
  }

  async function changeAddress(account: Account, spelling: number) {
    const email = addressOf(account.person, spelling);
    await attempt(`${nameOf(account)} changes the address to ${email}`, async () => {
      await account.call(identity.changeEmail, { Email: email, Password: password });
      await account.call(identity.verifyEmail, { Token: await mailedToken(database, email) });
      account.email = email;
    });
  }

  /** Everything that the programme gives without a purchase, with an invented phone number. */
  async function collectGifts(account: Account) {
    const profile = { Firstname: "Camille", Lastname: "Laurent", MobilePhone: `+336${10_000_000 + account.id}` };
    await attempt(`${nameOf(account)} completes the profile`, () =>
      account.call(identity.editCustomer, { ...profile, NewsletterSubscribe: true, NewsletterSmsSubscribe: true }),
    );
    const { Events } = await account.call(club.listEvents);
    for (const { IdLoyaltyProgramEvent } of Events.filter(({ State }) => State === "available"))
      await attempt(`${nameOf(account)} takes the points of event ${IdLoyaltyProgramEvent}`, () =>
        account.call(club.obtainEvent, { IdLoyaltyProgramEvent }),
      );
  }

  const leave = (account: Account) => attempt(`${nameOf(account)} leaves`, () => account.call(club.unsubscribe));
  const rejoin = (account: Account) => attempt(`${nameOf(account)} joins again`, () => account.call(club.subscribe));

  async function erase(account: Account) {
    await attempt(`${nameOf(account)} is erased`, async () => {
      await account.call(identity.eraseCustomer, { Password: password });
      account.erased = true;
    });
  }

  /** Points into vouchers, the largest first. */
  async function obtain(account: Account, most: number) {
    const { Rewards } = await account.call(club.listRewards);
    let { Available } = (await account.call(club.readLoyalty)).Points;
    for (let n = 0; n < most; n += 1) {
      const reward = Rewards.findLast(({ Points }) => Points <= Available);
      if (!reward) return;
      const { IdLoyaltyReward } = reward;
      const done = await attempt(`${nameOf(account)} obtains a voucher for ${reward.Points} points`, () =>
        account.call(club.obtainReward, { IdLoyaltyReward }),
      );
      if (!done) return;
      ({ Available } = done.Points);
    }
  }

  /** The same at a till, where the card is scanned. */
  async function obtainAtTill(seller: Seller, account: Account, { byCode }: { byCode: boolean }) {
    const { Rewards } = await account.call(club.listRewards);
    const call = await seller.call();
    const scan = { CardNumber: account.card, EntryMode: byCode ? "typed" : "scanned" } as const;
    const found = await attempt(`${seller.name} looks the card of ${nameOf(account)} up, ${scan.EntryMode}`, () =>
      call(shop.identify, scan),
    );
    const shown = byCode
      ? await attempt(`${nameOf(account)} shows a code`, () => account.call(club.createTillCode))
      : undefined;
    const [member] = found?.Customers ?? [];
    const reward = Rewards.findLast(({ Points }) => member && Points <= member.Points);
    if (!member || !reward) return;
    const { CustomerToken, Points } = member;
    const fields = { CustomerToken, Points: String(Points), IdLoyaltyReward: String(reward.IdLoyaltyReward) };
    const Code = shown?.Code;
    await attempt(`${seller.name} turns ${reward.Points} points of ${nameOf(account)} into a voucher`, () =>
      call(till.obtainVoucher, { ...fields, ...(Code && { Code }) }),
    );
  }

  /** The vouchers of an account, for goods of just their value; held ones by the receipt that holds them. */
  async function spend(seller: Seller, account: Account) {
    const vouchers = (await usable(account)).slice(0, 10);
    if (vouchers.length === 0) return;
    const cents = vouchers.reduce((sum, { Value }) => sum + centsOf(Value.Amount), 0);
    const codes = vouchers.map(({ Code }) => Code);
    const basket = { ...nothing, account, lines: [{ cents, earns: true }], codes };
    const held = holds.get(codes[0] ?? "");
    if (held && held.until > clock.now) await sell(held.seller, basket, held.number);
    else await sell(seller, basket);
  }

  async function hold(seller: Seller, account: Account) {
    const codes = (await usable(account)).slice(0, 10).map(({ Code }) => Code);
    if (codes.length === 0) return;
    const number = newNumber();
    const held = await attempt(`${seller.name} holds ${codes.length} vouchers of ${nameOf(account)}`, async () =>
      (await seller.call())(shop.holdVouchers, {
        ...{ ReceiptNumber: number, VoucherCodes: codes.join(",") },
        ...(seller === people.sellers.partner && { HoldMinutes: String(72 * 60) }),
      }),
    );
    for (const { Code, Until } of held?.Holds ?? [])
      holds.set(Code, { number, seller, until: new Date(Until), late: false });
  }

  /** A web shop's hold, for as long again. */
  async function renewHolds() {
    for (const [code, held] of holds) {
      if (held.seller !== people.sellers.partner) continue;
      const fields = { ReceiptNumber: held.number, VoucherCodes: code, HoldMinutes: String(72 * 60) };
      const renewed = await attempt(`partner holds a voucher again for ${held.number}`, async () =>
        (await held.seller.call())(shop.holdVouchers, fields),
      );
      for (const { Until } of renewed?.Holds ?? []) held.until = new Date(Until);
    }
  }

  async function releaseHolds(account: Account) {
    for (const [code, { number, seller }] of holds)
      if (owners.get(code) === account)
        await attempt(`${seller.name} releases a voucher of ${nameOf(account)}`, async () => {
          await (await seller.call())(shop.releaseVouchers, { ReceiptNumber: number, VoucherCodes: code });
          holds.delete(code);
        });
  }

  async function sell(seller: Seller, basket: Basket, number = newNumber()) {
    const { account, codes, daysAgo, exchanged, lines } = basket;
    const what = [
      `${seller.name} sells ${amountOf(lines.reduce((sum, { cents }) => sum + cents, 0))} to ${nameOf(account)} as ${number}`,
      ...(daysAgo ? [`dated ${daysAgo} days ago`] : []),
      ...(codes.length > 0 ? [`with ${codes.length} vouchers`] : []),
      ...(exchanged ? [`in exchange for ${exchanged.number}`] : []),
    ];
    const fields = purchaseFields(seller, basket, number);
    const sold = await attempt(what.join(", "), async () => (await seller.call())(shop.postPurchase, fields));
    return sold && record.noteSale(seller, basket, number, sold);
  }

  function purchaseFields(
    seller: Seller,
    { account, lines, codes, daysAgo, exchanged, acceptsLost }: Basket,
    number: string,
  ) {
    const Lines = lines.map(({ cents, earns }, n) => ({ Line: String(n + 1), Amount: amountOf(cents), Earns: earns }));
    const SoldAt = new Date(clock.now.getTime() - daysAgo * dayMs).toISOString();
    return {
      ...{ ReceiptNumber: number, SoldAt, SentAt: clock.now.toISOString(), Lines: JSON.stringify(Lines) },
      ...(account && { CardNumber: account.card }),
      ...(codes.length > 0 && { VoucherCodes: codes.join(",") }),
      ...(acceptsLost && { OnVoucherLost: "accept" as const }),
      ...(exchanged && { ReturnOf: JSON.stringify(originalOf(seller, exchanged)) }),
    };
  }

  /** The sale that is given back, and for another shop the proof that its receipt is at hand. */
  function originalOf(seller: Seller, { number, shopId, lines, postedAt }: Sale) {
    if (seller.shopId === shopId) return { OriginalReceiptNumber: number };
    const OriginalAmount = amountOf(lines.reduce((sum, { paidCents }) => sum + paidCents, 0));
    const proof = { OriginalAmount, OriginalDay: clubDay(postedAt) };
    return { OriginalReceiptNumber: number, OriginalIdShop: shopId, ...proof };
  }

  async function giveBack(seller: Seller, sale: Sale, part: object = {}) {
    const what = `${seller.name} takes back ${JSON.stringify(part)} of ${sale.number}`;
    const number = newNumber();
    const favourCents = sale.account?.favourCents ?? 0;
    const fields = { ReceiptNumber: number, ...originalOf(seller, sale), ...part };
    const done = await attempt(what, async () => (await seller.call())(shop.postReturn, fields));
    if (!done) return;
    givenBack.push({ number, seller, sale, refunds: done.Refunds, late: isLate(sale, clock.now), favourCents });
    await record.noteRefunds(sale, done.Refunds);
  }

  /** One of the returns, at the till; a partner has no call for it. */
  async function undoReturn(nth: number) {
    const atTill = givenBack.filter(({ seller }) => seller.staffId !== null);
    const back = atTill[nth % atTill.length];
    if (!back) return;
    const ReceiptNumber = back.number;
    const done = await attempt(`${back.seller.name} undoes the return ${ReceiptNumber}`, async () =>
      (await back.seller.call())(till.undoReturn, { ReceiptNumber }),
    );
    if (!done) return;
    // Undone once more, it gets the same response.
    givenBack.splice(givenBack.indexOf(back), 1);
    record.noteUndone(back);
    if (back.newSale) await record.noteRefunds(back.newSale, done.Voided?.Refunds ?? []);
  }

  /** A part of the first line that is left. */
  async function givePartBack(seller: Seller, sale: Sale, percent: number) {
    const open = sale.lines.find(({ returned }) => !returned) ?? sale.lines[0];
    const left = open ? open.paidCents - open.refundedCents : 0;
    const Amount = amountOf(Math.floor((left * percent) / 100));
    await giveBack(seller, sale, { Lines: JSON.stringify([{ Line: open?.line, Amount }]) });
  }

  /** A sum, laid on all lines; and a little more than is left of the first line. */
  async function giveSumBack(seller: Seller, sale: Sale, percent: number) {
    const left = sale.lines.reduce((sum, { paidCents, refundedCents }) => sum + paidCents - refundedCents, 0);
    await giveBack(seller, sale, { Amount: amountOf(Math.floor((left * percent) / 100)), Spread: true });
  }

  async function giveTooMuchBack(seller: Seller, sale: Sale) {
    const open = sale.lines.find(({ returned }) => !returned) ?? sale.lines[0];
    const Amount = amountOf((open ? open.paidCents - open.refundedCents : 0) + 2);
    await giveBack(seller, sale, { Lines: JSON.stringify([{ Line: open?.line, Amount }]) });
  }

  /** A paid order with vouchers that were used or held before, which counts nonetheless. */
  async function sellWithLost(account: Account, cents: number) {
    const codes = [...owners].filter(([, owner]) => owner === account).map(([code]) => code);
    const basket = { ...nothing, account, lines: [{ cents, earns: true }], codes: codes.slice(-2), acceptsLost: true };
    await sell(people.sellers.partner, basket);
  }

  /** The partner edits an order: the first line has another price. */
  async function amend(sale: Sale, cents: number) {
    const { partner } = people.sellers;
    const [first, ...others] = sale.lines;
    if (sale.seller !== partner || !first || first.shareCents > 0) return;
    const leftOf = ({ paidCents, refundedCents }: Sale["lines"][number]) => paidCents - refundedCents;
    const earning = [first, ...others].filter(({ earns }) => earns).reduce((sum, one) => sum + leftOf(one), 0);
    // An addition that needs a review is a sale of its own; the search leaves it to the tests.
    if (earning - leftOf(first) + cents > rules.reviewAmountCents || sale.review !== "none") return;
    const line = ({ line: Line, earns: Earns }: Sale["lines"][number], amount: number) => ({
      ...{ Line, Earns, Amount: amountOf(amount) },
    });
    const Lines = [line(first, cents), ...others.filter((one) => leftOf(one) > 0).map((one) => line(one, leftOf(one)))];
    sale.amended = (sale.amended ?? 0) + 1;
    const fields = { ReceiptNumber: sale.number, AmendNumber: String(sale.amended), Lines: JSON.stringify(Lines) };
    const done = await attempt(`partner edits ${sale.number}: its first line is ${amountOf(cents)}`, async () =>
      (await partner.call())(shop.amendPurchase, fields),
    );
    if (!done) {
      sale.amended -= 1;
      return;
    }
    for (const { Line, Amount } of done.Added) {
      const more = sale.lines.find((one) => one.line === Line);
      if (!more) continue;
      more.paidCents += centsOf(Amount);
      more.returned = false;
      if (more.earns) sale.judgedCents += centsOf(Amount);
    }
    await record.noteRefunds(sale, done.Refunds);
  }

  /** Everything that was paid with money. */
  async function giveAllBack() {
    for (const sale of sales.filter(({ lines }) => lines.some((line) => !line.returned && line.paidCents > 0)))
      await giveBack(sale.seller, sale);
  }

  async function voidSale(seller: Seller, sale: Sale) {
    const fields = { ReceiptNumber: sale.number };
    const done = await attempt(`${seller.name} voids ${sale.number}`, async () =>
      (await seller.call())(shop.voidSale, fields),
    );
    // The same sale again gets the same response.
    if (done && sale.lines.some(({ returned }) => !returned)) await record.noteRefunds(sale, done.Refunds);
  }

  async function exchange(seller: Seller, sale: Sale, cents: number) {
    const favourCents = sale.account?.favourCents ?? 0;
    const late = isLate(sale, clock.now);
    const before = new Map(sale.lines.map(({ line, refundedCents }) => [line, refundedCents]));
    const basket = { ...nothing, account: sale.account, lines: [{ cents, earns: true }], exchanged: sale };
    const newSale = await sell(seller, basket);
    if (!newSale) return;
    const refunds = sale.lines.map(({ line, refundedCents }) => ({
      ...{ Line: line, Amount: amountOf(refundedCents - (before.get(line) ?? 0)) },
    }));
    givenBack.push({ number: newSale.number, seller, sale, refunds, late, favourCents, newSale });
  }

  /** A return that arrives before its sale. */
  async function giveBackEarly(seller: Seller, account: Account, cents: number, percent: number) {
    const number = newNumber();
    const back = { Line: "1", Amount: amountOf(Math.floor((cents * percent) / 100)) };
    const fields = { ReceiptNumber: newNumber(), OriginalReceiptNumber: number, Lines: JSON.stringify([back]) };
    const waits = await attempt(`${seller.name} takes back ${back.Amount} of ${number} before it is sold`, async () =>
      (await seller.call())(shop.postReturn, fields),
    );
    const sale = await sell(seller, { ...nothing, account, lines: [{ cents, earns: true }] }, number);
    if (waits && sale) await record.noteRefunds(sale, [back]);
  }

  /** A sale, and a return of an earlier one. */
  async function sendBatch(account: Account, cents: number, returned: Sale | undefined) {
    const { partner } = people.sellers;
    const basket = { ...nothing, account, lines: [{ cents, earns: true }] };
    const number = newNumber();
    const { SentAt, Lines, ...purchase } = purchaseFields(partner, basket, number);
    const back = returned && { Kind: "return", ReceiptNumber: newNumber(), ...originalOf(partner, returned) };
    const Items = [{ Kind: "purchase", ...purchase, Lines: JSON.parse(Lines) }, ...(back ? [back] : [])];
    const what = `partner sends a batch: sells ${amountOf(cents)} to ${nameOf(account)} as ${number}, takes back ${returned?.number}`;
    const sent = await attempt(what, () =>
      partner.call().then((call) => call(shop.postBatch, { Items: JSON.stringify(Items), SentAt })),
    );
    for (const { Answer } of sent?.Outcomes ?? [])
      if (Answer && "Lines" in Answer) await record.noteSale(partner, basket, number, Answer);
      else if (Answer && returned) await record.noteRefunds(returned, Answer.Refunds ?? []);
  }

  async function claim(account: Account, sale: Sale) {
    const { claimCode: ClaimCode, shopId, number } = sale;
    if (!ClaimCode || sale.account) return;
    const claimed = await attempt(`${nameOf(account)} claims ${number}`, () =>
      account.call(club.claimReceipt, { ClaimCode }),
    );
    if (!claimed) return;
    const { rows } = await database.execute<{ multiplier: number }>(sql`
      select multiplier_hundredths as multiplier from shop_sale where shop_id = ${shopId} and number = ${number}`);
    record.noteBuyer(sale, account, rows[0]?.multiplier ?? 100, claimed.Waiting ? "waiting" : "none");
  }

  return {
    ...{
      ...record,
      people,
      stolen,
      register,
      confirm,
      joinAtTill,
      changeAddress,
      collectGifts,
      leave,
      rejoin,
      erase,
      obtain,
      obtainAtTill,
      enrolAtTill,
      registerAlone,
    },
    ...{
      spend,
      hold,
      renewHolds,
      releaseHolds,
      giveSumBack,
      giveTooMuchBack,
      sellWithLost,
      amend,
      sell,
      giveBack,
      givePartBack,
      giveAllBack,
      undoReturn,
      voidSale,
      exchange,
      giveBackEarly,
    },
    ...{ sendBatch, claim },
  };
}

export type Group = ReturnType<typeof openGroup>;
