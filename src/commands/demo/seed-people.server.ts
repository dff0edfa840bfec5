import { and, eq, sql } from "drizzle-orm";
import { centsPerUnit } from "#brand/amounts.ts";
import { clubCity, installedBrand } from "#brand/brand.server.ts";
import { type DemoPerson, readDemoPeople } from "#brand/demo-people.server.ts";
import type { Locale } from "#i18n/locale.ts";
import { consents } from "#identity/customer/consent/consent.tables.server.ts";
import { recordOptIns } from "#identity/customer/consent/opt-ins.server.ts";
import { customerEmails, customers } from "#identity/customer/customer.tables.server.ts";
import type { ClubContext } from "#loyalty/club-context.ts";
import { obtainEvent } from "#loyalty/events/events.server.ts";
import { refreshAccount } from "#loyalty/ledger/ledger.server.ts";
import { setMembership } from "#loyalty/membership/membership.server.ts";
import { defaultProgrammeId, queryProgramme } from "#loyalty/programme/programme.server.ts";
import { obtainReward } from "#loyalty/rewards/rewards.server.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { mails } from "#platform/mail/mail.tables.server.ts";
import { createCustomerTokens } from "#shop/keys/customer-token.server.ts";
import { addShop } from "#shop/keys/keys.server.ts";
import { shops } from "#shop/keys/shops.tables.server.ts";
import { readSaleFacts } from "#shop/sales/purchase/facts.server.ts";
import { purchaseIn } from "#shop/sales/purchase/purchase.server.ts";

interface Step {
  daysAgo: number;
  do: "join" | "leave" | "buy" | "event" | "reward";
  /** Of a purchase: what it earns. */
  points?: number;
  event?: number;
  reward?: number;
  usedDaysAgo?: number;
}

interface Person extends DemoPerson {
  /** What this person demonstrates, printed for the operator. */
  shows: string;
  language: Locale;
  civility: "M" | "Mme";
  birthday: string;
  birthdayThisMonth?: boolean;
  mobilePhone?: string;
  newsletter?: boolean;
  newsletterSms?: boolean;
  timeline: Step[];
}

/** The password of every demo customer. */
export const demoPassword = "cercle2026";

/** The people of the demo, with their history. JSON's own types are wider; the seed's test reads every person through the API. */
export const readPopulation = () => readDemoPeople() as readonly Person[];

const joinedDaysAgo = ({ timeline }: Person) => timeline[0]?.daysAgo ?? 0;

const dayMs = 86_400_000;

/**
 * Demo customers. Each step of their history goes through the rules of the club and of its shop, with the clock set to its
 * day. Existing customers are left alone. Returns the new ones, and what each demonstrates.
 */
export async function seedPeople(
  database: Database,
  options: { now: Date; publicUrl: string; passwordHash: string | null },
): Promise<string[]> {
  const added: string[] = [];
  const shop = await openShop(database);
  // Ids in the order of their days, as lists of the newest customers expect.
  for (const person of readPopulation().toSorted((a, b) => joinedDaysAgo(b) - joinedDaysAgo(a))) {
    const isNew = await database.transaction(async (tx) => {
      const customerId = await register(tx, person, options);
      if (customerId === undefined) return false;
      for (const step of person.timeline) {
        const now = new Date(options.now.getTime() - step.daysAgo * dayMs);
        const context = { now, locale: person.language, publicUrl: options.publicUrl };
        await runStep(tx, customerId, step, { ...context, shop });
        await setDay(tx, customerId, now);
      }
      // As the nightly job would have done: points of the last purchase may have arrived since.
      await refreshAccount(tx, customerId, options.now);
      return true;
    });
    if (isNew) added.push(`${person.email}: ${person.shows}`);
  }
  return added;
}

/** Writes the customer as a registration would. */
async function register(
  queries: Queries,
  person: Person,
  { now, passwordHash }: { now: Date; passwordHash: string | null },
): Promise<number | undefined> {
  const { email, firstname, lastname, language, civility } = person;
  const known = await queries.select().from(customerEmails).where(eq(customerEmails.email, email));
  if (known.length > 0) return undefined;
  const createdAt = new Date(now.getTime() - joinedDaysAgo(person) * dayMs);
  const thisMonth = now.toISOString().slice(5, 7);
  const [customer] = await queries
    .insert(customers)
    .values({
      email,
      firstname,
      lastname,
      language,
      civility,
      birthday: person.birthdayThisMonth ? person.birthday.replace(/-\d\d-/, `-${thisMonth}-`) : person.birthday,
      mobilePhone: person.mobilePhone ?? null,
      newsletter: person.newsletter ?? false,
      newsletterSms: person.newsletterSms ?? false,
      emailVerifiedAt: createdAt,
      passwordHash,
      createdAt,
    })
    .returning({ id: customers.id });
  if (!customer) return undefined;
  await queries.insert(customerEmails).values({ email, customerId: customer.id });
  await recordOptIns(queries, {
    customerId: customer.id,
    from: { newsletter: false, sms: false },
    to: { newsletter: person.newsletter ?? false, sms: person.newsletterSms ?? false },
    source: "registration",
    locale: language,
  });
  await setDay(queries, customer.id, createdAt);
  return customer.id;
}

/** Consents and emails carry the database's time: what this transaction has written since is moved to its day. */
async function setDay(queries: Queries, customerId: number, at: Date): Promise<void> {
  const written = sql`now()`;
  await queries
    .update(consents)
    .set({ at })
    .where(and(eq(consents.customerId, customerId), eq(consents.at, written)));
  await queries
    .update(mails)
    .set({ queuedAt: at })
    .where(and(eq(mails.customerId, customerId), eq(mails.queuedAt, written)));
}

async function runStep(queries: Queries, customerId: number, step: Step, context: SeedContext): Promise<void> {
  if (step.do === "join" || step.do === "leave")
    await setMembership(queries, customerId, step.do === "join", {
      ...context,
      programmeId: defaultProgrammeId,
      source: "account",
    });
  if (step.do === "event") {
    const programme = await queryProgramme(queries, defaultProgrammeId, context.now);
    await obtainEvent(queries, customerId, programme, step.event ?? 0, context);
  }
  if (step.do === "buy") await buy(queries, customerId, { points: step.points ?? 0, codes: [] }, context);
  if (step.do === "reward") {
    const asked = { rewardId: step.reward ?? 0 };
    const { CustomerReward } = await obtainReward(queries, customerId, defaultProgrammeId, asked, context);
    if (step.usedDaysAgo !== undefined) {
      const now = new Date(context.now.getTime() + (step.daysAgo - step.usedDaysAgo) * dayMs);
      await buy(queries, customerId, { points: 40, codes: [CustomerReward.Code] }, { ...context, now });
    }
  }
}

type SeedContext = ClubContext & { shop: Shop };
type Shop = Pick<KeyCaller, "shopId" | "shopName">;

/** The shop where the demo's customers buy. */
async function openShop(queries: Queries): Promise<Shop> {
  const shopName = `${installedBrand().Name} ${clubCity()}`;
  const [known] = await queries.select().from(shops).where(eq(shops.name, shopName));
  const shopId = known?.id ?? (await addShop(queries, { name: shopName, city: clubCity(), kind: "boutique" }));
  return { shopId, shopName };
}

/** A purchase that earns so many points at the tier of its day, with these vouchers, at a price without cents. */
async function buy(
  queries: Queries,
  customerId: number,
  { points, codes }: { points: number; codes: string[] },
  { shop, now, ...context }: SeedContext,
): Promise<void> {
  const { member, vouchers } = await readSaleFacts(queries, {
    ...{ customerId, cardNumber: undefined, codes, shopId: shop.shopId, soldAt: now, now, locks: false },
  });
  const multiplier = member?.tier.multiplierHundredths ?? 100;
  const taken = vouchers.reduce((sum, { valueCents }) => sum + valueCents, 0);
  const cents = Math.ceil((points * 100) / multiplier) * centsPerUnit() + taken;
  const tokens = createCustomerTokens(queries);
  const { tiers, known } = await queryProgramme(queries, defaultProgrammeId, now);
  const caller = { ...shop, prefix: "seed", scopes: [], web: false, api: 1 as const, failedAttempts: 0 };
  const purchase = {
    receiptNumber: `D-${customerId}-${now.toISOString().slice(0, 10)}-${codes.length}`,
    CustomerToken: await tokens.seal(customerId, shop.shopId, now),
    soldAt: now,
    sentAt: undefined,
    goods: { whole: true, lines: [{ line: "1", cents, earns: true }] },
    voucherCodes: codes,
  };
  await purchaseIn(queries, { ...context, tokens, tiers, known }, caller, purchase, { now, locale: context.locale });
}
