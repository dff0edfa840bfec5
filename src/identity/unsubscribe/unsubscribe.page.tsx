import { useSearchParams } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { withdrawNewsletter } from "#identity/calls.ts";
import { formAction, isRefused } from "#platform/api/client/form.ts";
import { useActed } from "#platform/api/client/use-loaded.ts";
import { Submit } from "#ui/form/form.tsx";
import { PageForm } from "#ui/form/page-form.tsx";
import { PageTitle } from "#ui/page-title.tsx";

/** Mail programs post here without the page's form (RFC 8058): the token is in the address. */
export const action = formAction(async ({ request, call }) => {
  await call(withdrawNewsletter, { Token: new URL(request.url).searchParams.get("token") ?? "" });
  return { ok: true as const };
});

/** /unsubscribe?token=…, from an offer. A mail scanner that opens the page withdraws nothing: a press does. */
export function Component() {
  const { t } = useTexts();
  const [search] = useSearchParams();
  const acted = useActed<typeof action>();
  const refused = isRefused(acted) ? acted : undefined;
  const isWrong = !search.get("token") || refused?.problem?.code === "link_expired";
  const screen = acted?.ok ? "done" : isWrong ? "wrong" : "ask";
  const title = t(`unsubscribe.${screen}Title`);
  return (
    <>
      <PageTitle title={title} />
      <h1 className="text-title">{title}</h1>
      <p className="mt-4 text-soft" role="status">
        {t(`unsubscribe.${screen}Text`)}
      </p>
      {screen === "ask" && (
        <div className="mt-8">
          <PageForm refused={refused}>
            <Submit>{t("unsubscribe.submit")}</Submit>
          </PageForm>
        </div>
      )}
    </>
  );
}
