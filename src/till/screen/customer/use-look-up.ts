import { useEffect, useEffectEvent } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { browserCall } from "#platform/api/client/client.ts";
import * as calls from "#till/calls.ts";
import type { InTurn } from "#till/screen/browser/use-turns.ts";
import type { Failure } from "#till/screen/failure.ts";
import { withTimeout } from "#till/screen/failure.ts";
import type { Customer, SaleInHand } from "#till/screen/sale/use-sale.ts";

/**
 * A card that was read without a network, or that a sale had which is rung up again, is looked up as soon as the server can
 * be asked. No one waits for the response; what it brings is taken in turn, so never in the middle of a scan.
 */
export function useLookUp(
  { sale, latest, setSale }: SaleInHand,
  given: {
    able: boolean;
    inTurn: InTurn;
    onFailure: (error: unknown) => Failure;
    onNotice: (notice: string) => void;
  },
): void {
  const { able, inTurn, onFailure } = given;
  const { t } = useTexts();
  const nameless = sale.customer?.member ? undefined : sale.customer;

  const lookUp = useEffectEvent(async (customer: Customer) => {
    const { cardNumber: CardNumber, scanned } = customer;
    if (CardNumber === undefined) return;
    const fields = { CardNumber, EntryMode: scanned ? ("scanned" as const) : ("typed" as const) };
    try {
      const { Customers } = await withTimeout(browserCall(calls.identify, fields));
      inTurn(async (formerWentWell) => {
        // The sale may be done, or another person's. Card and goods are the same, so a try that was made stays the same sale.
        if (latest.current.customer === customer)
          setSale((known) => ({ ...known, customer: { ...customer, member: Customers[0] } }));
        return formerWentWell;
      });
    } catch (error) {
      const { code } = onFailure(error);
      if (code === "not_found" && latest.current.customer === customer) given.onNotice(t("till.unknownCard"));
    }
  });
  useEffect(() => {
    if (able && nameless) void lookUp(nameless);
  }, [able, nameless]);
}
