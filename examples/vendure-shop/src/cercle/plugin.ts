import { type Injector, type OrderProcess, type OrderState, PluginCommonModule, VendurePlugin } from "@vendure/core";
import { customerFields, orderFields } from "./fields.ts";
import { LogoutController } from "./logout.controller.ts";
import { hasVoucher, takeVoucher } from "./promotion.ts";
import { ReceiptsService } from "./receipts.service.ts";
import { CercleResolver, schema } from "./shop-api.ts";
import { CercleSignIn } from "./sign-in.ts";
import { VouchersService } from "./vouchers.service.ts";

let vouchers: VouchersService;

/** Nothing is paid with a voucher that Cercle has not confirmed. */
const confirmVouchers: OrderProcess<OrderState> = {
  init(injector: Injector) {
    vouchers = injector.get(VouchersService);
  },
  async onTransitionStart(_from, to, { order }) {
    return to === "ArrangingPayment" ? vouchers.confirm(order) : undefined;
  },
};

/** Connects a Vendure shop to Cercle. */
@VendurePlugin({
  imports: [PluginCommonModule],
  compatibility: "^3.7.0",
  controllers: [LogoutController],
  providers: [VouchersService, ReceiptsService],
  shopApiExtensions: { schema, resolvers: [CercleResolver] },
  configuration(config) {
    config.customFields.Order.push(...orderFields);
    config.customFields.Customer.push(...customerFields);
    config.authOptions.shopAuthenticationStrategy.push(new CercleSignIn());
    config.orderOptions.process.push(confirmVouchers);
    config.promotionOptions.promotionConditions.push(hasVoucher);
    config.promotionOptions.promotionActions.push(takeVoucher);
    return config;
  },
})
export class CerclePlugin {}
