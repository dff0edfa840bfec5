import { Link, type LoaderFunctionArgs, useSearchParams } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { validateVerification, verifyEmail } from "#identity/calls.ts";
import { ConfirmPasswordField, NewPasswordField } from "#identity/fields/new-password-fields.tsx";
import { changeParameter, pagePaths } from "#identity/paths.ts";
import { loginGoToParameter } from "#identity/session/browser/redirect-after-sign-in.ts";
import { useCustomer } from "#identity/session/browser/session.ts";
import { callContext } from "#platform/api/client/call-context.ts";
import { CallFailed } from "#platform/api/client/client.ts";
import { formAction, isRefused, type Refused } from "#platform/api/client/form.ts";
import { useActed, useLoaded } from "#platform/api/client/use-loaded.ts";
import { Checkbox, Choice } from "#ui/form/field.tsx";
import { Submit } from "#ui/form/form.tsx";
import { PageForm } from "#ui/form/page-form.tsx";
import { PageTitle } from "#ui/page-title.tsx";

/** Reads the link without using it up: a mail scanner may open the page. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = new URL(request.url).searchParams.get("token");
  if (!token) return { registration: null };
  try {
    const { ShopRegistration } = await context.get(callContext)(validateVerification, { Token: token });
    return { registration: ShopRegistration };
  } catch (error) {
    // The page says so when the link is used.
    if (error instanceof CallFailed && (error.status === 409 || error.status === 400)) return { registration: null };
    throw error;
  }
}

export const action = formAction(async ({ form, call }) => {
  await call(verifyEmail, form);
  return { ok: true as const };
});

/*
 *   ask ──(signed in as that customer)─────────────────────► confirmed
 *    └──(any other browser)──► choose ──(password set)─────► confirmed ──► sign-in
 *                                └──(signs in)──► ask
 *   card (of a customer whom a shop registered) ──(password set; the card kept or not)──► confirmed ──► sign-in
 *   ask ──(link used or too old)──► expired, or already confirmed
 *   ask ──(a changed address, any other browser)──► sign in ──► ask
 */
type Screen = "ask" | "card" | "choose" | "confirmed" | "changed" | "already" | "expired" | "signin";

/** /account/email?token=…: a click on the button confirms, so that a mail scanner that opens the link does not use it up. */
export function Component() {
  const { t, date } = useTexts();
  const customer = useCustomer();
  const [search] = useSearchParams();
  const acted = useActed<typeof action>();
  const refused = isRefused(acted) ? acted : undefined;
  const { registration } = useLoaded<typeof loader>();
  const done = search.has(changeParameter) ? "changed" : "confirmed";
  // Once the link is used the loader finds no registration, so its screen ends by itself.
  const screen = acted?.ok ? done : registration ? "card" : screenOf(refused, customer?.EmailVerified ?? false);
  const title = t(`email.${screen}Title`);
  return (
    <>
      <PageTitle title={title} />
      <h1 className="text-title">{title}</h1>
      <p className="mt-4 text-soft" role="status">
        {screen === "card" && registration
          ? t("email.cardText", {
              name: registration.Name,
              shop: registration.ShopName,
              date: date(registration.RegisteredAt),
            })
          : screen === "choose" && customer
            ? t("email.chooseOther", { name: customer.Firstname })
            : t(screen === "confirmed" && !customer ? "email.confirmedSignIn" : `email.${screen}Text`)}
      </p>
      <div className="mt-8 space-y-6">
        {screen === "ask" && <Ask refused={refused} />}
        {screen === "card" && <Card refused={refused} />}
        {screen === "choose" && <Choose refused={refused} signedIn={customer !== undefined} />}
        {screen === "signin" && <SignIn />}
        {!["ask", "card", "choose", "signin"].includes(screen) && <Continue signedIn={customer !== undefined} />}
      </div>
    </>
  );
}

function screenOf(refused: Refused | undefined, confirmed: boolean): Screen {
  const code = refused?.problem?.code;
  // Errors of the passwords are shown on the screen that asks for them.
  const wrongPassword = refused?.problem?.errors?.some(({ field }) => field.endsWith("Password"));
  if (code === "password_needed" || wrongPassword) return "choose";
  // Only the customer confirms a changed address: with a typing error the link reaches another person.
  if (code === "not_signed_in") return "signin";
  if (code === "link_expired") return confirmed ? "already" : "expired";
  return "ask";
}

function Ask({ refused }: { refused: Refused | undefined }) {
  const { t } = useTexts();
  return (
    <PageForm refused={refused}>
      <Token />
      <Submit>{t("email.submit")}</Submit>
    </PageForm>
  );
}

/** A shop registered the account: anyone who opens the email keeps the card, or starts clean. */
function Card({ refused }: { refused: Refused | undefined }) {
  const { t } = useTexts();
  return (
    <PageForm refused={refused}>
      <Token />
      <Choice
        name="KeepCard"
        legend={t("email.cardQuestion")}
        options={[
          ["true", t("email.cardKeep")],
          ["false", t("email.cardRefuse")],
        ]}
        required
      />
      <NewPasswordField label={t("identity.newPassword")} />
      <ConfirmPasswordField />
      <Checkbox name="NewsletterSubscribe">{t("identity.consent.newsletter")}</Checkbox>
      <Submit>{t("email.submit")}</Submit>
    </PageForm>
  );
}

/** The person who registered the account signs in and keeps everything; a person who only owns the address gets a clean start. */
function Choose({ refused, signedIn }: { refused: Refused | undefined; signedIn: boolean }) {
  const { t } = useTexts();
  return (
    <>
      {!signedIn && <SignIn />}
      <section className="border-line border-t pt-6">
        <h2 className="text-3xl">{t("email.chooseNew")}</h2>
        <p className="mt-2 mb-5 text-md text-soft">{t("email.chooseNewText")}</p>
        <PageForm refused={refused} quiet={refused?.problem?.code === "password_needed"}>
          <Token />
          <NewPasswordField label={t("identity.newPassword")} />
          <ConfirmPasswordField />
          <Submit className="button w-full">{t("email.chooseSubmit")}</Submit>
        </PageForm>
      </section>
    </>
  );
}

/** Signs in and comes back to the link. */
function SignIn() {
  const { t } = useTexts();
  const path = useLocalePath();
  const [search] = useSearchParams();
  const back = new URLSearchParams({ [loginGoToParameter]: `${pagePaths.confirmEmail}?${search}` });
  return (
    <Link className="button solid w-full" to={path(`${pagePaths.login}?${back}`)}>
      {t("login.title")}
    </Link>
  );
}

function Continue({ signedIn }: { signedIn: boolean }) {
  const { t } = useTexts();
  const path = useLocalePath();
  return (
    <Link className="button solid w-full" to={path(signedIn ? pagePaths.account : pagePaths.login)}>
      {t(signedIn ? "email.toAccount" : "login.title")}
    </Link>
  );
}

function Token() {
  const [search] = useSearchParams();
  return <input type="hidden" name="Token" value={search.get("token") ?? ""} />;
}
