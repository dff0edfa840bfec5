import { useContext, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { forCustomerField } from "#platform/api/client/client.ts";
import { FormFrame } from "#ui/form/page-form.tsx";
import { requestWalletLink, useWallet } from "./wallet-store.ts";

/** Each press on Google's button requests the link to the wallet, unless the one before is still on its way. */
export function WalletRequest({ press }: { press: number }) {
  const [requested, setRequested] = useState(false);
  // The request issues a pass, so it names the customer whose page this is.
  const { fields } = useContext(FormFrame);
  const request = useEffectEvent(() => {
    if (requested) return;
    setRequested(true);
    void requestWalletLink(fields[forCustomerField]);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs for each press.
  useEffect(() => request(), [press]);
  return (
    <>
      {requested && <Preparing onEnd={() => setRequested(false)} />}
      <Failure />
    </>
  );
}

/** A modal dialog while the link is requested; with the response the browser goes to the wallet. */
function Preparing({ onEnd }: { onEnd: () => void }) {
  const { t } = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const { loading, data } = useWallet();
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);
  useEffect(() => {
    if (loading) return;
    if (data) location.assign(data.SaveUrl);
    onEnd();
  }, [loading, data, onEnd]);
  return (
    <dialog ref={dialog} className="sheet waiting" aria-label={t("member.walletPreparing")} onClose={onEnd}>
      <p className="flex items-center justify-center gap-5 font-display text-3xl leading-tight">
        <span aria-hidden="true" className="turning size-8 shrink-0 rounded-full border-2 border-line border-t-ink" />
        <span role="status">{t("member.walletPreparing")}</span>
      </p>
    </dialog>
  );
}

function Failure() {
  const { t } = useTexts();
  const { error } = useWallet();
  if (!error) return null;
  return (
    <p role="alert" className="basis-full message">
      {error.detail ?? t("form.unreachable")}
    </p>
  );
}
