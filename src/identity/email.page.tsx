import { Link, useSearchParams } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { formAction, isRefused } from "#platform/form.ts";
import { useActed } from "#platform/use-loaded.ts";
import { Form, Submit } from "#ui/form.tsx";
import { PageTitle } from "#ui/page-title.tsx";
import { verifyEmail } from "./calls.ts";

export const action = formAction(async ({ form, call }) => {
  await call(verifyEmail, form);
  return { ok: true as const };
});

/** /account/email?token=…: a press of the button confirms, so that a mail scanner that opens the link uses nothing up. */
export function Component() {
  const { t } = useTexts();
  const path = useLocalePath();
  const [search] = useSearchParams();
  const acted = useActed<typeof action>();
  const done = acted?.ok === true;
  const title = t(done ? "email.doneTitle" : "email.title");
  return (
    <>
      <PageTitle title={title} />
      <h1 className="text-[clamp(2.25rem,5vw,3rem)]">{title}</h1>
      <p className="mt-4 text-soft" role="status">
        {t(done ? "email.doneText" : "email.text")}
      </p>
      <div className="mt-8 space-y-6">
        {done ? (
          <Link className="button button-solid w-full" to={path("/account")}>
            {t("email.toAccount")}
          </Link>
        ) : (
          <Form refused={isRefused(acted) ? acted : undefined}>
            <input type="hidden" name="Token" value={search.get("token") ?? ""} />
            <Submit>{t("email.submit")}</Submit>
          </Form>
        )}
      </div>
    </>
  );
}
