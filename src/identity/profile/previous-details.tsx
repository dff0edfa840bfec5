import { useTexts } from "#i18n/use-texts.tsx";
import type { readPreviousDetails } from "#identity/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import type { Refused } from "#platform/api/client/form.ts";
import { Checkbox } from "#ui/form/field.tsx";
import { Submit } from "#ui/form/form.tsx";
import { Done, PageForm } from "#ui/form/page-form.tsx";

type OfferedDetails = NonNullable<ResponseBody<typeof readPreviousDetails>["Details"]>;

/** The forms' intents, which the page's action handles. */
const keep = "keep-details";
const discard = "discard-details";

/** Asks the owner of an address whether what was entered before it was confirmed is theirs, and confirms the answer. */
export function PreviousDetails(props: {
  details: OfferedDetails | null;
  refused: Refused | undefined;
  done: string | undefined;
}) {
  const { details, refused, done } = props;
  if (details) return <Offer details={details} refused={refused} />;
  return (
    <div className="mt-6">
      <Done text={done === keep ? "identity.saved" : "previousDetails.discarded"} />
    </div>
  );
}

function Offer({ details, refused }: { details: OfferedDetails; refused: Refused | undefined }) {
  const { t, date } = useTexts();
  const { Civility, Birthday, MobilePhone } = details;
  const civility = Civility && t(`identity.civility.${Civility}`);
  const rows = [
    [t("previousDetails.name"), [civility, details.Firstname, details.Lastname].filter(Boolean).join(" ")],
    [t("identity.birthday"), Birthday && date(Birthday)],
    [t("identity.phone"), MobilePhone],
  ];
  return (
    <section className="mt-6 bg-linen p-5 sm:p-7">
      <h2 className="text-4xl">{t("previousDetails.title")}</h2>
      <p className="mt-3 max-w-[34rem] text-soft">{t("previousDetails.text")}</p>
      <dl className="mt-5 grid gap-x-8 gap-y-2 sm:grid-cols-[max-content_1fr]">
        {rows.map(
          ([label, value]) =>
            value && (
              <div key={label} className="contents">
                <dt className="text-soft">{label}</dt>
                <dd className="mb-2 break-words sm:mb-0">{value}</dd>
              </div>
            ),
        )}
      </dl>
      <PageForm intent={keep} refused={refused} className="mt-5 space-y-5">
        {(details.NewsletterSubscribe || details.NewsletterSmsSubscribe) && (
          <div>
            <p className="text-soft">{t("previousDetails.optIns")}</p>
            {details.NewsletterSubscribe && (
              <Checkbox name="NewsletterSubscribe">{t("identity.consent.newsletter")}</Checkbox>
            )}
            {details.NewsletterSmsSubscribe && (
              <Checkbox name="NewsletterSmsSubscribe">{t("identity.consent.sms")}</Checkbox>
            )}
          </div>
        )}
        <Submit className="button solid">{t("previousDetails.keep")}</Submit>
      </PageForm>
      <PageForm intent={discard} refused={refused} className="mt-4">
        <Submit className="button">{t("previousDetails.discard")}</Submit>
      </PageForm>
    </section>
  );
}
