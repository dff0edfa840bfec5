import { eq } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import {
  type CampaignMetric,
  campaignResults,
  campaigns,
  type MeasuredGroup,
} from "#loyalty/ledger/campaign.tables.server.ts";
import { valueOfPoints } from "#loyalty/programme/point-value.ts";
import { defaultProgrammeId, type FindProgramme } from "#loyalty/programme/programme.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { startOf } from "./reached.server.ts";
import { type holdOutLabels, resultChart } from "./result-chart.server.tsx";
import { compareMeans, meanInterval } from "./welch.ts";

const weekMilliseconds = 7 * 24 * 3_600_000;
/** Beyond a year nobody waits: there is no difference that could be told. */
const mostWeeks = 52;

/** What a campaign brought, compared with members who did not get it. Until its window ends, only that it runs. */
export async function readResult(
  { database, findProgramme }: { database: Database; findProgramme: FindProgramme },
  id: number,
  { now, locale }: { now: Date; locale: Locale },
) {
  const [found] = await database
    .select({ campaign: campaigns, groups: campaignResults.result })
    .from(campaigns)
    .leftJoin(campaignResults, eq(campaignResults.campaignId, campaigns.id))
    .where(eq(campaigns.id, id));
  if (!found?.campaign.approvedAt) throw new Refusal("not_found");
  const { campaign, groups } = found;
  const [from, until] = [startOf(campaign), campaign.measuredUntil ?? campaign.endsAt];
  const running = until > now || !groups;
  return {
    Name: campaign.name,
    State: running ? ("running" as const) : ("measured" as const),
    Metric: campaign.metric,
    From: from.toISOString(),
    Until: until.toISOString(),
    ControlPercent: campaign.controlPercent,
    ControlNote: campaign.controlNote,
    Voucher: campaign.voucherCents !== null,
    ...(running ? nothing : await judgeGroups(findProgramme, groups, { from, until, metric: campaign.metric, locale })),
  };
}

/** Both groups compared, in words for the page and as a chart; points cost what they were worth when the window ended. */
export async function judgeGroups(
  findProgramme: FindProgramme,
  groups: readonly MeasuredGroup[],
  window: { from: Date; until: Date; metric: CampaignMetric; locale: Locale },
  labels?: typeof holdOutLabels,
) {
  const { from, until, metric, locale } = window;
  const { cents } = valueOfPoints(await findProgramme(defaultProgrammeId, until));
  return {
    ...judge(groups, cents, (until.getTime() - from.getTime()) / weekMilliseconds),
    Chart: drawResult(groups, metric, locale, labels),
  };
}

const nothing = {
  Groups: [],
  Difference: null,
  Verdict: null,
  MoreWeeks: null,
  CostCents: null,
  CostPerMemberCents: null,
  Chart: null,
};

function judge(groups: readonly MeasuredGroup[], centsOf: (points: number) => number, weeks: number) {
  const reached = groups.find(({ control }) => !control);
  const control = groups.find((group) => group.control);
  const compared = reached && control && compareMeans(reached, control);
  const cost = centsOf(reached?.points ?? 0) + (reached?.voucherCents ?? 0);
  return {
    Groups: groups.map(({ control: Control, members: Members, mean: Mean, revenueCents: RevenueCents }) => ({
      ...{ Control, Members, Mean, RevenueCents },
    })),
    Difference: compared ? { Value: compared.difference, Low: compared.low, High: compared.high } : null,
    Verdict: verdictOf(compared),
    MoreWeeks: compared ? moreWeeks(compared, weeks) : null,
    CostCents: cost,
    CostPerMemberCents: reached ? Math.round(cost / reached.members) : 0,
  };
}

function drawResult(
  groups: readonly MeasuredGroup[],
  metric: CampaignMetric,
  locale: Locale,
  labels?: typeof holdOutLabels,
): string | null {
  const reached = groups.find(({ control }) => !control);
  const control = groups.find((group) => group.control);
  const compared = reached && control && compareMeans(reached, control);
  if (!compared) return null;
  const { difference: value, low, high } = compared;
  const rows = { reached: meanInterval(reached), control: meanInterval(control), difference: { value, low, high } };
  return resultChart(rows, metric, locale, labels);
}

type Compared = NonNullable<ReturnType<typeof compareMeans>>;

function verdictOf(compared: Compared | undefined) {
  if (!compared) return "too_few" as const;
  if (compared.low > 0) return "more" as const;
  return compared.high < 0 ? ("less" as const) : ("unclear" as const);
}

/** How much longer it would have taken to tell a difference like this one: the interval shrinks with the root of the time. */
function moreWeeks({ difference, high }: Compared, weeks: number): number | null {
  const margin = high - difference;
  if (margin < Math.abs(difference)) return null;
  const more = Math.ceil(weeks * ((margin / difference) ** 2 - 1));
  return more <= mostWeeks ? Math.max(1, more) : null;
}
