import { useTexts } from "#i18n/use-texts.tsx";

/** The page's title and description; React puts them in the head. A page that says nothing of itself says what the site is. */
export function PageTitle(props: { title: string; description?: string }) {
  const { t } = useTexts();
  const { title, description = t("shell.description") } = props;
  return (
    <>
      <title>{`${title} · ${t("brand")}`}</title>
      <meta name="description" content={description} />
      {/* Those who read these run no script. */}
      {import.meta.env.SSR && <meta property="og:title" content={title} />}
      {import.meta.env.SSR && <meta property="og:description" content={description} />}
    </>
  );
}
