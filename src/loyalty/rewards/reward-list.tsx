import { useEffect, useRef } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { useCustomer } from "#identity/session/browser/session.ts";
import type { listRewards } from "#loyalty/calls.ts";
import { obtainedFragment } from "#loyalty/paths.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import type { Refused } from "#platform/api/client/form.ts";
import { Submit } from "#ui/form/form.tsx";
import { Done, PageForm, RefusedText } from "#ui/form/page-form.tsx";
import { Icon } from "#ui/icon.tsx";
import { Section } from "#ui/section.tsx";
import { ObtainedTicket, type Voucher } from "./voucher-list.tsx";

/** Six digits to tell at a till. */
export interface TillCode {
  code: string;
  expiresAt: string;
}

type Reward = ResponseBody<typeof listRewards>["Rewards"][number];

export function RewardList(props: {
  rewards: Reward[];
  idempotencyKey: string;
  refused: Refused | undefined;
  /** The voucher that was obtained just now. */
  obtained: Voucher | undefined;
  /** The link that confirms the address was sent again. */
  resent: boolean;
  /** It was made just now. */
  tillCode: TillCode | undefined;
}) {
  const { t } = useTexts();
  const { obtained, refused } = props;
  const person = useCustomer();
  const refusedNow = refused?.problem?.code === "email_unconfirmed";
  const confirmed = person?.EmailVerified === true && !refusedNow;
  return (
    <Section id="rewards" title={t("member.rewards")}>
      {!confirmed && <ConfirmFirst refused={refused} resent={props.resent} alert={refusedNow} />}
      <ul className="-mt-2">
        {props.rewards.map((reward) => (
          // The key changes with each voucher, so that the rows are mounted again, closed: the next purchase asks again.
          <RewardRow
            key={`${reward.IdLoyaltyReward}.${obtained?.IdCustomerReward ?? 0}`}
            reward={reward}
            confirmed={confirmed}
            idempotencyKey={props.idempotencyKey}
            refused={refused}
          />
        ))}
      </ul>
      {confirmed && props.rewards.some(({ Obtainable }) => Obtainable) && (
        <ForTill code={props.tillCode} refused={refused} />
      )}
    </Section>
  );
}

/** At a till the card is scanned; where that does not work, a code says that it is the customer who changes points. */
function ForTill({ code, refused }: { code: TillCode | undefined; refused: Refused | undefined }) {
  const { t, time } = useTexts();
  return (
    <PageForm intent="tillCode" refused={refused} className="space-y-3 pt-6">
      <p className="text-sm text-soft">{t("member.rewardAtTill")}</p>
      <div role="status" className={code ? "bg-linen p-5" : "sr-only"}>
        {code && (
          <>
            <strong className="tabular-nums block font-display text-4xl leading-tight">
              {code.code.slice(0, 3)} {code.code.slice(3)}
            </strong>
            {t("member.rewardCodeUntil", { time: time(code.expiresAt) })}
          </>
        )}
      </div>
      <Submit className="button small">{t(code ? "member.rewardCodeAgain" : "member.rewardCode")}</Submit>
    </PageForm>
  );
}

/** Shown before a reward is refused: only customers with a confirmed address can spend points. */
function ConfirmFirst({ refused, resent, alert }: { refused: Refused | undefined; resent: boolean; alert: boolean }) {
  const { t } = useTexts();
  return (
    <div className="mb-6 space-y-4 bg-linen p-5">
      {!resent && <p role={alert ? "alert" : undefined}>{t("member.confirmFirst")}</p>}
      <Done text={resent && "account.resent"} />
      <PageForm intent="resend" refused={refused} className="space-y-3">
        <Submit className="button small">{t("account.resend")}</Submit>
      </PageForm>
    </div>
  );
}

/** The voucher just obtained. Focus and scroll position move to it, so that a screen reader reads it out. */
export function Obtained({ voucher }: { voucher: Voucher }) {
  const { t, money } = useTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.parentElement?.scrollIntoView();
  }, []);
  return (
    <div
      id={obtainedFragment}
      className="voucher-obtained relative mt-6 max-w-[32rem] scroll-mt-24 overflow-clip border border-ink pt-2"
    >
      <span aria-hidden="true" className="cloth cloth-silk voucher-hem" />
      <h2
        ref={heading}
        tabIndex={-1}
        className="flex items-center gap-3 bg-linen px-5 py-3 font-sans text-base leading-snug tracking-normal outline-none"
      >
        <Icon name="check" className="size-4 shrink-0 text-success" />
        {t("member.rewardObtained", { amount: money(voucher.Value.Amount) })}
      </h2>
      <ObtainedTicket voucher={voucher} />
    </div>
  );
}

/** Opening the row asks for confirmation; only the second button spends points. */
function RewardRow({
  reward,
  confirmed,
  idempotencyKey,
  refused,
}: {
  reward: Reward;
  confirmed: boolean;
  idempotencyKey: string;
  refused: Refused | undefined;
}) {
  const { t, number, money } = useTexts();
  const amount = money(reward.Value.Amount);
  const points = t("card.pointsCount", { count: reward.Points, formatted: number(reward.Points) });
  const unconfirmed = refused?.problem?.code === "email_unconfirmed";
  // What the list says above its rewards is not repeated beside one of them.
  const mine =
    refused?.values["IdLoyaltyReward"] === String(reward.IdLoyaltyReward) && !unconfirmed ? refused : undefined;
  const head = (
    <span className="min-w-0">
      <span className="block font-display text-4xl leading-tight">{amount}</span>
      <span className="tabular-nums block text-sm text-soft">
        {reward.Obtainable ? points : t("member.rewardMissing", { points, missing: number(reward.PointsMissing) })}
      </span>
    </span>
  );
  if (!reward.Obtainable || !confirmed)
    return (
      <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-b py-4">
        {head}
        <button type="button" className="button small" disabled>
          {t("member.obtainShort")}
        </button>
        {mine && <RefusedText refused={mine} className="basis-full" />}
      </li>
    );
  return (
    <li className="border-line border-b">
      <details name="reward" className="group/reward" open={mine ? true : undefined}>
        <summary className="flex list-none flex-wrap items-center justify-between gap-x-4 gap-y-2 py-4">
          {head}
          <span className="button small group-open/reward:hidden">{t("member.obtain", { amount })}</span>
          <span className="button small hidden group-open/reward:inline-flex">{t("shell.cancel")}</span>
        </summary>
        <PageForm
          intent="reward"
          subject={reward.IdLoyaltyReward}
          idempotencyKey={idempotencyKey}
          refused={mine}
          className="space-y-4 pb-6"
        >
          <input type="hidden" name="IdLoyaltyReward" value={reward.IdLoyaltyReward} />
          <input type="hidden" name="Points" value={reward.Points} />
          <input type="hidden" name="Value" value={reward.Value.Amount} />
          <p>{t("member.obtainAsk", { points, amount, days: reward.ValidDays })}</p>
          <Submit>{t("member.obtainConfirm", { amount })}</Submit>
        </PageForm>
      </details>
    </li>
  );
}
