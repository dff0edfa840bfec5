import { Link, useLocation } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { writtenEmail } from "#identity/customer/email/punycode.ts";
import type { Refused } from "#platform/api/client/form.ts";
import { Field } from "#ui/form/field.tsx";
import { Submit } from "#ui/form/form.tsx";
import { Done, PageForm } from "#ui/form/page-form.tsx";
import { PageTitle } from "#ui/page-title.tsx";

/** The mailed code is typed here. The words are the same whether the address has an account or not. */
export function CodeScreen(props: { email: string; again: boolean; refused: Refused | undefined }) {
  const { email, again, refused } = props;
  const { t } = useTexts();
  const { pathname, search } = useLocation();
  const wrong = refused?.problem?.code === "code_invalid" ? refused.problem.detail : undefined;
  return (
    <>
      <PageTitle title={t("login.codeTitle")} />
      <h1 className="text-title">{t("login.codeTitle")}</h1>
      <p className="mt-3 break-words text-soft" role="status">
        {t("login.codeText", { email: writtenEmail(email) })}
      </p>
      <div className="mt-8">
        <PageForm intent="code" refused={refused} quiet={Boolean(wrong)}>
          <input type="hidden" name="Email" value={email} />
          <Field
            name="Code"
            label={t("login.codeLabel")}
            autoComplete="one-time-code"
            inputMode="numeric"
            enterKeyHint="go"
            pattern="\s*(\d\s*){6}"
            code="code"
            error={wrong}
            maxLength={20}
            autoFocus
          />
          <Submit>{t("login.submit")}</Submit>
        </PageForm>
        <div className="mt-6 border-line border-t pt-4 text-md">
          <p className="text-soft">{t("login.codeNothing")}</p>
          <Done text={again && !refused && "login.codeAgainDone"} />
          <div className="flex flex-wrap gap-x-8">
            <PageForm intent="send-code" refused={refused} className="">
              <input type="hidden" name="Email" value={email} />
              <input type="hidden" name="again" value="1" />
              <Submit className="min-h-11">
                <span className="underlined">{t("login.codeAgain")}</span>
              </Submit>
            </PageForm>
            {/* The same page, without what was sent. */}
            <Link className="inline-flex min-h-11 items-center" to={pathname + search}>
              <span className="underlined">{t("login.codeBack")}</span>
            </Link>
          </div>
        </div>
      </div>
    </>
  );
}
