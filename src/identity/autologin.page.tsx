import { useEffect, useRef } from "react";
import { Link, useSearchParams } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { formAction, isRefused } from "#platform/form.ts";
import { useActed } from "#platform/use-loaded.ts";
import { Form, Submit } from "#ui/form.tsx";
import { PageTitle } from "#ui/page-title.tsx";
import { autologin } from "./calls.ts";
import { useCustomer } from "./session.ts";

export const action = formAction(async ({ form, call, go }) => {
  await call(autologin, form);
  return go("/account");
});

/**
 * /account/autologin?email=…&token=…: the page posts by itself once the script runs, so that a mail scanner's GET uses
 * nothing up; without script, or when somebody else is signed in, it asks first.
 */
export function Component() {
  const { t } = useTexts();
  const path = useLocalePath();
  const [search] = useSearchParams();
  const acted = useActed<typeof action>();
  const current = useCustomer();
  const box = useRef<HTMLDivElement>(null);
  const email = search.get("email") ?? "";
  const token = search.get("token") ?? "";
  const other = current && current.Email !== email.trim().toLowerCase() ? current.Email : undefined;
  const complete = email !== "" && token !== "";

  useEffect(() => {
    // The token leaves the address bar, and with it the history, at once.
    history.replaceState(history.state, "", location.pathname);
    if (complete && !other && !isRefused(acted)) box.current?.querySelector("form")?.requestSubmit();
  }, [complete, other, acted]);

  return (
    <>
      <PageTitle title={t("autologin.title")} />
      <h1 className="text-[clamp(2.25rem,5vw,3rem)]">{t("autologin.title")}</h1>
      {complete ? (
        <div ref={box}>
          <p className="mt-4 text-soft">
            {other ? t("autologin.other", { current: other, email }) : t("autologin.text", { email })}
          </p>
          <div className="mt-8 space-y-4">
            <Form refused={isRefused(acted) ? acted : undefined}>
              <input type="hidden" name="Email" value={email} />
              <input type="hidden" name="Token" value={token} />
              <Submit>{t(other ? "autologin.switch" : "autologin.submit")}</Submit>
            </Form>
            {other && (
              <Link className="button button-outline w-full" to={path("/account")}>
                {t("autologin.stay")}
              </Link>
            )}
          </div>
        </div>
      ) : (
        <>
          <p className="mt-4 text-soft">{t("autologin.incomplete")}</p>
          <Link className="button button-solid mt-8 w-full" to={path("/authenticate/login")}>
            {t("login.title")}
          </Link>
        </>
      )}
    </>
  );
}
