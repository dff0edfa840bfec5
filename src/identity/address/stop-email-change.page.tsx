import { Link, useSearchParams } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { stopEmailChange } from "#identity/calls.ts";
import { pagePaths } from "#identity/paths.ts";
import { formAction, isRefused } from "#platform/api/client/form.ts";
import { useActed } from "#platform/api/client/use-loaded.ts";
import { Submit } from "#ui/form/form.tsx";
import { PageForm } from "#ui/form/page-form.tsx";
import { PageTitle } from "#ui/page-title.tsx";

export const action = formAction(async ({ form, call }) => {
  await call(stopEmailChange, form);
  return { ok: true as const };
});

/** /account/email/stop?token=…, from the notice to the old address. A click stops the change: a mail scanner only opens the page. */
export function Component() {
  const { t } = useTexts();
  const path = useLocalePath();
  const [search] = useSearchParams();
  const acted = useActed<typeof action>();
  const refused = isRefused(acted) ? acted : undefined;
  const screen = acted?.ok ? "stopped" : refused?.problem?.code === "link_expired" ? "late" : "stop";
  const title = t(`email.${screen}Title`);
  return (
    <>
      <PageTitle title={title} />
      <h1 className="text-title">{title}</h1>
      <p className="mt-4 text-soft" role="status">
        {t(`email.${screen}Text`)}
      </p>
      <div className="mt-8">
        {screen === "stop" ? (
          <PageForm refused={refused}>
            <input type="hidden" name="Token" value={search.get("token") ?? ""} />
            <Submit>{t("email.stopSubmit")}</Submit>
          </PageForm>
        ) : (
          <Link className="button solid w-full" to={path(screen === "stopped" ? pagePaths.login : pagePaths.forget)}>
            {t(screen === "stopped" ? "login.title" : "email.lateReset")}
          </Link>
        )}
      </div>
    </>
  );
}
