import { useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { companyAccountName, companyPath } from "#office/sign-in/company-account/paths.ts";

/** Whether staff have an account of their company, and whether it is the only way in; the page says so. */
export const companyAccount = () =>
  document.querySelector<HTMLMetaElement>(`meta[name="${companyAccountName}"]`)?.content as
    | "optional"
    | "required"
    | undefined;

/** Signs in at the company's provider, and comes back to this page. */
export function CompanySignIn() {
  const { t } = useTexts();
  const [search] = useState(() => new URLSearchParams(location.search));
  const refused = (["no_access", "not_linked", "expired", "failed"] as const).find(
    (reason) => reason === search.get("company"),
  );
  const goTo = new URLSearchParams({ goTo: location.pathname });
  return (
    <>
      {refused && (
        <p className="message" role="alert">
          {t(`office.company.refused.${refused}`)}
        </p>
      )}
      {companyAccount() && (
        <div className="credentials">
          <a className="button solid" href={`${companyPath}?${goTo}`}>
            {t("office.company.signIn")}
          </a>
          <p className="or">{t("office.or")}</p>
        </div>
      )}
    </>
  );
}

/** A proof, or another sign-in, over a page on which something was typed: in another tab, so that it stays. */
export function CompanyProof({ proof, onDone }: { proof: boolean; onDone: () => void }) {
  const { t } = useTexts();
  const [opened, setOpened] = useState(false);
  const asked = new URLSearchParams({ ...(proof && { for: "proof" }), goTo: location.pathname });
  return (
    <>
      <a
        className="button"
        href={`${companyPath}?${asked}`}
        target="_blank"
        rel="noreferrer"
        onClick={() => setOpened(true)}
      >
        {t(proof ? "office.company.prove" : "office.company.signIn")}
      </a>
      <p className="note">{t("office.company.newTab")}</p>
      {opened && (
        <button type="button" className="button solid" onClick={onDone}>
          {t("office.company.goOn")}
        </button>
      )}
    </>
  );
}
