import { useTexts } from "#i18n/use-texts.tsx";

/** The page's title and description; React puts them in the head. Without a description it has the site's. */
export function PageTitle(props: { title: string; description?: string }) {
  const { t } = useTexts();
  const { title, description = t("shell.description") } = props;
  return (
    <>
      <title>{`${title} · ${t("brand")}`}</title>
      <meta name="description" content={description} />
      {/* For crawlers, which run no script. */}
      {import.meta.env.SSR && <meta property="og:title" content={title} />}
      {import.meta.env.SSR && <meta property="og:description" content={description} />}
    </>
  );
}
