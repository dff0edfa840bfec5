import type { TextId } from "#i18n/texts.ts";

/** What the values of an entry of the audit log are called, in the order in which they are read. */
export const detailTexts: Record<string, TextId> = {
  request: "office.detail.request",
  step: "office.move.step",
  package: "office.move.package",
  acceptRejected: "office.move.rejected",
  kind: "office.shops.kind",
  staffId: "office.detail.staff",
  name: "office.team.name",
  city: "office.shops.city",
  role: "office.team.role",
  shopId: "office.team.shop",
  ownCustomerId: "office.people.card",
  prefix: "office.detail.key",
  scopes: "office.keys.scopes",
  by: "office.detail.by",
  receipt: "office.conflict.receipt",
  ofShop: "office.team.shop",
  ofReceipt: "office.detail.of_receipt",
  soldAt: "office.conflict.soldAt",
  soldBy: "office.detail.sold_by",
  letter: "office.resend.letter",
  reward: "office.give.reward",
  voucher: "office.give.reward",
  valueCents: "office.detail.value",
  agreedBy: "office.detail.agreed_by",
  points: "office.adjust.points",
  earned: "office.detail.earned",
  taken: "office.detail.taken",
  restored: "office.detail.restored",
  moved: "office.detail.moved",
  giftTaken: "office.merge.gift",
  balance: "office.customer.balance",
  debt: "office.detail.debt",
  vouchers: "office.customer.vouchers",
  reissued: "office.detail.reissued",
  repeated: "office.detail.repeated",
  other: "office.merge.other",
  choices: "office.detail.choices",
  fields: "office.detail.fields",
  erase: "office.do.erase",
  blocked: "office.detail.blocked",
  ended: "office.detail.ended",
  closed: "office.shops.closed",
  tills: "office.shops.tills",
  keys: "office.shops.keys",
  sessions: "office.detail.sessions",
  cardEnding: "office.detail.card_ending",
  phoneLost: "office.card.phoneLost",
  rows: "office.detail.shown",
  estimatedRows: "office.detail.rows",
  searched: "office.detail.searched",
  client: "office.menu.clients",
  redirectUris: "office.client.uris",
  endpoint: "office.detail.endpoint",
  endpointId: "office.detail.endpoint",
  deliveryId: "office.detail.delivery",
  origin: "office.webhook.url",
  events: "office.webhook.events",
  campaign: "office.campaigns.name",
  multiplier: "office.campaigns.multiplier",
  extraPoints: "office.campaigns.extraPoints",
  voucherAmount: "office.campaigns.voucherAmount",
  voucherDays: "office.campaigns.voucherDays",
  voucherLimit: "office.campaigns.voucherLimitField",
  minimumAmount: "office.campaigns.minimumField",
  limitPoints: "office.campaigns.limitField",
  memberLimitPoints: "office.campaigns.memberLimitField",
  from: "office.campaigns.from",
  to: "office.campaigns.to",
  tier: "office.campaigns.tierField",
  idleMonths: "office.campaigns.idleField",
  weekdays: "office.campaigns.weekdays",
  fromHour: "office.campaigns.fromHour",
  toHour: "office.campaigns.toHour",
  birthdayDays: "office.campaigns.birthdayField",
  lineRule: "office.campaigns.linesField",
  controlPercent: "office.campaigns.control",
  percent: "office.holdOut.percent",
  controlNote: "office.campaigns.controlNote",
  metric: "office.campaigns.metric",
  version: "office.programme.version",
  revision: "office.detail.revision",
  label: "office.programme.name",
  startsAt: "office.programme.start",
  changed: "office.detail.changed",
  simulation: "office.detail.simulation",
  askedBy: "office.detail.asked_by",
  month: "office.detail.month",
  redemption: "office.detail.redemption",
  segment: "office.segments.name",
  sends: "office.segments.sends",
  channel: "office.segments.channel",
  columns: "office.segments.columns",
  definition: "office.segments.definition",
};

/** The parts of a programme that a draft changed. */
const ruleTexts: Record<string, TextId> = {
  welcomePoints: "office.programme.rule.gift",
  pointsPerEuro: "office.programme.rule.per_euro",
  pointsValidMonths: "office.programme.rule.validity",
  tierMonths: "office.programme.rule.period",
  pendingDays: "office.programme.rule.pending",
  reviewAmountCents: "office.programme.rule.review_amount",
  reviewPerDay: "office.programme.rule.review_per_day",
  adjustCustomerPoints: "office.programme.rule.adjust_points",
  adjustCustomerCents: "office.programme.rule.adjust_amount",
  adjustStaffPoints: "office.programme.rule.adjust_staff",
  referral: "office.programme.referral",
  earnsOn: "office.lines.earnsOn",
  lineCodes: "office.lines.codes",
  tiers: "office.programme.part.tiers",
  rewards: "office.programme.part.rewards",
  events: "office.programme.part.events",
  contactEmail: "office.programme.contactEmail",
  contactPhone: "office.programme.contactPhone",
  contactHours: "office.programme.contactHours",
};

/** A value before and after; `was` only where it is another now. */
export interface Detail {
  name: string;
  text: TextId | undefined;
  was: unknown;
  is: unknown;
}

const isNothing = (value: unknown) => value === undefined || value === null || value === false;
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What an entry says of before and after, each value once. What was so before and is not named afterwards did not change. */
export function detailsOf(before: unknown, after: unknown): Detail[] {
  const [was, is] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
  const rules = isRecord(is["changed"]) ? compare(was["changed"], is["changed"], ruleTexts) : [];
  return [...compare(was, is, detailTexts).filter(({ name, is }) => name !== "changed" || !isRecord(is)), ...rules];
}

function compare(before: unknown, after: unknown, texts: Record<string, TextId>): Detail[] {
  const [was, is] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
  // The database keeps the values in an order of its own. A name without words is of a newer release, or of a command.
  const names = [...new Set([...Object.keys(texts), ...Object.keys(was), ...Object.keys(is)])];
  return names.flatMap((name) => {
    const changed = name in is && JSON.stringify(was[name]) !== JSON.stringify(is[name]);
    const detail = {
      name,
      text: texts[name],
      was: changed ? was[name] : undefined,
      is: name in is ? is[name] : was[name],
    };
    return isNothing(detail.was) && isNothing(detail.is) ? [] : [detail];
  });
}
