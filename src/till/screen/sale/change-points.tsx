import { useId, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { browserCall } from "#platform/api/client/client.ts";
import * as calls from "#till/calls.ts";
import { type Failure, failureText } from "#till/screen/failure.ts";
import type { Programme } from "#till/screen/use-programme.ts";
import type { SaleInHand } from "./use-sale.ts";

/** The most valuable ones; cheaper ones are for the customer's own account. */
const mostOffered = 2;

/**
 * Points into a voucher, which this sale then takes. The customer agrees by the scanned card, or by the code on their phone; a
 * second press confirms.
 */
export function ChangePoints(props: {
  inHand: SaleInHand;
  programme: Programme | undefined;
  online: boolean;
  onFailure: (error: unknown) => Failure;
  onTake: (code: string) => void;
}) {
  const { inHand, online } = props;
  const { t, number, money } = useTexts();
  const [chosen, setChosen] = useState<number>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [typed, setTyped] = useState("");
  const codeId = useId();
  const { customer } = inHand.sale;
  const member = customer?.member;
  const rewards = (props.programme?.Rewards ?? []).filter(({ Points }) => member && Points <= member.Points);
  // Without a confirmed address, and while points are owed, none are spent.
  if (!online || !customer || !member?.Confirmed || member.Debt > 0 || rewards.length === 0) return null;
  // As the server sees it: what was typed, or found by a name, is not the card.
  const needsCode = !customer.scanned || customer.cardNumber === undefined;
  const code = typed.replace(/\s/g, "");
  const offered = rewards.toSorted((a, b) => b.Points - a.Points).slice(0, mostOffered);

  async function change(IdLoyaltyReward: number) {
    if (chosen !== IdLoyaltyReward) return setChosen(IdLoyaltyReward);
    if (busy || !customer || !member) return;
    setBusy(true);
    setError(undefined);
    try {
      const fields = {
        CustomerToken: member.CustomerToken,
        IdLoyaltyReward: String(IdLoyaltyReward),
        ...(needsCode && { Code: code }),
      };
      const { Voucher, Points } = await browserCall(calls.obtainVoucher, { ...fields, Points: String(member.Points) });
      const Vouchers = [...member.Vouchers, Voucher];
      const known = { ...customer, member: { ...member, Points: Points.Available, Vouchers } };
      // Another customer's in the meantime: the voucher is in the account of the first.
      if (inHand.latest.current.customer !== customer) return;
      inHand.change({ customer: known });
      props.onTake(Voucher.VoucherToken);
    } catch (thrown) {
      const failure = props.onFailure(thrown);
      setError(failure.offline ? t("till.needsNetwork") : failureText(failure, t));
    } finally {
      setChosen(undefined);
      setTyped("");
      setBusy(false);
    }
  }

  return (
    <>
      {needsCode && (
        <div className="till-phone-code">
          <p className="note">{t("till.points.needCard")}</p>
          <label htmlFor={codeId}>{t("till.points.code")}</label>
          <input
            id={codeId}
            type="text"
            inputMode="numeric"
            autoComplete="off"
            maxLength={7}
            value={typed}
            onChange={(event) => setTyped(event.target.value.replace(/[^\d ]/g, ""))}
          />
        </div>
      )}
      <ul>
        {offered.map(({ IdLoyaltyReward, Points, Value }) => {
          const left = member.Points - Points;
          const offer = { count: Points, formatted: number(Points), amount: money(Value.Amount) };
          return (
            <li key={IdLoyaltyReward}>
              <button
                type="button"
                className="till-change"
                disabled={needsCode && code.length !== 6}
                aria-disabled={busy || undefined}
                onClick={() => change(IdLoyaltyReward)}
              >
                <strong>{t(chosen === IdLoyaltyReward ? "till.points.confirm" : "till.points.change", offer)}</strong>
                <small>{t("till.points.left", { count: left, formatted: number(left) })}</small>
              </button>
            </li>
          );
        })}
      </ul>
      <p role="alert" className="message">
        {error}
      </p>
    </>
  );
}
