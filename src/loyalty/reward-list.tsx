import { useTexts } from "#i18n/use-texts.tsx";
import type { Answer } from "#platform/api.ts";
import type { Refused } from "#platform/form.ts";
import { RefusedText, Submit } from "#ui/form.tsx";
import { Section } from "#ui/section.tsx";
import type { listRewards } from "./calls.ts";
import { ClubForm } from "./club-form.tsx";

type Reward = Answer<typeof listRewards>["Rewards"][number];

export function RewardList(props: { rewards: Reward[]; idempotencyKey: string; refused: Refused | undefined }) {
  const { t } = useTexts();
  return (
    <Section title={t("member.rewards")}>
      <ul className="-mt-2">
        {props.rewards.map((reward) => (
          <RewardRow key={reward.IdLoyaltyReward} reward={reward} {...props} />
        ))}
      </ul>
    </Section>
  );
}

/** Opening the row asks once more; only the second button spends points. */
function RewardRow({
  reward,
  idempotencyKey,
  refused,
}: {
  reward: Reward;
  idempotencyKey: string;
  refused: Refused | undefined;
}) {
  const { t, number, money } = useTexts();
  const amount = money(reward.Value.Amount);
  const points = t("card.pointsCount", { count: reward.Points, formatted: number(reward.Points) });
  const mine = refused?.values["IdLoyaltyReward"] === String(reward.IdLoyaltyReward) ? refused : undefined;
  const head = (
    <span className="min-w-0">
      <span className="block font-display text-[1.75rem] leading-tight">{amount}</span>
      <span className="figures block text-[0.875rem] text-soft">
        {reward.Obtainable ? points : t("member.rewardMissing", { points, missing: number(reward.PointsMissing) })}
      </span>
    </span>
  );
  if (!reward.Obtainable)
    return (
      <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-b py-4">
        {head}
        <button type="button" className="button button-outline button-small" disabled>
          {t("member.obtainShort")}
        </button>
        {mine && <RefusedText refused={mine} className="basis-full" />}
      </li>
    );
  return (
    <li className="border-line border-b">
      <details name="reward" className="group/reward" open={mine ? true : undefined}>
        <summary className="flex list-none items-center justify-between gap-4 py-4">
          {head}
          <span className="button button-solid button-small group-open/reward:hidden">
            {t("member.obtain", { amount })}
          </span>
          <span className="button button-outline button-small hidden group-open/reward:inline-flex">
            {t("shell.cancel")}
          </span>
        </summary>
        <ClubForm
          intent="reward"
          subject={reward.IdLoyaltyReward}
          idempotencyKey={idempotencyKey}
          refused={mine}
          className="space-y-4 pb-6"
        >
          <input type="hidden" name="IdLoyaltyReward" value={reward.IdLoyaltyReward} />
          <p>{t("member.obtainAsk", { points, amount })}</p>
          <Submit>{t("member.obtainConfirm", { amount })}</Submit>
        </ClubForm>
      </details>
    </li>
  );
}
