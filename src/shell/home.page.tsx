import { useTexts } from "#i18n/use-texts.tsx";
export function Component() {
  const { t } = useTexts();
  return <h1>{t("shell.skip")}</h1>;
}
