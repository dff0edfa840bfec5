import { useTexts } from "#i18n/use-texts.tsx";
import { ErrorScreen } from "./error-screen.tsx";

/** /error: where a failed authentication lands. */
export function Component() {
  const { t } = useTexts();
  return <ErrorScreen status={500} text={t("error.authenticationText")} signIn />;
}
