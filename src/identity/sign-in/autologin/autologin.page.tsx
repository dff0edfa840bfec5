import { useEffect, useRef, useState } from "react";
import { Link, type LoaderFunctionArgs, replace, useLocation, useSearchParams } from "react-router";
import { localePath } from "#i18n/locale.ts";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { autologin } from "#identity/calls.ts";
import { writtenEmail } from "#identity/customer/email/punycode.ts";
import { pagePaths } from "#identity/paths.ts";
import { useCustomer } from "#identity/session/browser/session.ts";
import { formAction, isRefused, type Refused } from "#platform/api/client/form.ts";
import { useActed, useLoaded } from "#platform/api/client/use-loaded.ts";
import { Submit } from "#ui/form/form.tsx";
import { PageForm } from "#ui/form/page-form.tsx";
import { PageTitle } from "#ui/page-title.tsx";
import { navigationSourceContext } from "./navigation-source.ts";

export const loader = async ({ context }: LoaderFunctionArgs) => ({ from: context.get(navigationSourceContext) });

export const action = formAction(async ({ form, call, locale }) => {
  await call(autologin, form);
  // Back must not return to a link that is used up.
  return replace(localePath(locale, pagePaths.account));
});

/**
 * /account/autologin?email=…&token=…: the page submits its form once the script runs, so that a mail scanner's GET does not
 * use the link up; without script, or when another person is signed in, it asks first. It also asks when the link is on a page
 * of another site than the configured shop, or holds a session's token that the shop did not hand over: a stranger could
 * otherwise sign a visitor in to the stranger's account unnoticed (login CSRF).
 */
export function Component() {
  const { t } = useTexts();
  const acted = useActed<typeof action>();
  const { email, token } = useLink();
  const refused = isRefused(acted) ? acted : undefined;
  // Without script the response has no token in its address, so there is nothing to retry with.
  const isExpired = refused?.problem?.code === "link_expired" || !email || !token;
  return (
    <>
      <PageTitle title={t("autologin.title")} />
      <h1 className="text-title">{t("autologin.title")}</h1>
      {isExpired ? (
        <Expired text={refused?.problem?.detail ?? t("autologin.incomplete")} />
      ) : (
        <AutologinForm email={email} token={token} refused={refused} />
      )}
    </>
  );
}

/** The link's email and token. They are removed from the address bar, and so from the history, at once. */
function useLink(): { email: string; token: string } {
  const [search] = useSearchParams();
  const [link] = useState({ email: search.get("email") ?? "", token: search.get("token") ?? "" });
  useEffect(() => history.replaceState(history.state, "", location.pathname), []);
  return link;
}

function AutologinForm({ email, token, refused }: { email: string; token: string; refused: Refused | undefined }) {
  const { t } = useTexts();
  const path = useLocalePath();
  const { pathname } = useLocation();
  const current = useCustomer();
  const box = useRef<HTMLDivElement>(null);
  // As it was when the link was opened: the loader runs again after a refusal.
  const [{ from }] = useState(useLoaded<typeof loader>());
  const [automatic, setAutomatic] = useState(false);
  // As it was when the link was opened: signing in must not change the question.
  const [other] = useState(current && current.Email !== email.trim().toLowerCase() ? current.Email : undefined);

  useEffect(() => setAutomatic(!other && from !== "elsewhere"), [other, from]);
  // Once: a link works once.
  const sent = useRef(false);
  useEffect(() => {
    if (!automatic || sent.current) return;
    sent.current = true;
    box.current?.querySelector("form")?.requestSubmit();
  }, [automatic]);

  const asked = refused?.problem?.code === "confirmation_needed";

  return (
    <div ref={box}>
      <p className="mt-4 text-soft">
        {other
          ? t("autologin.other", { current: writtenEmail(other), email: writtenEmail(email) })
          : t("autologin.text", { email: writtenEmail(email) })}
      </p>
      {(asked || from === "elsewhere") && <p className="mt-2 text-soft">{t("autologin.check")}</p>}
      <div className="mt-8 space-y-4">
        {/* Without the query, so that the next address has no token. Asked, a form of its own: the press is not a double click. */}
        <PageForm key={String(asked)} action={pathname} refused={asked ? undefined : refused}>
          <input type="hidden" name="Email" value={email} />
          <input type="hidden" name="Token" value={token} />
          {automatic && from === "direct" && !refused && <input type="hidden" name="LinkOnly" value="true" />}
          <Submit>{t(other ? "autologin.switch" : "autologin.submit")}</Submit>
        </PageForm>
        {other && (
          <Link className="button w-full" to={path(pagePaths.account)} replace>
            {t("autologin.stay")}
          </Link>
        )}
      </div>
    </div>
  );
}

function Expired({ text }: { text: string }) {
  const { t } = useTexts();
  const path = useLocalePath();
  return (
    <>
      <p className="mt-4 text-soft" role="alert">
        {text}
      </p>
      <Link className="button solid mt-8 w-full" to={path(pagePaths.login)}>
        {t("login.title")}
      </Link>
    </>
  );
}
