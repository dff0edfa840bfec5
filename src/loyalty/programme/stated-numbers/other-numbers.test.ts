import { expect, test } from "vitest";
import { type Locale, localePath, locales } from "#i18n/locale.ts";
import { pagePaths } from "#identity/paths.ts";
import { obtainReward, subscribe } from "#loyalty/calls.ts";
import { earn } from "#loyalty/ledger/earning.server.ts";
import { ledgerJobs } from "#loyalty/ledger/ledger-jobs.server.ts";
import { memberTabs, tabParameter, vouchersPath } from "#loyalty/member-tabs.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import { openTestClub } from "#testing/club.server.ts";
import { publishNow } from "#testing/programme.server.ts";

const { addCustomer, clock, database, fetch, emails } = await openTestClub();
const publicUrl = "https://cercle.test";

const texts = (text: string) => ({ fr: text, en: text, de: text });
const benefits = { fr: ["Retouches"], en: ["Alterations"], de: ["Änderungen"] };
await publishNow(
  database,
  ({ tiers, rewards, events }) => ({
    welcomePoints: 130,
    pointsPerEuro: 2,
    pointsValidMonths: 18,
    tierMonths: 6,
    pendingDays: 9,
    referral: { points: 45, days: 21, perYear: 7 },
    tiers: tiers.slice(0, 2).map((tier) => ({
      ...tier,
      pointsRequired: tier.pointsRequired && 700,
      multiplierHundredths: tier.pointsRequired ? 175 : 100,
      benefits,
    })),
    rewards: rewards.slice(0, 1).map((reward) => ({
      ...{ ...reward, points: 300, amountCents: 1500, validDays: 60 },
      ...{ name: texts("15"), description: texts("15") },
    })),
    events: events.map((event) => ({ ...event, points: 35 })),
  }),
  { now: clock.now },
);

/** What the seed's programme says, in words that a text may use for it. */
const seedNumbers = [
  /\b250\b/,
  /\b10\s€|€10\b/,
  /\b(14|90)\s+(jours|days|Tage)/i,
  /\b(24|vingt-quatre|twenty-four|vierundzwanzig)\s+(mois|months|Monate)/i,
  /(\b12|douze|twelve|zwölf)\s+(derniers\s+)?(mois|months|Monate)/i,
  /(\b3|trois|three|drei)\s+(étoffes|statuts|fabrics|tiers|statuses|Stoffe|Stufen|Statusstufen)/i,
  /\b[13][.,\s]000\b/,
  /\b1[.,](25|5)\b/,
];

/** What a reader sees, and the descriptions for search engines. */
const shown = (html: string) =>
  html
    .replace(/<(script|style|svg)\b.*?<\/\1>/gs, " ")
    .replace(/<meta [^>]*content="([^"]*)"[^>]*>/g, " $1 ")
    .replace(/<[^>]+>/g, " ")
    .replace(/&[a-z]+;|&#x?[\da-f]+;/gi, " ")
    .replace(/\s+/g, " ");

function expectOtherNumbers(text: string, where: string) {
  for (const number of seedNumbers) expect(number.exec(text)?.[0], where).toBe(undefined);
}

async function read(locale: Locale, path: string, token?: string) {
  const response = await fetch(localePath(locale, path), { headers: token ? { cookie: `auth.token=${token}` } : {} });
  expect(response.status, path).toBe(200);
  return shown(await response.text());
}

async function addMember(language: Locale, points: number) {
  const member = await addCustomer({ language });
  await member.as(language)(subscribe);
  const context = { now: clock.now, locale: language, publicUrl };
  const granted = { customerId: member.id, points, kind: "grant", cause: "grant", label: {} } as const;
  await database.transaction((tx) => earn(tx, defaultProgrammeId, granted, context));
  return member;
}

const tabs = memberTabs.map((tab) => `${pagePaths.memberPage}?${tabParameter}=${tab}`);

test.each(locales)("in %s no page states a number of another programme than the one in force", async (locale) => {
  for (const path of ["/", "/loyalty", "/store/qrcode", pagePaths.register, pagePaths.help])
    expectOtherNumbers(await read(locale, path), path);
  const customer = await addCustomer();
  const member = await addMember(locale, 400);
  const top = await addMember(locale, 800);
  for (const { token } of [customer, member, top])
    for (const path of [pagePaths.account, ...tabs]) expectOtherNumbers(await read(locale, path, token), path);
  expect(await read(locale, pagePaths.help)).toMatch(/\b18\b.*\b6\b|\b6\b.*\b18\b/);
  for (const path of ["/loyalty", pagePaths.help])
    expect(await read(locale, path), path).toMatch(/\b9 (jours|days|Tage) (après|after|nach)/);
  expect(await read(locale, vouchersPath, member.token)).toMatch(/\b60 (jours|days|Tage)/);
});

test("two statuses stand in two columns, without a hole beside them", async () => {
  for (const path of ["/", "/loyalty"]) {
    const html = await (await fetch(path)).text();
    const classes = /<ul class="([^"]*)"><li><div class="relative isolate aspect/.exec(html)?.[1];
    expect(classes, path).toContain("md:grid-cols-2");
    expect(classes, path).not.toContain("grid-cols-3");
  }
});

test.each(locales)("in %s a gift that buys nothing is given without an amount", async (locale) => {
  for (const path of ["/", "/loyalty", "/store/qrcode"]) {
    const text = await read(locale, path);
    expect(text, path).toMatch(/\b130 (points|welcome|Punkte)/);
    expect(text, path).not.toMatch(/130 [^.]*(15\s€|€15)/);
  }
});

test.each(locales)("in %s no email states a number of another programme than the one in force", async (locale) => {
  const member = await addMember(locale, 800);
  await member.as(locale)(obtainReward, { IdLoyaltyReward: 1 });
  const start = clock.now;
  const warn = ledgerJobs({ publicUrl, now: () => clock.now })["loyalty:warn"];
  for (const day of ["2026-05-05", "2026-09-05", "2027-09-05"]) {
    clock.now = new Date(`${day}T08:00:00Z`);
    await warn?.({}, database);
  }
  clock.now = start;
  const sent = await emails(member.email);
  expect(sent.map(({ cause }) => cause.split(":").slice(0, 2).join(" ")).sort()).toEqual(
    ["joined", "lapse points", "lapse status", "lapse voucher", "tier", "voucher"].map((cause) =>
      expect.stringContaining(cause),
    ),
  );
  expect(sent.find(({ cause }) => cause.startsWith("lapse:status"))?.plainText).toMatch(/\b9 (jours|days|Tage)\b/);
  for (const email of sent)
    for (const text of [email.subject, email.plainText, email.html]) expectOtherNumbers(shown(text ?? ""), email.cause);
});
