import { useEffect, useRef, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { FormError } from "#office/screen/controls/controls.tsx";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import type { Failure } from "#office/screen/failure.ts";
import { pairTill } from "#office/shops/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { countdown, useNow } from "#till/screen/browser/use-now.ts";
import { Field } from "#ui/form/field.tsx";
import { SvgImage } from "#ui/svg-image.tsx";

type Pairing = ResponseBody<typeof pairTill>;

/** A code that makes one device a till: to scan, or to type. */
export function PairPanel({ shopId, onClose }: { shopId: number; onClose: () => void }) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(pairTill);
  const [name, setName] = useState("");
  const [pairing, setPairing] = useState<Pairing>();
  const pair = async (TillName: string) => {
    setName(TillName);
    const made = await act({ IdShop: String(shopId), ...(TillName && { TillName }) });
    if (made) setPairing(made);
  };
  return (
    <Panel title={t("office.tills.pair")} note={!pairing && t("office.tills.pairText")} onClose={onClose}>
      {pairing ? (
        <Code
          key={pairing.Code}
          pairing={pairing}
          busy={busy}
          failure={failure}
          onAgain={() => pair(name)}
          onClose={onClose}
        />
      ) : (
        <PanelForm
          action={t("office.tills.makeCode")}
          busy={busy}
          failure={failure}
          onSubmit={(form) => pair(String(form.get("TillName")))}
          onClose={onClose}
        >
          <Field
            name="TillName"
            label={t("office.tills.name")}
            autoComplete="off"
            maxLength={40}
            hint={t("office.tills.nameHint")}
          />
        </PanelForm>
      )}
    </Panel>
  );
}

function Code({
  pairing,
  busy,
  failure,
  onAgain,
  onClose,
}: {
  pairing: Pairing;
  busy: boolean;
  failure: Failure | undefined;
  onAgain: () => void;
  onClose: () => void;
}) {
  const { t } = useTexts();
  const left = new Date(pairing.EndsAt).getTime() - useNow();
  const { Code: code } = pairing;
  // The form that had the focus is gone.
  const ref = useRef<HTMLParagraphElement>(null);
  useEffect(() => ref.current?.focus(), []);
  if (left <= 0)
    return (
      <div className="office-form">
        <p role="status">{t("office.tills.codeEnded")}</p>
        <FormError failure={failure} />
        <button type="button" className="button solid" disabled={busy} onClick={onAgain}>
          {t("office.tills.newCode")}
        </button>
      </div>
    );
  return (
    <div className="office-form">
      <p>{t("office.tills.scan")}</p>
      <SvgImage svg={pairing.QrSvg} alt={t("office.tills.qr")} className="office-qr" />
      <p ref={ref} tabIndex={-1} className="office-secret office-code">
        {code.slice(0, 4)} {code.slice(4)}
      </p>
      <p className="note">{t("office.tills.typeCode", { address: pairing.Url.replace(/^https?:\/\/|#.*$/g, "") })}</p>
      <p className="note" role="timer">
        {t("office.tills.codeLeft", { time: countdown(left) })}
      </p>
      <button type="button" className="button solid" onClick={onClose}>
        {t("office.secret.done")}
      </button>
    </div>
  );
}
