import { useEffect } from "react";
import { Link, useLocation } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { providerNames, type SocialProvider } from "#identity/customer/social-providers.ts";
import { EmailField } from "#identity/fields/contact-fields.tsx";
import { ConfirmPasswordField, NewPasswordField } from "#identity/fields/new-password-fields.tsx";
import { pagePaths } from "#identity/paths.ts";
import { formAction, isRefused } from "#platform/api/client/form.ts";
import { useActed, useLoaded } from "#platform/api/client/use-loaded.ts";
import { Checkbox } from "#ui/form/field.tsx";
import { Submit } from "#ui/form/form.tsx";
import { PageForm } from "#ui/form/page-form.tsx";
import { Icon } from "#ui/icon.tsx";
import { later } from "#ui/lazy.tsx";
import { PageTitle } from "#ui/page-title.tsx";
import type { Screen } from "./password.data.ts";
import { restoreResetEmail } from "./reset-email.ts";

/*
 * The forgotten password, as one flow on several addresses:
 *
 *   ask ──(address sent)──► sent ──(link in the mail)──► choose ──(saved)──► done ──► sign-in
 *    ▲                        │                            │
 *    └──(ask again)───────────┘        expired ◄──(link used or too old)
 *    ▲                                    │
 *    └────────────────────────────────────┘
 *
 * /forget, /password/reset, /reset      ask
 * /password/validate                    sent
 * /reinitialiser, /reset, /password/new, /password/validate with ?token=…   choose or expired
 */
export const passwordLoader = later(async () => (await import("./password.data.ts")).loader);
export const passwordAction = formAction(later(async () => (await import("./password.data.ts")).act));

export function PasswordFlow() {
  const loaded = useLoaded<typeof passwordLoader>();
  const acted = useActed<typeof passwordAction>();
  const refused = isRefused(acted) ? acted : undefined;
  const linkGone = refused?.intent === "choose" && refused.problem?.code === "link_expired";
  const screen: Screen = linkGone ? { name: "expired" } : acted && !isRefused(acted) ? acted : loaded;
  switch (screen.name) {
    case "ask":
      return <ResetForm refused={refused} />;
    case "sent":
      return <SentReset email={screen.email} />;
    case "choose":
      return <NewPasswordForm {...screen} refused={refused} />;
    case "expired":
      return <Expired />;
    case "done":
      return <DoneReset />;
  }
}

type RefusedForm = Parameters<typeof PageForm>[0]["refused"];

export function ResetForm({ refused }: { refused?: RefusedForm }) {
  const { t } = useTexts();
  return (
    <Heading title={t("password.forgetTitle")} text={t("password.forgetText")}>
      <PageForm intent="ask" refused={refused} action={usePathWithoutToken()}>
        <EmailField enterKeyHint="send" />
        <Submit>{t("password.forgetSubmit")}</Submit>
      </PageForm>
      <BackToLogin />
    </Heading>
  );
}

export function SentReset({ email }: { email?: string | undefined }) {
  const { t } = useTexts();
  const path = useLocalePath();
  return (
    <Heading title={t("password.sentTitle")} text={t("password.sentText")}>
      <div role="status" className="border-line border-y py-5 text-md">
        {email && <p className="mb-2 font-medium">{t("password.sentTo", { email })}</p>}
        <p className="text-soft">{t("password.sentAgain")}</p>
        <Link className="mt-2 inline-flex min-h-11 items-center" to={path(pagePaths.forget)} reloadDocument>
          <span className="underlined">{t("password.again")}</span>
        </Link>
      </div>
      <BackToLogin />
    </Heading>
  );
}

function NewPasswordForm(props: {
  token: string;
  email: string;
  /** The linked social logins. A person who resets because of a stranger wants to remove them too. */
  linked?: SocialProvider[];
  passkeys?: number;
  /** The card is in a phone's wallet, perhaps a stranger's: the reset ends it there. */
  walletPass?: boolean;
  asksForDetails?: boolean;
  refused?: RefusedForm;
}) {
  const { token, email, linked = [], passkeys = 0, walletPass, asksForDetails, refused } = props;
  const providers = linked.map((provider) => providerNames[provider]).join(", ");
  const { t } = useTexts();
  useEffect(() => restoreResetEmail(email), [email]);
  return (
    <Heading title={t("password.newTitle")} text={t("password.newText", { email })}>
      <PageForm intent="choose" refused={refused}>
        <input type="hidden" name="Token" value={token} />
        {asksForDetails && <p className="border-line border-y py-4">{t("password.asksForDetails")}</p>}
        {walletPass && <p className="border-line border-y py-4">{t("password.walletPass")}</p>}
        <NewPasswordField label={t("identity.newPassword")} />
        <ConfirmPasswordField />
        {providers && (
          <div className="border-line border-y py-3">
            <p className="text-md text-soft">{t("password.linked", { providers })}</p>
            <Checkbox name="UnlinkSocial">{t("password.unlink", { providers })}</Checkbox>
          </div>
        )}
        {passkeys > 0 && (
          <div className="border-line border-y py-3">
            <p className="text-md text-soft">{t("password.passkeys", { count: passkeys })}</p>
            <Checkbox name="RemovePasskeys">{t("password.removePasskeys", { count: passkeys })}</Checkbox>
          </div>
        )}
        <Submit>{t("password.newSubmit")}</Submit>
      </PageForm>
      <BackToLogin />
    </Heading>
  );
}

function Expired() {
  const { t } = useTexts();
  const path = useLocalePath();
  return (
    <Heading title={t("password.expiredTitle")} text={t("password.expiredText")}>
      <Link className="button solid w-full" to={path(pagePaths.forget)} reloadDocument>
        {t("password.again")}
      </Link>
      <BackToLogin />
    </Heading>
  );
}

function DoneReset() {
  const { t } = useTexts();
  const path = useLocalePath();
  return (
    <Heading title={t("password.doneTitle")} text={t("password.doneText")}>
      <Link className="button solid w-full" to={path(pagePaths.login)}>
        {t("login.title")}
      </Link>
    </Heading>
  );
}

export function BackToLogin() {
  const { t } = useTexts();
  const path = useLocalePath();
  return (
    <Link className="inline-flex min-h-11 items-center gap-2 text-md" to={path(pagePaths.login)}>
      <Icon name="arrow" className="size-4 rotate-180" />
      {t("password.backToLogin")}
    </Link>
  );
}

/** A screen with the flow's own title alone. */
export function TitledScreen({ children }: { children?: React.ReactNode }) {
  const { t } = useTexts();
  return <Heading title={t("password.forgetTitle")}>{children}</Heading>;
}

function Heading({ title, text, children }: { title: string; text?: string; children: React.ReactNode }) {
  return (
    <>
      <PageTitle title={title} />
      <h1 className="text-title">{title}</h1>
      {text && <p className="mt-4 text-soft">{text}</p>}
      <div className="mt-8 space-y-6">{children}</div>
    </>
  );
}

/** A used token must not stay in the address while another link is requested. */
function usePathWithoutToken(): string {
  return useLocation().pathname;
}
