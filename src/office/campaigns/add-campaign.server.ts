import { eq, sql, TransactionRollbackError } from "drizzle-orm";
import { amountOf } from "#brand/amounts.ts";
import { defaultLocale, type Locale, offeredLocales } from "#i18n/locale.ts";
import {
  type CampaignMetric,
  campaignLimits,
  campaignPrices,
  campaigns,
} from "#loyalty/ledger/campaign.tables.server.ts";
import type { LineRule } from "#loyalty/programme/line-rule.ts";
import { valueOfPoints } from "#loyalty/programme/point-value.ts";
import { defaultProgrammeId, type FindProgramme } from "#loyalty/programme/programme.server.ts";
import { checkLineRule } from "#loyalty/programme/rules.ts";
import { writeStatement } from "#loyalty/segments/segment-statement.server.ts";
import { entryOf } from "#office/audit.server.ts";
import { readSegment } from "#office/segments/segments.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { type FieldCode, Refusal } from "#platform/refusal.ts";
import { shops } from "#shop/keys/shops.tables.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { mostExtraPoints } from "./contract.server.ts";
import { describePrice, readPrice } from "./price/price.server.ts";
import { timeErrors } from "./time-errors.server.ts";

interface Dependencies {
  database: Database;
  findProgramme: FindProgramme;
}

interface NewCampaign {
  NameFr?: string | undefined;
  NameEn?: string | undefined;
  NameDe?: string | undefined;
  TextFr?: string | undefined;
  TextEn?: string | undefined;
  TextDe?: string | undefined;
  Multiplier?: number | undefined;
  ExtraPoints?: number | undefined;
  /** In cents, as the next. */
  VoucherAmount?: number | undefined;
  VoucherDays?: number | undefined;
  MinimumAmount?: number | undefined;
  LimitPoints?: number | undefined;
  MemberLimitPoints?: number | undefined;
  /** In cents: what the points are worth on the day of the launch. */
  LimitAmount?: number | undefined;
  MemberLimitAmount?: number | undefined;
  From?: string | undefined;
  To?: string | undefined;
  IdLoyaltyTier?: number | undefined;
  IdShop?: number | undefined;
  IdleMonths?: number | undefined;
  LineRule?: LineRule | undefined;
  IdSegment?: number | undefined;
  Weekdays?: number[] | undefined;
  FromHour?: number | undefined;
  ToHour?: number | undefined;
  BirthdayDays?: number | undefined;
  /** Absent: ten. */
  ControlPercent?: number | undefined;
  ControlNote?: string | undefined;
  Metric?: CampaignMetric | undefined;
  /** How many days after its last day are measured too; absent: fourteen. */
  MeasuredDays?: number | undefined;
}

const invalid = (field: string, code: FieldCode) => new Refusal("invalid", { errors: [{ field, code }] });

/** A text in every language of the product, as the database wants it: one that the brand lacks has the default language's. */
function textsOf(asked: NewCampaign, field: "Name" | "Text"): Record<Locale, string> {
  const given = { fr: asked[`${field}Fr`], en: asked[`${field}En`], de: asked[`${field}De`] };
  const own = given[defaultLocale()] ?? "";
  return { fr: given.fr ?? own, en: given.en ?? own, de: given.de ?? own };
}
const capital = (locale: Locale) => locale.slice(0, 1).toUpperCase() + locale.slice(1);

/** Everything that is missing is said at once: of an empty form, the first field takes the focus. */
function daysOf(asked: NewCampaign): { From: string; To: string } {
  const { Multiplier, ExtraPoints, VoucherAmount, From, To } = asked;
  const texts = offeredLocales().flatMap((locale) => [`Name${capital(locale)}`, `Text${capital(locale)}`]);
  const missing = [
    ...texts.filter((field) => asked[field as "NameFr"] === undefined),
    ...((Multiplier ?? ExtraPoints ?? VoucherAmount) === undefined ? ["Multiplier"] : []),
    ...(From === undefined ? ["From"] : []),
    ...(To === undefined ? ["To"] : []),
  ];
  if (From === undefined || To === undefined || missing.length > 0)
    throw new Refusal("invalid", { errors: missing.map((field) => ({ field, code: "required" as const })) });
  return { From, To };
}

/** Two people launch it: this one asks, with what it would cost, and another approves. */
export async function addCampaign(
  { database, findProgramme }: Dependencies,
  caller: OfficeCaller,
  asked: NewCampaign,
  { now, requestId }: { now: Date; requestId: string },
) {
  const IdCampaign = await database.transaction(async (tx) => {
    const { id, after } = await writeCampaign(tx, findProgramme, caller, asked, now);
    await writeAudit(tx, entryOf(caller, { action: "campaign_added", after, requestId, at: now }));
    return id;
  });
  const price = await readPrice(database, findProgramme, IdCampaign, now);
  if (price) await database.insert(campaignPrices).values({ campaignId: IdCampaign, price });
  return { IdCampaign };
}

/** What it would cost: written, asked for and rolled back, so that it cannot differ from the price of the campaign itself. */
export async function priceCampaign(
  { database, findProgramme }: Dependencies,
  caller: OfficeCaller,
  asked: NewCampaign,
  now: Date,
) {
  const texts = { NameFr: "–", NameEn: "–", NameDe: "–", TextFr: "–", TextEn: "–", TextDe: "–" };
  const found: { price: Awaited<ReturnType<typeof readPrice>> } = { price: null };
  try {
    await database.transaction(async (tx) => {
      const { id } = await writeCampaign(tx, findProgramme, caller, { ...asked, ...texts }, now);
      found.price = await readPrice(tx, findProgramme, id, now);
      tx.rollback();
    });
  } catch (error) {
    if (!(error instanceof TransactionRollbackError)) throw error;
  }
  return describePrice(found.price);
}

/** Never retroactive: a campaign begins now, or on a day to come, and counts for sales since another person approved it. */
async function writeCampaign(
  tx: Queries,
  findProgramme: FindProgramme,
  caller: OfficeCaller,
  asked: NewCampaign,
  now: Date,
) {
  const { Multiplier, ExtraPoints, VoucherDays, MinimumAmount, IdLoyaltyTier, IdShop, IdleMonths } = asked;
  const { From, To } = daysOf(asked);
  const { LineRule = null, IdSegment, Weekdays, FromHour, ToHour, BirthdayDays } = asked;
  const [name, text] = [textsOf(asked, "Name"), textsOf(asked, "Text")];
  const given = (["Multiplier", "ExtraPoints", "VoucherAmount"] as const).filter((field) => asked[field] !== undefined);
  if (given[1]) throw invalid(given[1], "invalid");
  const never = timeErrors({ From, To, Weekdays, FromHour, ToHour }, now);
  if (never.length > 0) throw new Refusal("invalid", { errors: never });
  const { ControlPercent = 10, ControlNote, Metric, MeasuredDays = 14 } = asked;
  if (ControlPercent === 0 && !ControlNote) throw invalid("ControlNote", "required");
  const programme = await findProgramme(defaultProgrammeId, now);
  const { tiers, lineCodes } = programme;
  const errors = checkLineRule(LineRule, lineCodes, "LineRule");
  if (errors.length > 0) throw new Refusal("invalid", { errors });
  const voucher = voucherOf(asked, programme);
  const limits = limitsOf(voucher ? { ...asked, LimitAmount: undefined } : asked, programme);
  if (IdLoyaltyTier !== undefined && !tiers.some(({ id }) => id === IdLoyaltyTier)) throw new Refusal("not_found");
  const [shop] = IdShop === undefined ? [] : await tx.select().from(shops).where(eq(shops.id, IdShop));
  if (IdShop !== undefined && !shop) throw new Refusal("not_found");
  const segment = IdSegment === undefined ? undefined : await readSegment(tx, IdSegment);
  if (segment && IdSegment) await writeStatement(tx, IdSegment, segment.version, segment.definition);
  const hours = { fromHour: FromHour ?? 0, toHour: ToHour ?? 24 };
  const at = sql`${now.toISOString()}::timestamptz`;
  const [added] = await tx
    .insert(campaigns)
    .values({
      name,
      text,
      multiplierHundredths: Multiplier ?? null,
      extraPoints: ExtraPoints ?? null,
      ...voucher,
      minimumCents: MinimumAmount ?? null,
      memberLimitPoints: limits.memberLimitPoints ?? null,
      startsAt: sql`greatest(${at}, club_day_start(${From}::date))`,
      endsAt: sql`club_day_start(${To}::date + 1)`,
      tierId: IdLoyaltyTier ?? null,
      shopId: IdShop ?? null,
      idleMonths: IdleMonths ?? null,
      lineRule: LineRule && Object.keys(LineRule).length > 0 ? LineRule : null,
      ...(segment && { segmentId: IdSegment, segmentVersion: segment.version }),
      weekdays: Weekdays ?? null,
      ...(FromHour !== undefined || ToHour !== undefined ? hours : {}),
      birthdayDays: BirthdayDays ?? null,
      controlPercent: ControlPercent,
      controlNote: ControlNote ?? null,
      ...(Metric && { metric: Metric }),
      measuredUntil: sql`club_day_start(${To}::date + 1 + ${MeasuredDays}::integer)`,
      createdAt: now,
      createdBy: caller.staffId,
    })
    .returning({ id: campaigns.id });
  if (!added) throw new Error("The campaign was not written.");
  if (limits.limitPoints !== undefined)
    await tx.insert(campaignLimits).values({ campaignId: added.id, limitPoints: limits.limitPoints });
  const gives = {
    ...{ multiplier: Multiplier && Multiplier / 100, extraPoints: ExtraPoints },
    ...(voucher && { voucherAmount: amountOf(voucher.voucherCents), voucherDays: VoucherDays }),
    voucherLimit: voucher?.voucherLimit,
  };
  const least = MinimumAmount && { minimumAmount: amountOf(MinimumAmount) };
  const whom = { tier: IdLoyaltyTier, shopId: IdShop, idleMonths: IdleMonths, segment: segment?.name };
  const when = { weekdays: Weekdays?.join(", "), fromHour: FromHour, toHour: ToHour, birthdayDays: BirthdayDays };
  const judged = { controlPercent: ControlPercent, controlNote: ControlNote, metric: Metric };
  const lines = LineRule && { lineRule: LineRule };
  const after = {
    campaign: name,
    ...gives,
    ...least,
    ...limits,
    from: From,
    to: To,
    ...whom,
    ...when,
    ...lines,
    ...judged,
  };
  return { id: added.id, after };
}

/** Neither a shop nor a time of the week can be asked of members when it begins, nor has one of them several vouchers. */
const notOfVouchers = [
  ...(["IdShop", "Weekdays", "FromHour", "ToHour"] as const),
  ...(["LimitPoints", "MemberLimitPoints", "MemberLimitAmount"] as const),
] as const;

/** A voucher in place of points: no more than so many points are worth (decision 0047); a limit is a number of them. */
function voucherOf(asked: NewCampaign, programme: Parameters<typeof valueOfPoints>[0]) {
  const { VoucherAmount, VoucherDays, LimitAmount } = asked;
  if (VoucherAmount === undefined) {
    if (VoucherDays !== undefined) throw invalid("VoucherDays", "invalid");
    return undefined;
  }
  if (VoucherAmount > valueOfPoints(programme).cents(mostExtraPoints)) throw invalid("VoucherAmount", "voucher_amount");
  if (VoucherDays === undefined) throw invalid("VoucherDays", "required");
  const wrong = notOfVouchers.find((field) => asked[field] !== undefined);
  if (wrong) throw invalid(wrong, "invalid");
  const voucherLimit = LimitAmount === undefined ? undefined : Math.floor(LimitAmount / VoucherAmount);
  if (voucherLimit === 0) throw invalid("LimitAmount", "below_voucher");
  return { voucherCents: VoucherAmount, voucherDays: VoucherDays, ...(voucherLimit && { voucherLimit }) };
}

/** The most points in all and for a member; an amount is the points that are worth no more today. */
function limitsOf(asked: NewCampaign, programme: Parameters<typeof valueOfPoints>[0]) {
  const { pointsWithin } = valueOfPoints(programme);
  const pointsOf = (field: "Limit" | "MemberLimit") => {
    const [points, cents] = [asked[`${field}Points`], asked[`${field}Amount`]];
    if (cents === undefined) return points;
    const within = pointsWithin(cents);
    if (points !== undefined || within < 1 || within > 999_999) throw invalid(`${field}Amount`, "invalid");
    return within;
  };
  return { limitPoints: pointsOf("Limit"), memberLimitPoints: pointsOf("MemberLimit") };
}
