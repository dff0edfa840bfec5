import { useTexts } from "#i18n/use-texts.tsx";
import { PageTitle } from "#ui/page-title.tsx";

export function Component() {
  const { t } = useTexts();
  return (
    <>
      <PageTitle title={t("menu.loyalty")} />
      <h1 className="text-[clamp(2.25rem,5vw,3.25rem)]">{t("menu.loyalty")}</h1>
    </>
  );
}
