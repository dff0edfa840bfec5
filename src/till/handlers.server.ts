import { ne } from "drizzle-orm";
import { qrSvg } from "#loyalty/card/barcode.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import type { TillCodes } from "#loyalty/rewards/till-code.server.ts";
import { apiModule } from "#platform/api/api-module.server.ts";
import type { CreateLimit } from "#platform/limits/limits.server.ts";
import { refuseField } from "#platform/refusal.ts";
import { postPurchase } from "#shop/calls.ts";
import { shops } from "#shop/keys/shops.tables.server.ts";
import { readCatalogue } from "#shop/sales/catalogue/catalogue.server.ts";
import { countSaleGuesses } from "#shop/sales/claim/guesses.server.ts";
import { askedOf, purchaseOf } from "#shop/sales/fields.server.ts";
import { nextRewardOf } from "#shop/sales/purchase/next-reward.server.ts";
import { proofOf } from "#shop/sales/return/receipt-proof.server.ts";
import { undoReturn } from "#shop/sales/return/undo-return.server.ts";
import { type SellingDependencies, sellingHandlers } from "#shop/sales/selling.server.ts";
import { withVouchers } from "#shop/sales/voucher/named-vouchers.server.ts";
import type { Pins } from "#staff/pins.server.ts";
import { pair, pairingLimits, unpair } from "#till/pairing/pairing.server.ts";
import {
  clearedDeviceCookie,
  clearedStaffCookie,
  deviceCookieOf,
  staffCookieOf,
} from "#till/sign-in/cookies.server.ts";
import { lockTill, signIn } from "#till/sign-in/sign-in.server.ts";
import * as calls from "./calls.ts";
import { type AtTill, tillContract, tillLine } from "./contract.server.ts";
import { correctSale } from "./correct-sale.server.ts";
import { enrol } from "./customers/enrol.server.ts";
import { identifyAtTill } from "./customers/identify.server.ts";
import { obtainVoucher } from "./customers/obtain-voucher.server.ts";
import { listReceipts } from "./customers/receipts.server.ts";
import { searchByName } from "./customers/search.server.ts";
import { readDay } from "./day/day.server.ts";
import { countDay } from "./day/day-count.server.ts";
import { readReceipt } from "./receipt.server.ts";
import { emailReceipt } from "./receipt-email.server.ts";
import { readState } from "./state.server.ts";

export function tillModule(
  deps: SellingDependencies & { pins: Pins; tillCodes: TillCodes; createLimit: CreateLimit; secureCookies: boolean },
) {
  const { database, pins, secureCookies } = deps;
  const limits = pairingLimits(deps.createLimit);
  const selling = sellingHandlers(deps);

  return apiModule(tillContract, {
    ...atTill(selling),

    async [calls.postPurchase](call) {
      const { rewards } = await deps.findProgramme(defaultProgrammeId, call.now);
      const { Corrects: corrects, ...input } = call.input;
      const { caller, now, locale } = call;
      const purchase = corrects && (await withVouchers(deps.tokens, purchaseOf(input, caller), caller.shopId, now));
      const answer = purchase
        ? await countSaleGuesses(deps, caller, purchase, now, () =>
            correctSale(deps, caller, { purchase, corrects }, { now, locale }),
          )
        : await selling[postPurchase]({ ...call, input });
      return {
        ...answer,
        NextReward: answer.Tier && nextRewardOf(rewards, answer.Points.Available, answer.Points.Debt),
        ...(answer.ClaimUrl && { ClaimQrSvg: qrSvg(answer.ClaimUrl) }),
      };
    },

    async [calls.identify]({ input, caller, now, locale }) {
      return identifyAtTill(deps, caller, input, { now, locale });
    },

    async [calls.searchByName]({ input, caller, now, locale }) {
      return searchByName(deps, caller, input.Text, { now, locale });
    },

    async [calls.enrol]({ input, caller, now, locale }) {
      return enrol(deps, caller, input, { now, locale });
    },

    async [calls.obtainVoucher]({ input, caller, now }) {
      const { CustomerToken, IdLoyaltyReward: rewardId, Points: points, Code: code } = input;
      return obtainVoucher(deps, caller, { CustomerToken, rewardId, points, code }, now);
    },

    async [calls.listReceipts]({ input, caller, now, locale }) {
      return listReceipts(deps, caller, input.CardNumber, { now, locale });
    },

    async [calls.undoReturn]({ input, caller, now }) {
      return undoReturn(deps, caller, input.ReceiptNumber, now);
    },

    async [calls.emailReceipt]({ input, caller, now }) {
      return emailReceipt(deps, caller, input.ReceiptNumber, now);
    },

    async [calls.countDay]({ input, caller, now, locale }) {
      return countDay(database, caller, input, { now, locale });
    },

    async [calls.readDay]({ input, caller, now, locale }) {
      return readDay(database, caller, { all: input.All ?? false, now, locale });
    },

    async [calls.listOtherShops]({ caller }) {
      const { id: IdShop, name: Name, city: City } = shops;
      const others = database.select({ IdShop, Name, City }).from(shops).where(ne(IdShop, caller.shopId));
      return { Shops: await others.orderBy(Name, City, IdShop) };
    },

    async [calls.readCatalogue]({ now, locale }) {
      return readCatalogue(deps.findProgramme, now, locale);
    },

    async [calls.readReceipt]({ input, caller, now, locale }) {
      const { ReceiptNumber, IdShop, ClaimCode } = input;
      if (ReceiptNumber === undefined && ClaimCode === undefined) refuseField("ReceiptNumber", "required");
      if (ReceiptNumber !== undefined && ClaimCode !== undefined) refuseField("ClaimCode", "twice");
      const named = { ReceiptNumber, IdShop, ClaimCode, proof: proofOf(input) };
      return readReceipt(deps, caller, named, askedOf(input), { now, locale });
    },

    async [calls.readState]({ request, now }) {
      return readState(database, request, now);
    },

    async [calls.pair]({ input: { Code: code, TillName: tillName }, headers, ...call }) {
      const { device, answer } = await pair({ database, pins, limits }, { code, tillName }, call);
      headers.append("set-cookie", deviceCookieOf(device, secureCookies));
      headers.append("set-cookie", clearedStaffCookie(secureCookies));
      return answer;
    },

    async [calls.unpair]({ input, caller, now, requestId, headers }) {
      await unpair({ database, pins }, caller, { staffId: input.IdStaff, pin: input.Pin }, { now, requestId });
      headers.append("set-cookie", clearedDeviceCookie(secureCookies));
      headers.append("set-cookie", clearedStaffCookie(secureCookies));
      return {};
    },

    async [calls.signIn]({ input, caller, now, requestId, headers }) {
      const asked = { staffId: input.IdStaff, pin: input.Pin };
      const { token, answer } = await signIn({ database, pins }, caller, asked, { now, requestId });
      headers.append("set-cookie", staffCookieOf(token, secureCookies));
      return answer;
    },

    async [calls.lock]({ caller, now, requestId, headers }) {
      await lockTill(database, caller, { now, requestId });
      headers.append("set-cookie", clearedStaffCookie(secureCookies));
      return {};
    },
  });
}

/** The shop's handlers by the till's lines; the cast says what the loop does. */
function atTill<ByLine extends object>(byLine: ByLine) {
  const entries = Object.entries(byLine).map(([line, handler]) => [tillLine(line), handler]);
  return Object.fromEntries(entries) as { [Line in keyof ByLine as AtTill<Line>]: ByLine[Line] };
}
