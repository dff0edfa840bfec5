import { useTexts } from "#i18n/use-texts.tsx";
import { reasons } from "#office/customers/choices.ts";
import { keyScopes } from "#office/screen/shops/key-scopes.ts";
import { useFormats } from "#office/screen/use-formats.ts";
import { roles } from "./role-fields.tsx";
import type { Person } from "./team.tsx";

const people = ["askedBy", "soldBy", "staffId"];

/** Why it was done, and what was so before and after. The values are ids, numbers and choices. */
export function EntryDetails({
  reason,
  before,
  after,
  staff,
}: {
  reason: string | null;
  before: unknown;
  after: unknown;
  staff: readonly Person[];
}) {
  const { t } = useTexts();
  const describe = useDescribe(staff);
  const [was, is] = [describe(before), describe(after)];
  const choice = reasons.find((one) => one === reason);
  return (
    <>
      {choice ? t(`office.reason.${choice}`) : reason}
      {(was || is) && (
        <p className="note">
          {was && <del>{was}</del>} {is}
        </p>
      )}
    </>
  );
}

function useDescribe(staff: readonly Person[]) {
  const { t } = useTexts();
  const { day, time } = useFormats();
  const names: Record<string, string> = {
    askedBy: t("office.detail.asked_by"),
    balance: t("office.customer.balance"),
    blocked: t("office.customers.blocked"),
    by: t("office.detail.by"),
    campaign: t("office.campaigns.name"),
    city: t("office.shops.city"),
    changed: t("office.programme.differences"),
    debt: t("office.detail.debt"),
    earned: t("office.detail.earned"),
    endpoint: t("office.detail.endpoint"),
    erase: t("office.do.erase"),
    events: t("office.webhook.events"),
    extraPoints: t("office.campaigns.extraPoints"),
    from: t("office.campaigns.from"),
    giftTaken: t("office.merge.gift"),
    idleMonths: t("office.campaigns.idleField"),
    kind: t("office.shops.kind"),
    label: t("office.programme.name"),
    letter: t("office.resend.letter"),
    minimumAmount: t("office.campaigns.minimumField"),
    moved: t("office.detail.moved"),
    multiplier: t("office.campaigns.multiplier"),
    name: t("office.team.name"),
    ofReceipt: t("office.detail.of_receipt"),
    ofShop: t("office.team.shop"),
    origin: t("office.webhook.url"),
    other: t("office.merge.other"),
    ownCustomerId: t("office.people.card"),
    points: t("office.adjust.points"),
    prefix: t("office.detail.key"),
    receipt: t("office.conflict.receipt"),
    reissued: t("office.detail.reissued"),
    repeated: t("office.detail.repeated"),
    request: t("office.detail.request"),
    revision: t("office.detail.revision"),
    role: t("office.team.role"),
    scopes: t("office.keys.scopes"),
    sessions: t("office.detail.sessions"),
    shopId: t("office.team.shop"),
    simulation: t("office.detail.simulation"),
    soldAt: t("office.conflict.soldAt"),
    soldBy: t("office.detail.sold_by"),
    staffId: t("office.detail.staff"),
    startsAt: t("office.programme.start"),
    taken: t("office.detail.taken"),
    tier: t("office.campaigns.tierField"),
    to: t("office.campaigns.to"),
    version: t("office.programme.version"),
    voucher: t("office.give.reward"),
    vouchers: t("office.customer.vouchers"),
  };
  const kinds: Record<string, string> = {
    boutique: t("office.shopKind.boutique"),
    web: t("office.shopKind.web"),
    erase: t("office.do.erase"),
    merge: t("office.do.merge"),
    points: t("office.adjust.title"),
    voucher: t("office.give.title"),
  };
  const ways: Record<string, string> = {
    code: t("office.detail.by_code"),
    passkey: t("office.detail.by_passkey"),
    sandbox: t("office.detail.by_sandbox"),
  };
  const shown = (name: string, value: unknown): string => {
    const text = String(value);
    const scopes = name === "scopes" && Array.isArray(value) ? keyScopes.filter((one) => value.includes(one)) : [];
    if (scopes.length > 0) return scopes.map((scope) => t(`office.scope.${scope}`)).join(", ");
    if (typeof value === "object") return JSON.stringify(value);
    const person = people.includes(name) && staff.find(({ IdStaff }) => String(IdStaff) === text);
    if (person) return `${person.Firstname} ${person.Lastname}`;
    if (name === "kind" && kinds[text]) return kinds[text];
    const role = name === "role" && roles.find((one) => one === text);
    if (role) return t(`office.role.${role}`);
    if (name === "events" && text === "all") return t("office.webhook.allEvents");
    if (name === "soldAt" || name === "startsAt") return `${day(text)} ${time(text)}`;
    return (name === "by" && ways[text]) || text;
  };
  // A name that has no words, of a newer release or a command, is shown as it was written.
  return (of: unknown): string =>
    Object.entries(of ?? {})
      .filter(([, value]) => value !== null && value !== false)
      .map(([name, value]) => (value === true ? (names[name] ?? name) : `${names[name] ?? name} ${shown(name, value)}`))
      .join(", ");
}
