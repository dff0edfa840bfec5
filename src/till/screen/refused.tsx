import { useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { Band, Fact, Facts } from "./band.tsx";
import type { Failure } from "./failure.ts";
import { eurosOf } from "./goods.ts";
import { useEuros } from "./use-euros.ts";
import { countdown, useNow } from "./use-now.ts";
import { type SaleInHand, vouchersOf } from "./use-sale.ts";

export interface Refused {
  kind: "voucher" | "sale" | "network";
  /** Of the voucher. */
  code: string;
  failure: Failure;
}

/** The server said no. The sale is as it was; the black button goes on. */
export function RefusedView({
  refused,
  inHand,
  onRetry,
  onWithout,
  onBack,
}: {
  refused: Refused;
  inHand: SaleInHand;
  onRetry: () => void;
  onWithout: () => void;
  onBack: () => void;
}) {
  const { t, number } = useTexts();
  const euros = useEuros();
  const { sale, total } = inHand;
  const { kind, code, failure } = refused;
  const member = sale.customer?.member;
  const [freeAt] = useState(() => Date.now() + (failure.waitSeconds ?? 0) * 1_000);
  const now = useNow(failure.waitSeconds !== undefined);
  const value = vouchersOf(sale).find(({ Code }) => Code === code)?.Value;
  const withVouchers = kind === "voucher" || Object.keys(sale.holds).length > 0;
  const held = failure.code === "voucher_held";
  return (
    <main className="till-page">
      <Band
        tone="refused"
        title={t(kind === "network" ? "till.refused.network" : held ? "till.refused.held" : "till.refused.title")}
        title2={t(kind === "network" ? "till.refused.network2" : held ? "till.refused.held2" : "till.refused.title2")}
      >
        {kind === "network"
          ? t("till.refused.networkText")
          : held
            ? t("till.refused.heldText", { time: countdown(freeAt - now) })
            : (failure.detail ?? t("till.network"))}
      </Band>
      <Facts>
        {kind === "voucher" && <Fact name={<strong>{value ? euros(value) : t("till.voucher")}</strong>}>{code}</Fact>}
        {member && (
          <Fact name={member.Name}>
            {member.Tier.Name}, {t("till.points", { count: member.Points, formatted: number(member.Points) })}
          </Fact>
        )}
      </Facts>
      <p className="till-tell">
        {total > 0 ? t("till.intact", { amount: euros(eurosOf(total)) }) : t("till.intactEmpty")}
      </p>
      <div className="till-foot till-actions">
        <button type="button" className="till-button" onClick={onRetry}>
          {t("till.again")}
        </button>
        <button type="button" className="till-button till-solid" onClick={withVouchers ? onWithout : onBack}>
          {t(kind === "voucher" ? "till.goOnWithout" : withVouchers ? "till.goOnWithoutAny" : "till.backToSale")}
        </button>
      </div>
    </main>
  );
}
