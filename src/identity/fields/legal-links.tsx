import { useTexts } from "#i18n/use-texts.tsx";
import { useShop } from "#ui/web-shop.ts";

/** What a customer can read before registering or joining, in another tab: the form stays as it is. */
export function LegalLinks() {
  const { t } = useTexts();
  const shop = useShop();
  return (
    <p className="flex flex-wrap gap-x-5 text-sm text-soft">
      <span className="w-full">{t("identity.legal")}</span>
      {(
        [
          ["Privacy", "identity.privacyPolicy"],
          ["Terms", "identity.clubTerms"],
        ] as const
      ).map(([page, name]) => (
        <a
          key={page}
          className="inline-flex min-h-11 items-center text-ink"
          href={shop(page)}
          target="_blank"
          rel="noopener"
        >
          <span className="underlined">{t(name)}</span>
        </a>
      ))}
    </p>
  );
}
