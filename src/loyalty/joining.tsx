import { useTexts } from "#i18n/use-texts.tsx";
import { BirthdayField } from "#identity/birthday-field.tsx";
import { useCustomer } from "#identity/session.ts";
import type { Answer } from "#platform/api.ts";
import type { Refused } from "#platform/form.ts";
import { Cloth } from "#ui/cloth.tsx";
import { Submit } from "#ui/form.tsx";
import type { readProgramme } from "./calls.ts";
import { ClubForm } from "./club-form.tsx";
import type { Standing } from "./standing.ts";
import { Benefits } from "./tier-tiles.tsx";

/** The door: for who has never been a member, and for who has left and may come back. */
export function Joining(props: {
  customer: Standing;
  programme: Answer<typeof readProgramme>;
  /** Has been a member before: points and card wait, and there is no second gift. */
  asleep: boolean;
  idempotencyKey: string;
  refused: Refused | undefined;
}) {
  const { t, number, money } = useTexts();
  const person = useCustomer();
  const { customer, programme, asleep } = props;
  const welcome = number(programme.WelcomePoints);
  const { Available: waiting } = customer.Points;
  return (
    <div className="grid gap-10 xl:grid-cols-2">
      <div>
        <h1 className="text-[clamp(2.25rem,5vw,3.25rem)]">{t(asleep ? "member.asleepTitle" : "member.joinTitle")}</h1>
        <p className="mt-4 max-w-[34rem] text-[1.0625rem] text-soft">
          {asleep
            ? t("member.asleepText", { count: waiting, formatted: number(waiting) })
            : t("member.joinText", { points: welcome, amount: money(programme.Rewards[0]?.Value.Amount ?? 0) })}
        </p>
        <div className="mt-8 max-w-[27.5rem]">
          <ClubForm intent="join" idempotencyKey={props.idempotencyKey} refused={props.refused}>
            {asleep && <input type="hidden" name="Returning" value="true" />}
            {!person?.Birthday && (
              <>
                <BirthdayField name="CustomerBirthday" />
                <p className="text-[0.875rem] text-soft">{t("member.joinBirthday")}</p>
              </>
            )}
            <Submit>{asleep ? t("member.asleepSubmit") : t("member.joinSubmit", { points: welcome })}</Submit>
          </ClubForm>
        </div>
      </div>
      {!asleep && (
        <div className="relative isolate self-start overflow-hidden border border-line">
          <div className="relative h-32">
            <Cloth name="cotton" />
          </div>
          <div className="p-6">
            <Benefits benefits={programme.Tiers[0]?.Benefits ?? []} />
          </div>
        </div>
      )}
    </div>
  );
}
