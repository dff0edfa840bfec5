import { Link, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { amountOf } from "#brand/amounts.ts";
import { tagOf } from "#i18n/club-day.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/campaigns/calls.ts";
import { leastMembers } from "#office/campaigns/results/welch.ts";
import { writeEnd, writeValue } from "#office/campaigns/results/write-value.ts";
import { type Column, List } from "#office/screen/controls/list.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { PageHead } from "#office/screen/page.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { useExactMoney } from "#till/screen/use-exact-money.ts";

export function loadCampaignResult({ request }: LoaderFunctionArgs) {
  const IdCampaign = new URL(request.url).searchParams.get("id") ?? "";
  return browserCall(calls.readResult, { IdCampaign });
}
type Result = ResponseBody<typeof calls.readResult>;
type Group = Result["Groups"][number];

/** What a campaign brought: one sentence that says what to do, and both groups side by side. */
export function CampaignResult() {
  const { t, locale, number } = useTexts();
  const { days, moment, percent } = useFormats();
  const result = useLoaderData<typeof loadCampaignResult>();
  const exactMoney = useExactMoney();
  const write = useValue(result.Metric);
  const { Groups, CostCents, CostPerMemberCents, State, Until } = result;
  const nameOf = ({ Control }: Group) => t(Control ? "office.result.control" : "office.result.reached");
  const perMember = ({ RevenueCents, Members }: Group) => amountOf(Math.round(RevenueCents / Members));
  // Beside another metric.
  const showsRevenue = result.Metric !== "revenue";
  const columns: Column<Group>[] = [
    { heading: t("office.result.group"), value: nameOf },
    { heading: t("office.result.members"), number: true, value: ({ Members }) => Members },
    { heading: t(`office.result.metric.${result.Metric}`), number: true, value: ({ Mean }) => write(Mean) },
    ...(showsRevenue
      ? [
          {
            heading: t("office.result.revenue"),
            number: true as const,
            value: (group: Group) => Number(perMember(group)),
          },
        ]
      : []),
  ];
  const period = t("office.result.period", { days: days(result.From, Until) });
  const note = [period, t(`office.result.metric.${result.Metric}`)].join(" · ");
  return (
    <>
      <PageHead title={result.Name[locale]} note={note}>
        <Link className="button" to="/campaigns">
          {t("office.menu.campaigns")}
        </Link>
      </PageHead>
      <p className="banner" role="status">
        {State === "running" ? t("office.result.running", { date: moment(Until) }) : <Verdict result={result} />}
      </p>
      {CostCents !== null && (
        <p>
          {t(result.Voucher ? "office.result.voucherCost" : "office.result.cost", {
            cost: exactMoney(amountOf(CostCents)),
            each: exactMoney(amountOf(CostPerMemberCents ?? 0)),
          })}
        </p>
      )}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own server drew it, and escapes every text in it. */}
      {result.Chart && <div className="campaign-chart" dangerouslySetInnerHTML={{ __html: result.Chart }} />}
      <p className="note">
        {result.ControlPercent > 0
          ? t("office.result.how", { percent: percent(result.ControlPercent / 100) })
          : t("office.result.without", { note: result.ControlNote ?? "" })}
      </p>
      {Groups.length > 0 && (
        <List
          label={t("office.result.groups")}
          rows={Groups}
          columns={columns}
          empty=""
          csvName="campaign-result.csv"
          row={(group) => (
            <tr key={nameOf(group)}>
              <td>{nameOf(group)}</td>
              <td className="number">{number(group.Members)}</td>
              <td className="number">{write(group.Mean)}</td>
              {showsRevenue && <td className="number">{exactMoney(perMember(group))}</td>}
            </tr>
          )}
        />
      )}
    </>
  );
}

/** For a reader who knows no statistics: what it brought, and what to do. */
function Verdict({ result }: { result: Result }) {
  const texts = useTexts();
  const { t, locale } = texts;
  const exactMoney = useExactMoney();
  const write = useValue(result.Metric);
  const end = (value: number) => writeEnd(result.Metric, value, texts);
  const tenths = new Intl.NumberFormat(tagOf(locale), { maximumFractionDigits: 1 }).format;
  const { Difference, Verdict: verdict, MoreWeeks, ControlPercent, Metric } = result;
  if (ControlPercent === 0) return t("office.result.unknown");
  if (!Difference || verdict === "too_few" || verdict === null)
    return t("office.result.too_few", { least: leastMembers });
  const { Value, Low, High } = Difference;
  if (verdict === "unclear")
    return MoreWeeks === null
      ? t(Metric === "returning" ? "office.result.sameShare" : "office.result.same", { low: end(Low), high: end(High) })
      : t("office.result.unclear", { weeks: MoreWeeks });
  // Of 100 members so many: a part of them as a percentage would read as a growth by so much.
  const told = (value: number) => (Metric === "returning" ? tenths(100 * value) : write(value));
  if (verdict === "less")
    return t(`office.result.less.${Metric}`, { value: told(-Value), low: told(-High), high: told(-Low) });
  const costCents = result.CostPerMemberCents ?? 0;
  return t(result.Voucher && Metric === "revenue" ? "office.result.more.voucher" : `office.result.more.${Metric}`, {
    ...{ value: told(Value), low: told(Low), high: told(High), cost: exactMoney(amountOf(costCents)) },
    // What a purchase, or a member who buys, has cost more than the control group's.
    each: exactMoney(amountOf(Math.round(costCents / Value))),
  });
}

function useValue(metric: Result["Metric"]) {
  const texts = useTexts();
  return (value: number) => writeValue(metric, value, texts);
}
