import type { ReactNode } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { countdown, useNow } from "#till/screen/browser/use-now.ts";
import { type SaleInHand, vouchersOf } from "./use-sale.ts";

/** A hold lasts so long; the gold edge shows what is left of it. */
const holdMs = 15 * 60_000;

/** The customer's vouchers: a touch takes one for this receipt, another gives it back. */
export function Vouchers({
  inHand,
  firstname,
  online,
  onTake,
  children,
}: {
  inHand: SaleInHand;
  firstname: string | undefined;
  online: boolean;
  onTake: (code: string) => void;
  /** What else may become a voucher. */
  children?: ReactNode;
}) {
  const { t, money, date } = useTexts();
  const { sale, quote, giveBack } = inHand;
  const vouchers = vouchersOf(sale);
  const now = useNow(Object.keys(sale.holds).length > 0);
  // Online, a card without a member is no one's: there is nothing to wait for.
  if (!sale.customer || (online && !sale.customer.member && vouchers.length === 0)) return null;
  return (
    <section className="till-vouchers" aria-labelledby="vouchers">
      <div className="till-vouchers-head">
        <h2 id="vouchers">{firstname ? t("till.vouchersOf", { name: firstname }) : t("till.vouchers")}</h2>
        {vouchers.length > 0 && <span>{t(online ? "till.touch" : "till.needsNetwork")}</span>}
      </div>
      {vouchers.length === 0 && (
        <p className="note">
          {t(
            !sale.customer.member
              ? "till.needsNetwork"
              : sale.customer.vouchersListed
                ? "till.noVouchers"
                : "till.vouchersNeedCard",
          )}
        </p>
      )}
      <ul>
        {vouchers.map(({ Code, Shown, Value, ExpiresAt, State }) => {
          const until = sale.holds[Code];
          const left = until ? Date.parse(until) - now : 0;
          const taken = left > 0;
          const { Reason: reason, Lines: unpaid = [] } = quote?.Vouchers.find((one) => one.Code === Code) ?? {};
          return (
            <li key={Code}>
              <button
                type="button"
                className="till-voucher"
                aria-pressed={taken}
                data-refused={(taken && reason) || undefined}
                disabled={!online}
                onClick={() => (taken ? giveBack([Code]) : onTake(Code))}
              >
                <strong>{Value ? money(Value) : Shown}</strong>
                <span>
                  {taken ? (
                    <>
                      {reason ? t(`till.reason.${reason}` as "till.reason.basket_too_small") : t("till.taken")}
                      {unpaid.map(({ Line, Reason }) => (
                        <small key={Line}>
                          {t("till.unpaidLine", { line: Line, reason: t(`till.lineReason.${Reason}`) })}
                        </small>
                      ))}
                      <b>{countdown(left)}</b>
                    </>
                  ) : (
                    <>
                      {t(until ? "till.holdEnded" : State === "held" ? "till.heldElsewhere" : "till.available")}
                      {ExpiresAt && <small>{t("till.until", { date: date(ExpiresAt) })}</small>}
                    </>
                  )}
                </span>
                {taken && <progress aria-hidden="true" max={holdMs} value={left} />}
              </button>
            </li>
          );
        })}
      </ul>
      {children}
    </section>
  );
}
