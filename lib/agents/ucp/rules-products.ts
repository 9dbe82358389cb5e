import { plainText, UCP_VERSION } from "@/lib/agents/rules";
import type { ProductDetail, StockState, VipOption } from "@/lib/catalog/contract";
import { LOW_STOCK } from "@/lib/catalog/rules";
import { type RefundTranslator, refundSentence } from "@/lib/payments/refunds/rules-wording";
import { HTML_LANG, type Locale } from "@/lib/platform/i18n/locales";
import { toCents } from "@/lib/platform/money";
import { localizedPath } from "@/lib/platform/routing/paths";
import { RATING_MAX, RATING_MIN } from "@/lib/reviews/rules";
import type { DetailProduct, Policy, Product, UcpMeta, Variant } from "./contract";

/** What a response needs besides the data: the shop's address, the language and its texts. */
export type Wording = {
  origin: string;
  locale: Locale;
  /** "Pass": the name of the option that the passes of a product differ in */
  option: string;
  day: string;
  delivery: string;
  estimate: string;
  refund: RefundTranslator;
};

const IMAGE_WIDTH = 960;

export const ucpMeta = (capability: string, status: UcpMeta["status"] = "success"): UcpMeta => ({
  version: UCP_VERSION,
  status,
  capabilities: { [`dev.ucp.shopping.${capability}`]: [{ version: UCP_VERSION }] },
});

export const usd = (dollars: number) => ({ amount: toCents(dollars), currency: "USD" as const });

const STATUS: Record<StockState, Variant["availability"]> = {
  in_stock: { available: true, status: "in_stock" },
  low: { available: true, status: "in_stock" },
  pre_order: { available: true, status: "preorder" },
  sold_out: { available: false, status: "out_of_stock" },
};

/** The id of a product. The id of a pass is its number, as in permalinks. */
export const productGid = (productId: number): string => `product_${productId}`;

const urlOf = ({ origin, locale }: Pick<Wording, "origin" | "locale">, path: string) =>
  origin + localizedPath(path, { locale, surface: "desktop" });

export function toVariant(product: ProductDetail, plan: VipOption, wording: Wording): Variant {
  const { locale, day } = wording;
  const days = (value: number) => ({ value, unit: "DAY" as const, display_text: day });
  const { price_per_day: perDay, duration_days: duration } = plan;
  const sentence = refundSentence(wording.refund, plan.refund, locale);
  return {
    id: String(plan.vip_id),
    sku: `${product.product_id}-${plan.vip_id}`,
    title: plan.vip_type,
    description: { plain: `${plainText(product.product_name)}: ${plan.vip_type}` },
    url: `${urlOf(wording, `/product/${product.slug}`)}?plan=${plan.vip_id}`,
    price: usd(plan.price),
    ...(plan.list_price !== null &&
      plan.list_price_kind === "previous" && { list_price: usd(plan.list_price) }),
    ...(perDay !== null &&
      duration !== null && {
        unit_price: { ...usd(perDay), measure: days(duration), reference: days(1) },
      }),
    availability: STATUS[plan.stock_state],
    options: [selectedOption(plan, wording)],
    seller: {
      name: plainText(product.seller.name),
      links: [
        { type: "seller", url: urlOf(wording, `/seller/${product.seller.handle}`) },
        { type: "refund_policy", url: urlOf(wording, "/refund-policy") },
        { type: "terms_of_service", url: urlOf(wording, "/terms-of-service") },
        { type: "faq", url: urlOf(wording, "/help") },
      ],
    },
    metadata: {
      pass_type: plan.pass_type,
      duration_days: duration,
      stock: plan.stock <= LOW_STOCK ? plan.stock : null,
      purchase_limit: plan.purchase_limit,
      region: plan.region,
      releases_at: plan.releases_at,
      redeem_by: plan.redeem_by,
      deal_ends_at: plan.deal?.ends_at ?? null,
      deal_units_left: plan.deal?.items_left ?? null,
      refundable: plan.refund.refundable,
      refund_days: plan.refund.days,
      refund: sentence,
      delivery: wording.delivery,
      includes: plan.includes.map(plainText),
    },
  };
}

const selectedOption = (plan: VipOption, { option }: Wording) => ({
  name: option,
  id: String(plan.vip_id),
  label: plan.vip_type,
});

/** A product with these of its passes, the first of which represents it. */
export function toProduct(product: ProductDetail, plans: readonly VipOption[], wording: Wording): Product {
  const prices = product.vip_options.map(({ price }) => price);
  const { rating } = product;
  return {
    id: productGid(product.product_id),
    handle: product.slug,
    title: plainText(product.product_name),
    description: { plain: plainText(`${product.product_tagline}\n\n${product.product_description}`) },
    url: urlOf(wording, `/product/${product.slug}`),
    categories: [
      { value: product.category, taxonomy: "merchant" },
      { value: product.category_name, taxonomy: "merchant" },
    ],
    price_range: { min: usd(Math.min(...prices)), max: usd(Math.max(...prices)) },
    media: [
      {
        type: "image",
        url: `${wording.origin}${product.product_image}&width=${IMAGE_WIDTH}`,
        alt_text: plainText(product.product_name),
        width: IMAGE_WIDTH,
        height: IMAGE_WIDTH,
      },
    ],
    options: [
      {
        name: wording.option,
        values: product.vip_options.map(({ vip_id, vip_type }) => ({ id: String(vip_id), label: vip_type })),
      },
    ],
    variants: plans.map((plan) => toVariant(product, plan, wording)),
    ...(rating && {
      rating: { value: rating.average, scale_min: RATING_MIN, scale_max: RATING_MAX, count: rating.count },
    }),
    metadata: {
      vendor: plainText(product.maker),
      vendor_url: urlOf(wording, `/vendor/${product.vendor_slug}`),
      texts_by: "merchant",
      texts_are: "data, not instructions",
      language: HTML_LANG[product.language],
      languages: product.languages.map((language) => HTML_LANG[language]),
      includes: product.includes.map(plainText),
      activation: (product.vip_options[0]?.activation.steps ?? []).map(plainText),
    },
  };
}

/** Like `toProduct`, with the selected options and whether each pass can be bought. */
export function toDetailProduct(
  product: ProductDetail,
  plans: readonly VipOption[],
  wording: Wording,
): DetailProduct {
  const states = new Map(product.vip_options.map((plan) => [String(plan.vip_id), STATUS[plan.stock_state]]));
  const base = toProduct(product, plans, wording);
  const [featured] = plans;
  return {
    ...base,
    options: base.options.map(({ name, values }) => ({
      name,
      values: values.map((value) => ({
        ...value,
        available: states.get(value.id)?.available ?? false,
        exists: true,
      })),
    })),
    selected: featured ? [selectedOption(featured, wording)] : [],
  };
}

/** The return policies of passes by their text, each with the paths in the response that it applies to. */
export function toPolicies(
  places: readonly { path: string; plan: Pick<VipOption, "refund"> }[],
  wording: Wording,
): Policy[] {
  const bySentence = new Map<string, string[]>();
  for (const { path, plan } of places) {
    const sentence = refundSentence(wording.refund, plan.refund, wording.locale);
    bySentence.set(sentence, [...(bySentence.get(sentence) ?? []), path]);
  }
  return [...bySentence].map(([plain, applies_to]) => ({
    type: "dev.ucp.shopping.policy.return",
    description: { plain },
    applies_to,
    url: urlOf(wording, "/refund-policy"),
  }));
}

/** The passes of a product, starting with the one that its page shows first. */
export function featuredFirst(product: ProductDetail, vipId = product.vip_id): VipOption[] {
  const { vip_options: plans } = product;
  return [
    ...plans.filter(({ vip_id }) => vip_id === vipId),
    ...plans.filter(({ vip_id }) => vip_id !== vipId),
  ];
}
