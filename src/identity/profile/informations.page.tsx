import { useTexts } from "#i18n/use-texts.tsx";
import { ConfirmNotice } from "#identity/address/confirm-notice.tsx";
import { BirthdayField } from "#identity/fields/birthday-field.tsx";
import { PhoneField } from "#identity/fields/contact-fields.tsx";
import type { Customer } from "#identity/session/browser/session.ts";
import { formAction, isRefused, type Refused } from "#platform/api/client/form.ts";
import { useActed, useLoaded } from "#platform/api/client/use-loaded.ts";
import { Choice, Field } from "#ui/form/field.tsx";
import { Submit } from "#ui/form/form.tsx";
import { Done, PageForm } from "#ui/form/page-form.tsx";
import { later, lazyPart } from "#ui/lazy.tsx";
import { PageTitle } from "#ui/page-title.tsx";
import { DetailsRow } from "./details-row.tsx";

export const loader = later(async () => (await import("./informations.data.ts")).loader);
export const action = formAction(later(async () => (await import("./informations.data.ts")).act));

/** What is below the profile works without script, but for linking a provider. */
const AccountSections = lazyPart(async () => (await import("./account-sections.tsx")).AccountSections, {
  texts: ["informations"],
});

/** Only after a clean start of the account. */
const PreviousDetails = lazyPart(async () => (await import("./previous-details.tsx")).PreviousDetails, {
  texts: ["links"],
  when: "shown",
});

export function Component() {
  const { t } = useTexts();
  const loaded = useLoaded<typeof loader>();
  const acted = useActed<typeof action>();
  const refused = isRefused(acted) ? acted : undefined;
  const done = acted?.ok ? acted.intent : undefined;
  const title = (
    <>
      <PageTitle title={t("informations.title")} />
      <h1 className="text-title">{t("informations.title")}</h1>
    </>
  );
  if (!loaded)
    return (
      <>
        {title}
        {refused?.intent === "profile" && (
          <div className="mt-8 max-w-[44rem] border-ink border-t">
            <Profile refused={refused} done={undefined} />
          </div>
        )}
      </>
    );
  const { customer, offered, ...more } = loaded;
  return (
    <>
      {title}
      {!customer.EmailVerified && <ConfirmNotice guest={customer.Guest} refused={refused} sent={done === "resend"} />}
      {(offered || done?.endsWith("-details")) && <PreviousDetails details={offered} refused={refused} done={done} />}
      <div className="mt-8 max-w-[44rem] border-ink border-t">
        {/* Once the details are kept, the form starts with them. */}
        <Profile key={offered ? "offered" : "own"} customer={customer} refused={refused} done={done} />
        <AccountSections customer={customer} {...more} refused={refused} done={done} />
      </div>
    </>
  );
}

function Profile(props: { customer?: Customer; refused: Refused | undefined; done: string | undefined }) {
  const { customer, refused, done } = props;
  const { t } = useTexts();
  return (
    <DetailsRow
      name="profile"
      title={t("informations.profile")}
      value={customer && `${customer.Firstname} ${customer.Lastname}`}
      refused={refused}
      done={done}
    >
      <PageForm intent="profile" refused={refused} marked>
        <Choice
          name="Civility"
          legend={t("identity.civility")}
          initial={customer?.Civility ?? "none"}
          options={[
            ["Mme", t("identity.civility.Mme")],
            ["M", t("identity.civility.M")],
            ["none", t("identity.civility.none")],
          ]}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <Field
            name="Firstname"
            label={t("identity.firstname")}
            autoComplete="given-name"
            initial={customer?.Firstname}
          />
          <Field
            name="Lastname"
            label={t("identity.lastname")}
            autoComplete="family-name"
            initial={customer?.Lastname}
          />
        </div>
        <div className="grid items-start gap-5 sm:grid-cols-2">
          {/* A customer of a provider may have no birthday, and need not enter one to change a name. */}
          <BirthdayField initial={customer?.Birthday} optional={!customer?.Birthday} />
          <PhoneField initial={customer?.MobilePhone} />
        </div>
        <Done text={done === "profile" && "identity.saved"} />
        <Submit className="button solid">{t("informations.save")}</Submit>
      </PageForm>
    </DetailsRow>
  );
}
