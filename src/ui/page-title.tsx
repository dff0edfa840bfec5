import { useTexts } from "#i18n/use-texts.tsx";

/** The page's title and description; React puts them in the head. */
export function PageTitle({ title, description }: { title: string; description?: string }) {
  const { t } = useTexts();
  return (
    <>
      <title>{`${title} · ${t("brand")}`}</title>
      {description && <meta name="description" content={description} />}
    </>
  );
}
