import { useEffect } from "react";
import { Link, useSearchParams } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { EmailField } from "#identity/fields/contact-fields.tsx";
import { pagePaths } from "#identity/paths.ts";
import { loginGoToParameter, sameSitePath } from "#identity/session/redirect-after-sign-in.ts";
import { useShopDevice } from "#identity/session/shop-device.ts";
import { setUi } from "#identity/session/ui-store.ts";
import { SocialButtons } from "#identity/social/social-buttons.tsx";
import { formAction } from "#platform/api/form.ts";
import { useActed } from "#platform/api/use-loaded.ts";
import { PasswordField } from "#ui/field.tsx";
import { Form, Submit } from "#ui/form.tsx";
import { later } from "#ui/later.tsx";
import { PageTitle } from "#ui/page-title.tsx";

export const loader = later(async () => (await import("./login.data.ts")).loader);
export const action = formAction(later(async () => (await import("./login.data.ts")).act));

export function Component() {
  const { t } = useTexts();
  const path = useLocalePath();
  const [search] = useSearchParams();
  const refused = useActed<typeof action>();
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
      <h1 className="text-[clamp(2.25rem,5vw,3rem)]">{t("login.title")}</h1>
      <p className="mt-3 text-soft">
        {t("login.noAccount")}{" "}
        <Link className="underlined text-ink" to={path(`${pagePaths.register}${query}`)}>
          {t("login.create")}
        </Link>
      </p>
      {search.has(loginGoToParameter) && <p className="mt-4 text-[0.9375rem]">{t("login.toContinue")}</p>}
      <div className="mt-8">
        <Form refused={refused} quiet={Boolean(wrong)} autoComplete={shared ? "off" : undefined}>
          <EmailField enterKeyHint="next" />
          <PasswordField
            name="Password"
            label={t("identity.password")}
            autoComplete="current-password"
            enterKeyHint="go"
            error={wrong}
            aside={
              // A touch target of full height that does not make its line taller.
              <Link
                className="-my-2.5 inline-flex min-h-11 items-center text-[0.875rem] text-ink"
                to={path(pagePaths.forget)}
              >
                <span className="underlined">{t("login.forgotten")}</span>
              </Link>
            }
          />
          <Submit>{t("login.submit")}</Submit>
        </Form>
        {/* A provider would leave its own session on the shop's device. */}
        {!shared && <SocialButtons refused={refused} />}
      </div>
    </>
  );
}
