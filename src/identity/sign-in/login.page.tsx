import { useEffect, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { EmailField } from "#identity/fields/contact-fields.tsx";
import { pagePaths } from "#identity/paths.ts";
import { loginGoToParameter, sameSitePath } from "#identity/session/browser/redirect-after-sign-in.ts";
import { setUi } from "#identity/session/browser/ui-store.ts";
import { useShopDevice } from "#identity/session/device/shop-device.ts";
import { SocialButtons } from "#identity/social/screen/social-buttons.tsx";
import type { Refused } from "#platform/api/client/form.ts";
import { formAction, isRefused } from "#platform/api/client/form.ts";
import { useActed } from "#platform/api/client/use-loaded.ts";
import { PasswordField } from "#ui/form/field.tsx";
import { Submit } from "#ui/form/form.tsx";
import { PageForm } from "#ui/form/page-form.tsx";
import { later, lazyPart } from "#ui/lazy.tsx";
import { PageTitle } from "#ui/page-title.tsx";

export const loader = later(async () => (await import("./login.data.ts")).loader);
export const action = formAction(later(async () => (await import("./login.data.ts")).act));

const PasskeySignIn = lazyPart(async () => (await import("#identity/passkeys/passkey-sign-in.tsx")).PasskeySignIn);
const CodeScreen = lazyPart(async () => (await import("#identity/sign-in/code/code-screen.tsx")).CodeScreen, {
  texts: ["links"],
  when: "shown",
});

/*
 *   email and password ──(signed in)──────────────────────► where the visitor wanted to go
 *     ├──(passkey, by autofill or button)─────────────────►
 *     └──(asks for a code)──► code ──(typed)──────────────►
 *
 * Every address is offered the same ways, so no one learns which an account has, or whether there is one.
 */
export function Component() {
  const acted = useActed<typeof action>();
  const refused = isRefused(acted) ? acted : undefined;
  const sent = acted?.ok ? acted : codeSentBefore(refused);
  return sent ? <CodeScreen {...sent} refused={refused} /> : <Login refused={refused} />;
}

/** A refused code, or a refused wish for another one: the screen stays. */
function codeSentBefore(refused: Refused | undefined) {
  const { intent, values } = refused ?? {};
  if (intent !== "code" && !(intent === "send-code" && values?.["again"])) return undefined;
  return { email: values?.["Email"] ?? "", again: false };
}

function Login({ refused }: { refused: Refused | undefined }) {
  const { t } = useTexts();
  const [autofill, setAutofill] = useState(false);
  const path = useLocalePath();
  const [search] = useSearchParams();
  const wrong = refused?.problem?.code === "wrong_login" ? refused.problem.detail : undefined;
  const shared = useShopDevice(search);
  const query = search.size > 0 ? `?${search}` : "";
  const goTo = search.get(loginGoToParameter);
  // After a reset of the password the customer returns without the parameter, and is still to be redirected there.
  useEffect(() => {
    if (goTo !== null) setUi({ loginGoTo: sameSitePath(goTo) });
  }, [goTo]);
  return (
    <>
      <PageTitle title={t("login.title")} />
      <h1 className="text-title">{t("login.title")}</h1>
      <p className="mt-3 text-soft">
        {t("login.noAccount")}{" "}
        <Link className="underlined text-ink" to={path(`${pagePaths.register}${query}`)}>
          {t("login.create")}
        </Link>
      </p>
      {search.has(loginGoToParameter) && <p className="mt-4 text-md">{t("login.toContinue")}</p>}
      <div className="mt-8">
        {/* The address is in this form: what is wrong with it, when a code was asked for, is shown here too. */}
        <PageForm
          refused={refused?.intent === "send-code" ? { ...refused, intent: "" } : refused}
          quiet={Boolean(wrong)}
          autoComplete={shared ? "off" : undefined}
        >
          <EmailField enterKeyHint="next" passkeys={autofill} />
          <PasswordField
            name="Password"
            label={t("identity.password")}
            autoComplete="current-password"
            enterKeyHint="go"
            error={wrong}
            aside={
              // A touch target of full height that does not make its line taller.
              <Link className="-my-2.5 inline-flex min-h-11 items-center text-sm text-ink" to={path(pagePaths.forget)}>
                <span className="underlined">{t("login.forgotten")}</span>
              </Link>
            }
          />
          <Submit>{t("login.submit")}</Submit>
          <div className="flex flex-wrap gap-x-8 text-md">
            <button type="submit" name="intent" value="send-code" formNoValidate className="min-h-11">
              <span className="underlined">{t("login.withCode")}</span>
            </button>
            {!shared && <PasskeySignIn refused={refused} onAutofill={() => setAutofill(true)} />}
          </div>
        </PageForm>
        {/* A provider would leave its own session on the shop's device. */}
        {!shared && <SocialButtons refused={refused} />}
      </div>
    </>
  );
}
