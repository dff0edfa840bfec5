import { useState } from "react";
import { amountOf } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { countdown, useNow } from "#till/screen/browser/use-now.ts";
import type { Failure } from "#till/screen/failure.ts";
import { Band, Fact, Facts } from "#till/screen/layout/band.tsx";
import { useExactMoney } from "#till/screen/use-exact-money.ts";
import { type SaleInHand, vouchersOf } from "./use-sale.ts";

export interface Refused {
  kind: "voucher" | "sale" | "network";
  /** Of the voucher. */
  code: string;
  failure: Failure;
}

/** The server said no, or nothing. The sale is as it was, or may be recorded already; the black button goes on. */
export function RefusedView({
  refused,
  inHand,
  online,
  notice,
  onRetry,
  onWithout,
  onKeep,
  onBack,
}: {
  refused: Refused;
  inHand: SaleInHand;
  online: boolean;
  notice: string | undefined;
  onRetry: () => void;
  /** Without these vouchers. */
  onWithout: (codes: string[]) => void;
  /** Where the sale may wait on this device. */
  onKeep: (() => void) | undefined;
  onBack: () => void;
}) {
  const { t, number } = useTexts();
  const exactMoney = useExactMoney();
  const { sale, quote, total, toPayCents } = inHand;
  const { kind, failure } = refused;
  const held = Object.keys(sale.holds);
  // Where one voucher alone is the reason, the others stay.
  const wrong = held.filter((one) => quote?.Vouchers.some(({ Code, Reason }) => Code === one && Reason));
  const code = kind === "sale" && wrong.length === 1 ? (wrong[0] ?? "") : refused.code;
  const member = sale.customer?.member;
  const [freeAt] = useState(() => Date.now() + (failure.waitSeconds ?? 0) * 1_000);
  const now = useNow(failure.waitSeconds !== undefined);
  const voucher = vouchersOf(sale).find(({ Code }) => Code === code);
  const back = kind === "network" && online;
  // What may be recorded already is tried again under its number, unless it can wait on this device.
  const canRetry =
    kind === "network" || failure.offline || failure.fault || failure.notStored || failure.waitSeconds !== undefined;
  const retryFirst = kind !== "voucher" && !onKeep && (sale.sent || back);
  const [title, title2] =
    kind === "network"
      ? online
        ? [t("till.refused.back"), t("till.refused.back2")]
        : [t("till.refused.network"), t("till.refused.network2")]
      : failure.code === "voucher_held"
        ? [t("till.refused.held"), t("till.refused.held2")]
        : failure.notStored
          ? [t("till.refused.notStored"), t("till.refused.notStored2")]
          : failure.fault
            ? [t("till.refused.fault"), t("till.refused.fault2")]
            : [t("till.refused.title"), t("till.refused.title2")];
  const button = (first: boolean) => `button ${first ? "solid" : ""}`;
  const again = (
    <button type="button" className={button(retryFirst)} onClick={onRetry}>
      {t("till.again")}
    </button>
  );
  return (
    <main className="till-page">
      <Band tone={back ? "offline" : "refused"} title={title} title2={title2} notice={notice}>
        {kind === "network"
          ? t(online ? "till.refused.backText" : "till.refused.networkText")
          : failure.code === "voucher_held"
            ? t("till.refused.heldText", { time: countdown(freeAt - now) })
            : failure.notStored
              ? t("till.refused.notStoredText")
              : (failure.detail ?? t(failure.fault ? "till.refused.faultText" : "till.network"))}
      </Band>
      <Facts>
        {code && (
          <Fact name={<strong>{voucher?.Value ? exactMoney(voucher.Value) : t("till.voucher")}</strong>}>
            {voucher?.Shown ?? code}
          </Fact>
        )}
        {member && (
          <Fact name={member.Name}>
            {member.Tier.Name}, {t("till.points", { count: member.Points, formatted: number(member.Points) })}
          </Fact>
        )}
        {sale.sent && <Fact name={t("till.receipt")}>{sale.receiptNumber}</Fact>}
      </Facts>
      <p className="till-tell">
        {sale.sent
          ? t(onKeep ? "till.countsOnce" : "till.numberStays", { number: sale.receiptNumber })
          : total > 0
            ? t("till.intact", { amount: exactMoney(amountOf(toPayCents)) })
            : t("till.intactEmpty")}
      </p>
      <div className="till-foot till-actions">
        {canRetry && !retryFirst && again}
        {code ? (
          <button type="button" className={button(!retryFirst)} onClick={() => onWithout([code])}>
            {t("till.goOnWithout")}
          </button>
        ) : held.length > 0 ? (
          <button type="button" className={button(!retryFirst)} onClick={() => onWithout(held)}>
            {t("till.goOnWithoutAny")}
          </button>
        ) : (
          <>
            <button type="button" className={button(!retryFirst && !onKeep)} onClick={onBack}>
              {t("till.backToSale")}
            </button>
            {onKeep && (
              <button type="button" className={button(true)} onClick={onKeep}>
                {t("till.keep")}
              </button>
            )}
          </>
        )}
        {retryFirst && again}
      </div>
    </main>
  );
}
