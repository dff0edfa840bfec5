import { type MouseEvent, useContext, useEffect, useRef, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { type readWallets, saveToApple } from "#loyalty/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { forCustomerField } from "#platform/api/client.ts";
import { FormFrame } from "#ui/form.tsx";
import { SvgImage } from "#ui/svg-image.tsx";
import type { Device } from "./wallet-device.ts";
import { requestWalletLink, useWallet } from "./wallet-store.ts";

type Offered = ResponseBody<typeof readWallets>;

/** Without script, the loader redirects from this query parameter to the wallet. */
export const googleParameter = "wallet";

/** The button of the wallet that this device supports; on a desktop both. */
export function WalletButtons({ wallets, device }: { wallets: Offered; device: Device }) {
  const { t } = useTexts();
  const [requested, setRequested] = useState(false);
  // The request issues a pass, so it names the customer whose page this is.
  const { fields } = useContext(FormFrame);

  function add(event: MouseEvent) {
    event.preventDefault();
    if (requested) return;
    setRequested(true);
    void requestWalletLink(fields[forCustomerField]);
  }

  return (
    <>
      {wallets.Google && device !== "apple" && (
        <a
          className="button button-solid px-5"
          href={`?${new URLSearchParams({ [googleParameter]: "google", ...fields })}`}
          onClick={add}
        >
          {t("member.walletGoogle")}
        </a>
      )}
      {wallets.Apple && device !== "google" && (
        <a
          className="button button-solid px-5"
          href={`/api/${saveToApple.replace("GET ", "")}?${new URLSearchParams(fields)}`}
        >
          {t("member.walletApple")}
        </a>
      )}
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
      <p className="flex items-center justify-center gap-5 font-display text-[1.5rem] leading-tight">
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
    <p role="alert" className="basis-full text-[0.9375rem] text-bad">
      {error.detail ?? t("form.unreachable")}
    </p>
  );
}

/** On a desktop: a QR code of this page, for the phone that holds the wallet. */
export function WalletOnPhone({ wallets }: { wallets: Offered }) {
  const { t } = useTexts();
  return (
    <div className="mt-6 flex items-center gap-5">
      <SvgImage svg={wallets.QrSvg} alt={t("member.walletQr")} className="size-24 shrink-0 border border-line" />
      <p className="text-[0.9375rem] text-soft">{t("member.walletPhone")}</p>
    </div>
  );
}
