import { CercleError } from "@cercle/client";
import { amountOf } from "@cercle/client/money";
import { Inject, Injectable, type OnApplicationBootstrap } from "@nestjs/common";
import {
  EventBus,
  type ID,
  type JobQueue,
  JobQueueService,
  Logger,
  Order,
  OrderService,
  OrderStateTransitionEvent,
  Refund,
  RefundStateTransitionEvent,
  RequestContext,
  type SerializedRequestContext,
  TransactionalConnection,
} from "@vendure/core";
import { cercle } from "./cercle.ts";
import { subOf } from "./fields.ts";
import { linesOf, type Receipt, receiptOf, shippingLine } from "./receipt.ts";
import { VouchersService } from "./vouchers.service.ts";

type Task = { kind: "sale" | "edit" | "refund"; id: ID; ctx: SerializedRequestContext };

const maxRetries = 1_000;
/** Nothing that a repetition could mend. */
class NeedsPerson extends Error {}
/** The sale is still on its way. */
class TooEarly extends Error {}

/**
 * What happens to orders, told to Cercle: paid, edited, refunded. Each is a job that is stored with the change itself, in one
 * transaction, and repeated by the queue until Cercle responds: the receipt's number makes that safe.
 */
@Injectable()
export class ReceiptsService implements OnApplicationBootstrap {
  @Inject(EventBus) private readonly events!: EventBus;
  @Inject(JobQueueService) private readonly jobs!: JobQueueService;
  @Inject(OrderService) private readonly orders!: OrderService;
  @Inject(TransactionalConnection) private readonly connection!: TransactionalConnection;
  @Inject(VouchersService) private readonly vouchers!: VouchersService;
  private queue!: JobQueue<Task>;

  async onApplicationBootstrap(): Promise<void> {
    this.queue = await this.jobs.createQueue({ name: "cercle", process: ({ data }) => this.send(data) });
    this.events.registerBlockingEventHandler({
      event: OrderStateTransitionEvent,
      id: "cercle-orders",
      handler: async ({ ctx, order, fromState, toState }) => {
        const isEdited = fromState === "Modifying" || fromState === "ArrangingAdditionalPayment";
        if (isEdited && toState !== "ArrangingAdditionalPayment") await this.add(ctx, "edit", order.id);
        else if (toState === "PaymentSettled") await this.add(ctx, "sale", order.id);
        else if (toState === "Cancelled" && !receiptOf(order).sale) await this.vouchers.giveBack(order);
      },
    });
    this.events.registerBlockingEventHandler({
      event: RefundStateTransitionEvent,
      id: "cercle-refunds",
      handler: async ({ ctx, refund, toState }) => {
        if (toState === "Settled") await this.add(ctx, "refund", refund.id);
      },
    });
  }

  private async add(ctx: RequestContext, kind: Task["kind"], id: ID): Promise<void> {
    await this.queue.add({ kind, id, ctx: ctx.serialize() }, { retries: maxRetries, ctx });
  }

  private async send({ kind, id, ctx: serialized }: Task): Promise<unknown> {
    const ctx = RequestContext.deserialize(serialized);
    const refund = kind === "refund" ? await this.loadRefund(ctx, id) : undefined;
    const order = await this.load(ctx, refund ? refund.payment.order.id : id);
    try {
      if (refund) return await this.giveBack(ctx, order, refund);
      return await (kind === "sale" ? this.sell(ctx, order) : this.amend(ctx, order));
    } catch (error) {
      // Whatever is not final fails the job, which is tried again.
      if (!(error instanceof NeedsPerson || (error instanceof CercleError && error.isFinal))) throw error;
      Logger.error(`${kind} of ${order.code}: ${error.message}`, "Cercle");
      await this.save(ctx, order, { cercleProblem: `${kind}: ${error.message}` });
      return { refused: error.message };
    }
  }

  private async sell(ctx: RequestContext, order: Order) {
    const receipt = receiptOf(order);
    if (!receipt.sale) {
      const SoldAt = (order.orderPlacedAt ?? new Date()).toISOString();
      receipt.sale = { SoldAt, Sub: subOf(order), Lines: linesOf(order, receipt.lineOf) };
      if (order.customFields.cercleVouchers) receipt.sale.VoucherCodes = order.customFields.cercleVouchers;
      await this.saveReceipt(ctx, order, receipt);
    }
    const answer = await cercle.purchase({
      ...{ ...receipt.sale, ReceiptNumber: order.code, Currency: order.currencyCode },
      // The customer has paid: a voucher that was lost meanwhile does not refuse the order.
      ...(receipt.sale.VoucherCodes && { OnVoucherLost: "accept" as const }),
    });
    receipt.isSold = true;
    const lost = answer.LostVouchers?.map(({ Code, Reason }) => `${Code}: ${Reason}`).join(", ");
    await this.saveReceipt(ctx, order, receipt, {
      cerclePoints: answer.Points.Earned,
      cerclePointsArriveAt: answer.Points.ArrivesAt ? new Date(answer.Points.ArrivesAt) : null,
      cercleClaimUrl: answer.ClaimUrl ?? null,
      cercleProblem: lost ? `Vouchers were lost before the order was paid: ${lost}` : null,
    });
    return answer.Points;
  }

  /** An order that was edited before it was paid is sold as it is then; later edits are amendments, numbered from 1. */
  private async amend(ctx: RequestContext, order: Order) {
    const receipt = receiptOf(order);
    if (!receipt.sale) return "not sold yet";
    if (!receipt.isSold) throw new TooEarly(`The sale ${order.code} is not there yet.`);
    const Lines = linesOf(order, receipt.lineOf);
    const last = receipt.amendments.at(-1) ?? receipt.sale.Lines;
    if (JSON.stringify(Lines) !== JSON.stringify(last)) {
      if (receipt.hasSums) throw new NeedsPerson("A sum was refunded before. Amend the receipt by hand.");
      receipt.amendments.push(Lines);
      await this.saveReceipt(ctx, order, receipt);
    }
    let points = order.customFields.cerclePoints ?? 0;
    for (const lines of receipt.amendments.slice(receipt.amended)) {
      const AmendNumber = receipt.amended + 1;
      const sent = { ReceiptNumber: order.code, AmendNumber, Lines: lines, Currency: order.currencyCode };
      const { Points } = await cercle.amend(sent);
      points += Points.Earned - Points.Taken;
      receipt.amended = AmendNumber;
      await this.saveReceipt(ctx, order, receipt, { cerclePoints: points });
    }
    return { points };
  }

  private async giveBack(ctx: RequestContext, order: Order, refund: Refund) {
    const receipt = receiptOf(order);
    const where = { id: order.id, modifications: { refund: { id: refund.id } } };
    // The amendment of an edit says what was taken out: told as a return too, it would count twice.
    if (await this.connection.getRepository(ctx, Order).existsBy(where)) return "part of an edit";
    if (!receipt.isSold) throw new TooEarly(`The sale ${order.code} is not there yet.`);
    const Lines = refundedLines(order, refund, receipt);
    const { Points } = await cercle.return({
      ...{ ReceiptNumber: `${order.code}-R${refund.id}`, OriginalReceiptNumber: order.code },
      ...{ SoldAt: refund.createdAt, Currency: order.currencyCode },
      ...(Lines.length > 0 ? { Lines } : { Amount: amountOf(refund.total), Spread: true }),
    });
    if (Lines.length === 0) receipt.hasSums = true;
    const left = (order.customFields.cerclePoints ?? 0) - Points.Taken;
    await this.saveReceipt(ctx, order, receipt, { cerclePoints: left });
    return Points;
  }

  private async load(ctx: RequestContext, id: ID): Promise<Order> {
    const order = await this.orders.findOne(ctx, id);
    if (!order) throw new Error(`There is no order ${id}.`);
    return order;
  }

  private loadRefund(ctx: RequestContext, id: ID): Promise<Refund> {
    const relations = { lines: true, payment: { order: true } };
    return this.connection.getRepository(ctx, Refund).findOneOrFail({ where: { id }, relations });
  }

  private saveReceipt(ctx: RequestContext, order: Order, receipt: Receipt, others: object = {}): Promise<void> {
    return this.save(ctx, order, { cercleReceipt: JSON.stringify(receipt), ...others });
  }

  private async save(ctx: RequestContext, order: Order, customFields: object): Promise<void> {
    await this.connection.getRepository(ctx, Order).update(order.id, { customFields });
  }
}

/** The money of a refund, by the lines it names; none when it is about a sum alone. */
function refundedLines(order: Order, refund: Refund, { lineOf }: Receipt) {
  const named = refund.lines.map(({ orderLineId, quantity }) => {
    const line = order.lines.find(({ id }) => id === orderLineId);
    return { id: orderLineId, cents: (line?.proratedUnitPriceWithTax ?? 0) * quantity };
  });
  if (refund.shipping > 0) named.push({ id: shippingLine, cents: refund.shipping });
  // What was refunded is what counts; it differs from the prices by an adjustment.
  let left = refund.total;
  let weight = named.reduce((sum, { cents }) => sum + cents, 0);
  return named.map(({ id, cents }) => {
    const share = weight === 0 ? 0 : Math.round((left * cents) / weight);
    left -= share;
    weight -= cents;
    return { Line: lineOf[id] ?? "", Amount: amountOf(share) };
  });
}
