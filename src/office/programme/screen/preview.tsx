import { useState } from "react";
import { type Locale, offeredLocales } from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { Rules } from "#loyalty/programme/rules.ts";

const shown = ["page", "vouchers", "benefits", "joined", "tier", "voucher"] as const;

/** The member's page, or an email, as the saved draft would make it. The frame runs no script. */
export function Preview({ rules, source, stale }: { rules: Rules; source: Record<string, string>; stale: boolean }) {
  const { t, locale: own } = useTexts();
  const [locale, setLocale] = useState<Locale>(own);
  const [show, setShow] = useState<(typeof shown)[number]>("page");
  const [tierId, setTierId] = useState<number>();
  const tier = rules.tiers.find(({ id }) => id === tierId) ?? rules.tiers.at(-1);
  const query = new URLSearchParams({
    ...source,
    Show: show,
    IdLoyaltyTier: String(tier?.id ?? ""),
    LanguageIsoCode: locale,
  });
  return (
    <aside className="programme-preview" aria-labelledby="preview-title">
      <h2 id="preview-title">{t("office.programme.preview")}</h2>
      <div className="choices">
        <fieldset aria-label={t("office.programme.previewLanguage")} className="switch">
          {offeredLocales().map((one) => (
            <button key={one} type="button" aria-pressed={one === locale} onClick={() => setLocale(one)}>
              {one.toUpperCase()}
            </button>
          ))}
        </fieldset>
        <select
          className="field"
          aria-label={t("office.programme.previewShow")}
          value={show}
          onChange={({ target }) => setShow(target.value as typeof show)}
        >
          {shown.map((one) => (
            <option key={one} value={one}>
              {t(`office.programme.show.${one}`)}
            </option>
          ))}
        </select>
        <select
          className="field"
          aria-label={t("office.programme.previewTier")}
          value={tier?.id}
          onChange={({ target }) => setTierId(Number(target.value))}
        >
          {rules.tiers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name[locale] || t("office.programme.newTier")}
            </option>
          ))}
        </select>
      </div>
      {stale && <p className="note">{t("office.programme.previewStale")}</p>}
      <iframe
        title={t(`office.programme.show.${show}`)}
        sandbox="allow-same-origin"
        src={`/api/office/programme/preview?${query}`}
      />
    </aside>
  );
}
