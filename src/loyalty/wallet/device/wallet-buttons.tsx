import { type MouseEvent, useContext, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { type readWallets, saveToApple } from "#loyalty/calls.ts";
import { walletParameter } from "#loyalty/paths.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { FormFrame } from "#ui/form/page-form.tsx";
import { lazyPart } from "#ui/lazy.tsx";
import { SvgImage } from "#ui/svg-image.tsx";
import type { Device } from "./wallet-device.ts";

type Offered = ResponseBody<typeof readWallets>;

const WalletRequest = lazyPart(async () => (await import("./wallet-request.tsx")).WalletRequest, { texts: ["later"] });

/** The button of the wallet that this device supports; on a desktop both. */
export function WalletButtons({ wallets, device }: { wallets: Offered; device: Device }) {
  const { t } = useTexts();
  /** Counts the presses; each one that is not answered yet waits for the one before. */
  const [presses, setPresses] = useState(0);
  const { fields } = useContext(FormFrame);

  function add(event: MouseEvent) {
    event.preventDefault();
    setPresses(presses + 1);
  }

  return (
    <>
      {wallets.Google && device !== "apple" && (
        <a
          className="button px-3"
          href={`?${new URLSearchParams({ [walletParameter]: "google", ...fields })}`}
          onClick={add}
        >
          {t("member.walletGoogle")}
        </a>
      )}
      {wallets.Apple && device !== "google" && (
        <a className="button px-3" href={`/api/${saveToApple.replace("GET ", "")}?${new URLSearchParams(fields)}`}>
          {t("member.walletApple")}
        </a>
      )}
      {presses > 0 && <WalletRequest press={presses} />}
    </>
  );
}

/** On a desktop: a QR code of this page, for the phone that holds the wallet. */
export function WalletOnPhone({ wallets }: { wallets: Offered }) {
  const { t } = useTexts();
  return (
    <div className="mt-9 flex flex-wrap items-center gap-5 print:hidden">
      <SvgImage svg={wallets.QrSvg} alt={t("member.walletQr")} className="size-20 shrink-0 border border-line" />
      <p className="grow basis-24 text-md text-soft">{t("member.walletPhone")}</p>
    </div>
  );
}
