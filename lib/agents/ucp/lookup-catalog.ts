import type { ProductDetail } from "@/lib/catalog/contract";
import type { Locale } from "@/lib/platform/i18n/locales";
import { shopTranslator } from "@/lib/platform/i18n/shop-translator";
import type { LookupRequest, LookupResponse, Message } from "./contract";
import { findByIdentifiers } from "./find-by-identifiers";
import { toPolicies, toProduct, ucpMeta } from "./rules-products";
import { responseWording } from "./wording";

type Input = { id: string; match: "exact" | "featured" };

/**
 * The products of these identifiers, each once and with the passes that the identifiers name
 * (`lookup_catalog`, docs/agents.md). `messages` list identifiers that name nothing on sale.
 */
export async function lookupCatalog(
  { ids, filters }: LookupRequest,
  locale: Locale,
): Promise<LookupResponse> {
  const unique = [...new Set(ids)];
  const found = await findByIdentifiers(unique, locale);
  const wording = responseWording(locale);
  const t = shopTranslator(locale);
  const messages: Message[] = [];
  const products = new Map<number, { product: ProductDetail; inputs: Map<number, Input[]> }>();
  for (const [index, id] of unique.entries()) {
    const hit = found.get(id);
    if (!hit) {
      const content = t("agents.answers.not_found");
      messages.push({ type: "info", code: "not_found", content, path: `$.ids[${index}]` });
      continue;
    }
    const { product, vipId } = hit;
    const entry = products.get(product.product_id) ?? { product, inputs: new Map<number, Input[]>() };
    const plan = vipId ?? product.vip_id;
    const match = vipId === null ? "featured" : "exact";
    entry.inputs.set(plan, [...(entry.inputs.get(plan) ?? []), { id, match }]);
    products.set(product.product_id, entry);
  }
  const { min = 0, max = Number.POSITIVE_INFINITY } = filters?.price ?? {};
  const shown = [...products.values()].flatMap(({ product, inputs }) => {
    const plans = product.vip_options.filter(({ vip_id, price }) => {
      const cents = Math.round(price * 100);
      return inputs.has(vip_id) && cents >= min && cents <= max;
    });
    return plans.length > 0 ? [{ product, inputs, plans }] : [];
  });
  return {
    ucp: ucpMeta("catalog.lookup"),
    products: shown.map(({ product, inputs, plans }) => {
      const { variants, ...fields } = toProduct(product, plans, wording);
      return {
        ...fields,
        variants: variants.map((variant) => ({ ...variant, inputs: inputs.get(Number(variant.id)) ?? [] })),
      };
    }),
    ...(messages.length > 0 && { messages }),
    policies: toPolicies(
      shown.flatMap(({ plans }, i) =>
        plans.map((plan, j) => ({ path: `$.products[${i}].variants[${j}]`, plan })),
      ),
      wording,
    ),
  };
}
