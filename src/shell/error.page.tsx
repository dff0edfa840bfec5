import { useTexts } from "#i18n/use-texts.tsx";
import { ErrorScreen } from "./error-screen.tsx";

/** A failed authentication redirects to this page. */
export function Component() {
  const { t } = useTexts();
  return <ErrorScreen status={500} text={t("error.authenticationText")} signIn />;
}
