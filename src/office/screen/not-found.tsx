import { Link } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { PageHead } from "./page.tsx";

export function NotFound() {
  const { t } = useTexts();
  return (
    <>
      <PageHead title={t("office.notFound.title")} />
      <p>
        <Link to="/">{t("office.notFound.back")}</Link>
      </p>
    </>
  );
}
