import { useSearchParams } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { BirthdayField } from "#identity/fields/birthday-field.tsx";
import { LegalLinks } from "#identity/fields/legal-links.tsx";
import { friendCode } from "#identity/paths.ts";
import { useCustomer } from "#identity/session/browser/session.ts";
import type { LoyaltyCustomer, readProgramme } from "#loyalty/calls.ts";
import { FadedCard } from "#loyalty/card/sample-card.tsx";
import { Benefits } from "#loyalty/programme/tier-tiles.tsx";
import { useWelcomeGift } from "#loyalty/programme/use-welcome-gift.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import type { Refused } from "#platform/api/client/form.ts";
import { Drape } from "#ui/fabric/drape.tsx";
import { Submit } from "#ui/form/form.tsx";
import { PageForm } from "#ui/form/page-form.tsx";
import { PageTitle } from "#ui/page-title.tsx";
import { useKeptPoints } from "./kept-points.ts";

/** For a customer who has never been a member, and for one who has left and may return. */
export function JoinForm(props: {
  customer: LoyaltyCustomer;
  programme: ResponseBody<typeof readProgramme>;
  /** Has been a member before: points and card were kept, and there is no second gift. */
  returning: boolean;
  /** Came to save the card to a wallet, but has no card yet. */
  walletWanted: boolean;
  idempotencyKey: string;
  refused: Refused | undefined;
}) {
  const { t, number } = useTexts();
  const person = useCustomer();
  const { customer, programme, returning } = props;
  // A refused form has left the address of the link.
  const friend = friendCode(useSearchParams()[0]) || props.refused?.values["ReferralCode"];
  const { Available: available } = customer.Points;
  const gift = useWelcomeGift(programme);
  const keptPoints = useKeptPoints(customer);
  const joinTexts = () =>
    customer.WelcomePoints > 0
      ? {
          text: t("member.joinText", gift),
          submit: t("member.joinSubmit", { points: gift.points }),
        }
      : { text: t("account.clubTextAgain"), submit: t("member.joinTitle") };
  const returnTexts = () => ({
    text: `${t("member.formerText", { count: available, formatted: number(available) })} ${keptPoints}`,
    submit: t("member.formerSubmit"),
  });
  const { text, submit } = returning ? returnTexts() : joinTexts();
  return (
    <div className="grid gap-10 xl:grid-cols-2">
      <div>
        <h1 className="text-title">{t(returning ? "member.formerTitle" : "member.joinTitle")}</h1>
        <p className="mt-4 max-w-[34rem] text-lg text-soft">{text}</p>
        {props.walletWanted && (
          <p className="mt-4 max-w-[34rem] border-gold border-l-2 pl-4">{t("member.joinWallet")}</p>
        )}
        <div className="mt-8 max-w-[27.5rem]">
          <PageForm intent="join" action="." idempotencyKey={props.idempotencyKey} refused={props.refused}>
            {returning && <input type="hidden" name="Returning" value="true" />}
            {friend && <input type="hidden" name="ReferralCode" value={friend} />}
            {!person?.Birthday && (
              <>
                <BirthdayField name="CustomerBirthday" />
                <p className="text-sm text-soft">{t("member.joinBirthday")}</p>
              </>
            )}
            <LegalLinks />
            <Submit>{submit}</Submit>
          </PageForm>
        </div>
      </div>
      <div className="self-start">
        {/* The card lies over the foot of the picture. */}
        <div className="relative isolate px-6 pt-8 sm:px-10">
          <div className="absolute inset-x-0 top-0 bottom-8">
            <Drape name="cotton-tile" own="join" />
          </div>
          <div className="mx-auto max-w-[24rem]">
            <FadedCard name={person ? `${person.Firstname} ${person.Lastname}` : ""} tier={programme.Tiers[0]} />
          </div>
        </div>
        {/* The first of these benefits is the welcome gift. */}
        {customer.WelcomePoints > 0 && (
          <div className="pt-8">
            <Benefits benefits={programme.Tiers[0]?.Benefits ?? []} />
          </div>
        )}
      </div>
    </div>
  );
}

/** The session ended before the form was sent: it keeps the typed birthday, and the account layout's notice asks to sign in. */
export function JoinFormAfterSession({ refused }: { refused: Refused | undefined }) {
  const { t } = useTexts();
  const key = refused?.values["IdempotencyKey"]?.split(".")[0] ?? "";
  return (
    <>
      <PageTitle title={t("menu.loyalty")} />
      <h1 className="text-title">{t("menu.loyalty")}</h1>
      {refused?.values["CustomerBirthday"] && (
        <div className="mt-8 max-w-[27.5rem]">
          <PageForm intent="join" idempotencyKey={key} refused={refused}>
            <BirthdayField name="CustomerBirthday" />
            <Submit>{t("account.clubLink")}</Submit>
          </PageForm>
        </div>
      )}
    </>
  );
}
