import { provideNumbers } from "#brand/texts.server.ts";
import { marketingAge } from "#identity/customer/age.ts";
import { passwordLength, resetLinkMinutes } from "#identity/fields/password-rule.ts";
import { linkMinutes } from "#identity/links/links.server.ts";
import { maxPasskeys } from "#identity/passkeys/passkeys.server.ts";
import { idleYears } from "#identity/privacy/retention.server.ts";
import { shortAddress } from "#identity/registration/registration-form.server.ts";
import { recentMinutes } from "#identity/session/reauthentication/reauthentication.server.ts";
import { codeMinutes } from "#identity/sign-in/code/code.server.ts";
import { historyMonths } from "#loyalty/ledger/month-end/liability.ts";
import { stages } from "#loyalty/ledger/warnings/warnings.server.ts";
import { maxPendingDays, mostPointsPerEuro } from "#loyalty/programme/rules.ts";
import { mostExtraPoints, mostHundredths } from "#office/campaigns/contract.server.ts";
import { periodYears } from "#office/metrics/period.server.ts";
import { simulatedMonths } from "#office/programme/simulator/simulate.server.ts";
import { pinLinkHours } from "#office/shops/pin-link.server.ts";
import { staffPasswordMin } from "#office/sign-in/contract.server.ts";
import { invitationHours } from "#office/sign-in/invitation.server.ts";
import { proofMinutes, sameActMinutes } from "#office/sign-in/session.server.ts";
import { listedDays } from "#office/team/look-ups.server.ts";
import { rotationDays as keyDays } from "#shop/keys/keys.server.ts";
import { keptDays } from "#shop/sales/receipts.server.ts";
import { rotationDays as secretDays } from "#shop/webhooks/endpoints.server.ts";
import { eventDays } from "#shop/webhooks/events.server.ts";
import { pairingMinutes } from "#till/pairing/pairing.server.ts";

const hour = 60;
const day = 24 * hour;

/** What every text may name: no text states a number that the code enforces. Numbers of the programme are arguments. */
export const textNumbers = {
  passwordMin: passwordLength.min,
  passwordMax: passwordLength.max,
  addressMin: shortAddress,
  ...{ marketingAge, maxPasskeys, idleYears, codeMinutes, recentMinutes, resetMinutes: resetLinkMinutes },
  confirmDays: linkMinutes.verify / day,
  newAddressHours: linkMinutes.email_change / hour,
  stopDays: linkMinutes.email_stop / day,
  firstWarningDays: Math.max(...stages),
  lastWarningDays: Math.min(...stages),
  receiptDays: keptDays,
  redemptionMonths: historyMonths,
  ...{
    pairingMinutes,
    staffPasswordMin,
    invitationHours,
    pinLinkHours,
    proofMinutes,
    sameActMinutes,
    periodYears,
    simulatedMonths,
  },
  ...{ maxPendingDays, maxExtraPoints: mostExtraPoints, maxMultiplier: mostHundredths / 100 },
  maxPointsPerUnit: mostPointsPerEuro,
  ...{ lookUpDays: listedDays, keyDays, secretDays, eventDays },
};

provideNumbers(textNumbers);
