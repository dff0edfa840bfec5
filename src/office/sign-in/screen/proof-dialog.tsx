import { useEffect, useRef } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { CompanyProof, companyAccount } from "./company-link.tsx";
import { Credentials } from "./credentials.tsx";

/** Asks who it is, over the page, so that what was typed stays. */
export function ProofDialog({ what, onClose }: { what: "proof" | "sign-in"; onClose: (given: boolean) => void }) {
  const { t } = useTexts();
  const ref = useRef<HTMLDialogElement>(null);
  const given = useRef(false);
  useEffect(() => ref.current?.showModal(), []);
  const done = () => {
    given.current = true;
    ref.current?.close();
  };
  return (
    <dialog ref={ref} className="sheet" aria-labelledby="proof-title" onClose={() => onClose(given.current)}>
      <h2 id="proof-title">{t(what === "proof" ? "office.proof.title" : "office.ended.title")}</h2>
      <p className="note">{t(what === "proof" ? "office.proof.text" : "office.ended.text")}</p>
      {companyAccount() && <CompanyProof proof={what === "proof"} onDone={done} />}
      <Credentials proof={what === "proof"} onDone={done} />
      <button type="button" className="office-link" onClick={() => ref.current?.close()}>
        {t("office.cancel")}
      </button>
    </dialog>
  );
}
