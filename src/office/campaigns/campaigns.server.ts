import { and, asc, desc, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import { clubDay } from "#i18n/club-day.ts";
import type { Locale } from "#i18n/locale.ts";
import { campaignLimits, campaignPrices, campaigns } from "#loyalty/ledger/campaign.tables.server.ts";
import { valueOfPoints } from "#loyalty/programme/point-value.ts";
import { defaultProgrammeId, type FindProgramme, moneyOf } from "#loyalty/programme/programme.server.ts";
import { segments, segmentVersions } from "#loyalty/segments/segment.tables.server.ts";
import { entryOf } from "#office/audit.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { shops } from "#shop/keys/shops.tables.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { staff } from "#staff/staff.tables.server.ts";
import { describePrice } from "./price/price.server.ts";
import { queueMeasurement, startOf } from "./results/reached.server.ts";

interface Dependencies {
  database: Database;
  findProgramme: FindProgramme;
}

/**
 * What each has cost is read from the metrics, which triggers keep (db/functions/metric_campaign.sql). A campaign is
 * approved once and ended once: the database refuses any other change (db/functions/campaign_forward.sql).
 */
export async function listCampaigns(
  { database, findProgramme }: Dependencies,
  caller: OfficeCaller,
  now: Date,
  locale: Locale,
) {
  const programme = await findProgramme(defaultProgrammeId, now);
  const { cents } = valueOfPoints(programme);
  const known = await database.select({ id: shops.id, name: shops.name }).from(shops).orderBy(asc(shops.name));
  const rows = await database
    .select({
      ...getTableColumns(campaigns),
      ...{ limitPoints: campaignLimits.limitPoints, givenPoints: campaignLimits.givenPoints },
      segmentName: segments.name,
      segmentDefinition: segmentVersions.definition,
      price: campaignPrices.price,
      addedBy: sql<string>`${staff.firstname} || ' ' || ${staff.lastname}`,
    })
    .from(campaigns)
    .leftJoin(campaignLimits, eq(campaignLimits.campaignId, campaigns.id))
    .leftJoin(segments, eq(segments.id, campaigns.segmentId))
    .leftJoin(
      segmentVersions,
      and(eq(segmentVersions.segmentId, campaigns.segmentId), eq(segmentVersions.version, campaigns.segmentVersion)),
    )
    .leftJoin(campaignPrices, eq(campaignPrices.campaignId, campaigns.id))
    .innerJoin(staff, eq(staff.id, campaigns.createdBy))
    .orderBy(desc(campaigns.startsAt), desc(campaigns.id));
  const { rows: costs } = await database.execute<{
    id: number;
    sales: string;
    points: string;
    vouchers: string;
    cents: string;
  }>(sql`
    select part as id, coalesce(sum(count) filter (where metric <> 'campaign_voucher'), 0)::bigint as sales,
      coalesce(sum(amount) filter (where metric = 'campaign'), 0)::bigint as points,
      coalesce(sum(count) filter (where metric = 'campaign_voucher'), 0)::bigint as vouchers,
      coalesce(sum(amount) filter (where metric = 'campaign_used'), 0)::bigint as cents
    from metric_all where metric in ('campaign', 'campaign_voucher', 'campaign_used') group by part`);
  return {
    Today: clubDay(now),
    Campaigns: rows.map((row) => {
      const cost = costs.find(({ id }) => id === row.id);
      const points = Number(cost?.points ?? 0);
      const { approvedAt } = row;
      const startsAt = startOf(row);
      // What never was does not end early: its days stay as they were asked.
      const endsAt = (approvedAt && row.endedAt) ?? row.endsAt;
      return {
        IdCampaign: row.id,
        Name: row.name,
        Text: row.text,
        Multiplier: row.multiplierHundredths === null ? null : row.multiplierHundredths / 100,
        ExtraPoints: row.extraPoints,
        ExtraCents: row.extraPoints === null ? null : cents(row.extraPoints),
        VoucherAmount: row.voucherCents === null ? null : moneyOf(row.voucherCents),
        VoucherDays: row.voucherDays,
        VoucherLimit: row.voucherLimit,
        Vouchers: Number(cost?.vouchers ?? 0),
        MinimumAmount: row.minimumCents === null ? null : moneyOf(row.minimumCents),
        LimitPoints: row.limitPoints,
        GivenPoints: row.givenPoints ?? 0,
        MemberLimitPoints: row.memberLimitPoints,
        StartsAt: startsAt.toISOString(),
        EndsAt: endsAt.toISOString(),
        State: stateOf(row, { startsAt, endsAt }, now),
        AddedBy: row.addedBy,
        Mine: row.createdBy === caller.staffId,
        TierName: programme.known.tiers.find(({ id }) => id === row.tierId)?.name[locale] ?? null,
        ShopName: known.find(({ id }) => id === row.shopId)?.name ?? null,
        IdleMonths: row.idleMonths,
        LineRule: row.lineRule,
        SegmentName: row.segmentName,
        SegmentDefinition: row.segmentDefinition,
        Weekdays: row.weekdays,
        FromHour: row.fromHour,
        ToHour: row.toHour,
        BirthdayDays: row.birthdayDays,
        ControlPercent: row.controlPercent,
        Price: describePrice(row.price),
        Sales: Number(cost?.sales ?? 0),
        Points: points,
        Cents: cents(points) + Number(cost?.cents ?? 0),
      };
    }),
    Tiers: programme.tiers.map(({ id, name }) => ({ IdLoyaltyTier: id, Name: name[locale] })),
    Shops: known.map(({ id, name }) => ({ IdShop: id, Name: name })),
    Segments: await database
      .select({ IdSegment: segments.id, Name: segments.name })
      .from(segments)
      .where(isNull(segments.archivedAt))
      .orderBy(asc(segments.name)),
    LineCodes: programme.lineCodes,
  };
}

function stateOf(
  { approvedAt, endedAt, endedBy, createdBy }: typeof campaigns.$inferSelect,
  { startsAt, endsAt }: { startsAt: Date; endsAt: Date },
  now: Date,
) {
  if (endedAt && !approvedAt) return endedBy === createdBy ? ("withdrawn" as const) : ("refused" as const);
  if (endsAt <= now) return "over" as const;
  if (!approvedAt) return "waiting" as const;
  return startsAt <= now ? ("running" as const) : ("planned" as const);
}

/** The second person. A campaign never changes, so it is the one they saw. */
export async function approveCampaign(
  { database }: Pick<Dependencies, "database">,
  caller: OfficeCaller,
  id: number,
  { now, requestId }: { now: Date; requestId: string },
) {
  await database.transaction(async (tx) => {
    const [found] = await tx.select().from(campaigns).where(eq(campaigns.id, id)).for("update");
    // Refused or withdrawn, whatever the clock of the process that wrote it said.
    if (!found || found.endedAt || found.endsAt <= now) throw new Refusal("not_found");
    if (found.approvedAt) throw new Refusal("already_decided");
    if (found.createdBy === caller.staffId) throw new Refusal("second_person");
    await tx.update(campaigns).set({ approvedAt: now, approvedBy: caller.staffId }).where(eq(campaigns.id, id));
    await queueMeasurement(tx, { ...found, approvedAt: now });
    const after = { campaign: found.name, askedBy: found.createdBy };
    await writeAudit(tx, entryOf(caller, { action: "campaign_approved", after, requestId, at: now }));
  });
}

/** Ends a campaign early; one that no one has approved is refused, or withdrawn by who asked. Of two people who do, the second finds it ended. */
export async function endCampaign(
  { database }: Pick<Dependencies, "database">,
  caller: OfficeCaller,
  id: number,
  { now, requestId }: { now: Date; requestId: string },
) {
  await database.transaction(async (tx) => {
    const [ended] = await tx
      .update(campaigns)
      .set({ endedAt: now, endedBy: caller.staffId })
      .where(and(eq(campaigns.id, id), isNull(campaigns.endedAt), sql`${campaigns.endsAt} > ${now.toISOString()}`))
      .returning();
    if (!ended) throw new Refusal("not_found");
    const campaign = ended.name;
    const done = { requestId, at: now };
    if (!ended.approvedAt) {
      const action = ended.createdBy === caller.staffId ? "campaign_withdrawn" : "campaign_refused";
      const after = { campaign, askedBy: ended.createdBy };
      return writeAudit(tx, entryOf(caller, { action, after, ...done }));
    }
    const [before, after] = [
      // It ends at the midnight after its last day.
      { campaign, to: clubDay(new Date(ended.endsAt.getTime() - 1)) },
      { campaign, to: clubDay(now) },
    ];
    await writeAudit(tx, entryOf(caller, { action: "campaign_ended", before, after, ...done }));
  });
}
