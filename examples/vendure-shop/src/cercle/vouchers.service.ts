import { CercleError, Refused } from "@cercle/client";
import { amountOf, centsOf } from "@cercle/client/money";
import { Inject, Injectable } from "@nestjs/common";
import {
  Logger,
  Order,
  OrderService,
  type RequestContext,
  TransactionalConnection,
  UserInputError,
} from "@vendure/core";
import { cercle } from "./cercle.ts";
import { subOf } from "./fields.ts";
import { takenOff } from "./promotion.ts";
import { linesOf } from "./receipt.ts";

/** A basket that is left behind gives its voucher back soon. */
const basketMinutes = 60;
/** Between the order and the capture of its payment: the longest hold. */
const paymentMinutes = 72 * 60;

/** Vouchers on an order that is not paid yet: held for its code, which is the receipt's number later. */
@Injectable()
export class VouchersService {
  @Inject(OrderService) private readonly orders!: OrderService;
  @Inject(TransactionalConnection) private readonly connection!: TransactionalConnection;

  async use(ctx: RequestContext, { id }: Order, token: string): Promise<Order> {
    const order = await this.load(ctx, id);
    const codes = [...codesOf(order), token].join(",");
    try {
      await hold(order, codes, basketMinutes);
      const { Vouchers } = await quote(order, codes);
      const refused = Vouchers.find(({ Reason }) => Reason);
      if (refused) {
        await release(order, token);
        throw new UserInputError(`This voucher cannot be used for this basket (${refused.Reason}).`);
      }
      return await this.price(ctx, order, codes, sum(Vouchers.map(({ Value }) => Value)));
    } catch (error) {
      if (error instanceof CercleError) throw new UserInputError(messageOf(error));
      throw error;
    }
  }

  async remove(ctx: RequestContext, { id }: Order): Promise<Order> {
    const order = await this.load(ctx, id);
    const codes = codesOf(order).join(",");
    if (codes) await release(order, codes);
    return this.price(ctx, order, null, 0);
  }

  /** Before the customer pays: the vouchers are still there, and take off what the customer sees. Otherwise what to tell them. */
  async confirm(order: Order): Promise<string | undefined> {
    const codes = codesOf(order).join(",");
    if (!codes) return undefined;
    try {
      await hold(order, codes, paymentMinutes);
      const { VoucherTotal } = await quote(order, codes);
      if (centsOf(VoucherTotal) === takenOff(order)) return undefined;
      return `Your vouchers take off ${VoucherTotal} now, not ${amountOf(takenOff(order))}. Remove them, and choose again.`;
    } catch (error) {
      if (error instanceof CercleError) return messageOf(error);
      throw error;
    }
  }

  /** An order that was cancelled before it was paid. */
  async giveBack(order: Order): Promise<void> {
    const codes = codesOf(order).join(",");
    if (codes) await release(order, codes);
  }

  /** What the basket earns, and the vouchers of the customer; nothing while Cercle does not respond. */
  async describe(ctx: RequestContext, { id }: Order) {
    const order = await this.load(ctx, id);
    const Sub = subOf(order);
    try {
      if (!Sub) return { points: null, pointsArriveAt: null, vouchers: [] };
      const [{ Customers }, { Points }] = await Promise.all([
        cercle.identify({ Sub }),
        quote(order, codesOf(order).join(",")),
      ]);
      const vouchers = (Customers[0]?.Vouchers ?? [])
        .filter(({ State }) => State === "available")
        .map(({ VoucherToken, Code, Value, ExpiresAt }) => ({
          ...{ token: VoucherToken, ending: Code.slice(-4), value: centsOf(Value), expiresAt: ExpiresAt },
        }));
      return { points: Points.Earned, pointsArriveAt: Points.ArrivesAt, vouchers };
    } catch (error) {
      if (!(error instanceof CercleError)) throw error;
      Logger.warn(`Basket: ${error.message}`, "Cercle");
      return { points: null, pointsArriveAt: null, vouchers: [] };
    }
  }

  private async load(ctx: RequestContext, id: Order["id"]): Promise<Order> {
    const order = await this.orders.findOne(ctx, id);
    if (!order) throw new UserInputError("There is no basket.");
    return order;
  }

  private async price(ctx: RequestContext, order: Order, codes: string | null, cents: number): Promise<Order> {
    Object.assign(order.customFields, { cercleVouchers: codes, cercleVoucherValue: cents });
    const { customFields } = order;
    await this.connection.getRepository(ctx, Order).update(order.id, { customFields });
    return this.orders.applyPriceAdjustments(ctx, order);
  }
}

const codesOf = ({ customFields: { cercleVouchers } }: Order): string[] => cercleVouchers?.split(",") ?? [];
const sum = (amounts: string[]): number => amounts.reduce((total, amount) => total + centsOf(amount), 0);

const hold = (order: Order, VoucherCodes: string, HoldMinutes: number) =>
  cercle.hold({ VoucherCodes, ReceiptNumber: order.code, HoldMinutes });

/** Without an answer the hold ends by itself. */
const release = (order: Order, VoucherCodes: string) =>
  cercle.release({ VoucherCodes, ReceiptNumber: order.code }).catch((error) => {
    if (!(error instanceof CercleError)) throw error;
  });

const quote = (order: Order, VoucherCodes: string) =>
  cercle.quote({
    ...{ Sub: subOf(order), Lines: linesOf(order), Currency: order.currencyCode },
    ...(VoucherCodes && { VoucherCodes, ReceiptNumber: order.code }),
  });

const messageOf = (error: CercleError): string =>
  error instanceof Refused
    ? `${error.problem?.detail}`
    : "Vouchers cannot be checked at the moment. Try again in a few minutes, or order without them.";
