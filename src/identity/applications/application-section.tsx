import type { TextId } from "#i18n/texts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { listApplications } from "#identity/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import type { Refused } from "#platform/api/client/form.ts";
import { Submit } from "#ui/form/form.tsx";
import { Done, PageForm } from "#ui/form/page-form.tsx";
import { Section } from "#ui/section.tsx";

const scopeTexts: Partial<Record<string, TextId>> = {
  email: "oidc.scope.email",
  profile: "oidc.scope.profile",
  loyalty: "oidc.scope.loyalty",
};

/** The web shops and apps that may read in the account; nothing as long as there are none. */
export function ApplicationSection(props: {
  applications: ResponseBody<typeof listApplications>["Applications"];
  refused: Refused | undefined;
  done: boolean;
}) {
  const { applications, refused, done } = props;
  const { t, date } = useTexts();
  if (applications.length === 0 && !done) return null;
  return (
    <Section title={t("informations.applications")} text={t("informations.applicationsText")}>
      <ul className="border-line border-t">
        {applications.map(({ IdApplication, Name, Scopes, Since }) => {
          const read = Scopes.flatMap((scope) => scopeTexts[scope] ?? []).map((id) => t(id));
          return (
            <li
              key={IdApplication}
              className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-b py-4"
            >
              <div className="min-w-0">
                <p>{Name}</p>
                {read.length > 0 && (
                  <p className="text-sm text-soft">{t("informations.applicationReads", { what: read.join(", ") })}</p>
                )}
                <p className="text-sm text-soft">{t("informations.applicationSince", { date: date(Since) })}</p>
              </div>
              <PageForm intent="application-remove" refused={refused} className="">
                <input type="hidden" name="id" value={IdApplication} />
                <Submit className="button small">
                  {t("informations.applicationRemove")} <span className="sr-only">{Name}</span>
                </Submit>
              </PageForm>
            </li>
          );
        })}
      </ul>
      <div className="mt-4">
        <Done text={done && "informations.applicationsDone"} />
      </div>
    </Section>
  );
}
