import {
  type bootstrap,
  ChannelService,
  CurrencyCode,
  LanguageCode,
  Populator,
  ProductService,
  ProductVariantService,
  PromotionService,
  RequestContext,
  RequestContextService,
  TransactionalConnection,
  User,
} from "@vendure/core";
import { hasVoucher, promotionName, takeVoucher } from "./cercle/promotion.ts";
import { administrator } from "./config.ts";

const products = [
  {
    slug: "wool-coat",
    name: "Wool coat",
    price: 32_000,
    text: "Straight cut, unlined, in undyed wool from the Pyrenees.",
  },
  {
    slug: "silk-scarf",
    name: "Silk scarf",
    price: 8_990,
    text: "Ninety centimetres of twill, its edges rolled by hand.",
  },
  {
    slug: "linen-shirt",
    name: "Linen shirt",
    price: 6_990,
    text: "Washed linen, wide sleeves, buttons of mother-of-pearl.",
  },
  {
    slug: "leather-belt",
    name: "Leather belt",
    price: 4_500,
    text: "Vegetable-tanned leather that darkens as it is worn.",
  },
];

/** Fills an empty shop: four articles, one way to deliver, one to pay, and the promotion for vouchers. */
export async function seed(app: Awaited<ReturnType<typeof bootstrap>>): Promise<void> {
  const { items } = await app.get(ProductService).findAll(RequestContext.empty(), { take: 1 });
  if (items.length > 0) return;
  const channels = app.get(ChannelService);
  const { id } = await channels.getDefaultChannel();
  // Prices are euros with VAT, as Cercle's amounts are.
  await channels.update(RequestContext.empty(), {
    ...{ id, pricesIncludeTax: true },
    ...{ defaultCurrencyCode: CurrencyCode.EUR, availableCurrencyCodes: [CurrencyCode.EUR] },
  });
  await app.get(Populator).populateInitialData({
    defaultLanguage: LanguageCode.en,
    defaultZone: "Europe",
    countries: [{ name: "France", code: "FR", zone: "Europe" }],
    taxRates: [{ name: "Standard", percentage: 20 }],
    shippingMethods: [{ name: "Post", price: 490, taxRate: 20 }],
    paymentMethods: [{ name: "Card", handler: { code: "test-card", arguments: [] } }],
    collections: [],
  });

  const user = await app.get(TransactionalConnection).rawConnection.getRepository(User).findOneByOrFail({
    identifier: administrator.identifier,
  });
  const ctx = await app.get(RequestContextService).create({ apiType: "admin", user });
  const languageCode = LanguageCode.en;
  for (const { slug, name, price, text } of products) {
    const product = await app.get(ProductService).create(ctx, {
      translations: [{ languageCode, name, slug, description: text }],
    });
    await app
      .get(ProductVariantService)
      .create(ctx, [
        { productId: product.id, sku: slug, price, stockOnHand: 100_000, translations: [{ languageCode, name }] },
      ]);
  }
  await app.get(PromotionService).createPromotion(ctx, {
    enabled: true,
    translations: [{ languageCode, name: promotionName }],
    conditions: [{ code: hasVoucher.code, arguments: [] }],
    actions: [{ code: takeVoucher.code, arguments: [] }],
  });
}
