import { useTexts } from "#i18n/use-texts.tsx";

/** The page's title and description; React puts them in the head. */
export function PageTitle({ title, description }: { title: string; description?: string }) {
  const { t } = useTexts();
  return (
    <>
      <title>{`${title} · ${t("brand")}`}</title>
      {description && <meta name="description" content={description} />}
      {/* Those who read these run no script. */}
      {import.meta.env.SSR && <meta property="og:title" content={title} />}
      {import.meta.env.SSR && description && <meta property="og:description" content={description} />}
    </>
  );
}
