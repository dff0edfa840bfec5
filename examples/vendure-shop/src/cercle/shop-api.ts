import { CercleError } from "@cercle/client";
import { Inject } from "@nestjs/common";
import { Args, Mutation, Query, Resolver } from "@nestjs/graphql";
import {
  ActiveOrderService,
  Allow,
  Ctx,
  CustomerService,
  type Order,
  Permission,
  type RequestContext,
  Transaction,
  UserInputError,
} from "@vendure/core";
import { gql } from "graphql-tag";
import { cercle } from "./cercle.ts";
import { signOutUrl } from "./provider.ts";
import { VouchersService } from "./vouchers.service.ts";

export const schema = gql`
  type CercleVoucher {
    token: String!
    ending: String!
    value: Money!
    expiresAt: DateTime!
  }
  type CercleBasket {
    "What the basket earns; null for guests"
    points: Int
    pointsArriveAt: DateTime
    vouchers: [CercleVoucher!]!
  }
  extend type Query {
    cercleBasket: CercleBasket
    "For the elements on pages; null for guests"
    cercleEmbedToken: String
    cercleSignOutUrl: String
  }
  extend type Mutation {
    useCercleVoucher(token: String!): Order!
    removeCercleVouchers: Order!
  }
`;

/** What the storefront asks of Cercle. The key stays on this server. */
@Resolver()
export class CercleResolver {
  @Inject(ActiveOrderService) private readonly active!: ActiveOrderService;
  @Inject(CustomerService) private readonly customers!: CustomerService;
  @Inject(VouchersService) private readonly vouchers!: VouchersService;

  @Query()
  @Allow(Permission.Owner)
  async cercleBasket(@Ctx() ctx: RequestContext) {
    const order = await this.active.getActiveOrder(ctx, undefined);
    return order ? this.vouchers.describe(ctx, order) : null;
  }

  @Query()
  @Allow(Permission.Owner)
  async cercleEmbedToken(@Ctx() ctx: RequestContext): Promise<string | null> {
    const { cercleSub: Sub } = (await this.customer(ctx))?.customFields ?? {};
    if (!Sub) return null;
    try {
      return (await cercle.embed({ Sub })).EmbedToken;
    } catch (error) {
      // Without a token the elements show what everybody sees.
      if (error instanceof CercleError) return null;
      throw error;
    }
  }

  @Query()
  @Allow(Permission.Owner)
  async cercleSignOutUrl(@Ctx() ctx: RequestContext): Promise<string | null> {
    const { cercleIdToken } = (await this.customer(ctx))?.customFields ?? {};
    return cercleIdToken ? signOutUrl(cercleIdToken) : null;
  }

  @Mutation()
  @Transaction()
  @Allow(Permission.Owner)
  async useCercleVoucher(@Ctx() ctx: RequestContext, @Args() { token }: { token: string }): Promise<Order> {
    return this.vouchers.use(ctx, await this.basket(ctx), token);
  }

  @Mutation()
  @Transaction()
  @Allow(Permission.Owner)
  async removeCercleVouchers(@Ctx() ctx: RequestContext): Promise<Order> {
    return this.vouchers.remove(ctx, await this.basket(ctx));
  }

  private async customer(ctx: RequestContext) {
    return ctx.activeUserId ? this.customers.findOneByUserId(ctx, ctx.activeUserId) : undefined;
  }

  private async basket(ctx: RequestContext): Promise<Order> {
    const order = await this.active.getActiveOrder(ctx, undefined);
    if (!order) throw new UserInputError("There is no basket.");
    return order;
  }
}
