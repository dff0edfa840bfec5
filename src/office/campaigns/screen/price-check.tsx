import { useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/campaigns/calls.ts";
import { useAct } from "#office/screen/controls/use-act.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { usePriceWords } from "./use-campaign-words.ts";

/** What the campaign would cost as the form is now, for the person who fills it in; the next change makes it old. */
export function usePriceCheck(fieldsOf: (form: FormData) => FormData) {
  const { act, busy, failure } = useAct(calls.priceCampaign);
  const [found, setFound] = useState<ResponseBody<typeof calls.priceCampaign>>();
  const [asked, setAsked] = useState(false);
  const forget = () => {
    setFound(undefined);
    setAsked(false);
  };
  const ask = async (form: HTMLFormElement) => {
    setAsked(true);
    setFound(await act(fieldsOf(new FormData(form))));
    form.addEventListener("input", forget, { once: true });
  };
  return { busy, found, failure: asked ? failure : undefined, forget, ask };
}

export function PriceCheck({ check }: { check: ReturnType<typeof usePriceCheck> }) {
  const { t } = useTexts();
  const words = usePriceWords();
  return (
    <div>
      <button
        type="button"
        className="button"
        disabled={check.busy}
        onClick={({ currentTarget: { form } }) => form && check.ask(form)}
      >
        {t("office.campaigns.priceAsk")}
      </button>
      <p className="note" role="status">
        {check.found ? words(check.found) : t("office.campaigns.priceAskHint")}
      </p>
    </div>
  );
}
