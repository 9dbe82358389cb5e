import { homeUrl } from "@/lib/agents/http/home-url";
import type { Locale } from "@/lib/platform/i18n/locales";
import { shopTranslator } from "@/lib/platform/i18n/shop-translator";
import type { ProductRequest, ProductResponse } from "./contract";
import { findByIdentifiers } from "./find-by-identifiers";
import { featuredFirst, toDetailProduct, toPolicies, ucpMeta } from "./rules-products";
import { responseWording } from "./wording";

const CAPABILITY = "catalog.lookup";

/**
 * A product with its passes (`get_product`, docs/agents.md): only the pass that is named or selected, else
 * all of them, starting with the one that the product page shows first.
 */
export async function getCatalogProduct(
  { id, selected = [] }: ProductRequest,
  locale: Locale,
): Promise<ProductResponse> {
  const found = (await findByIdentifiers([id], locale)).get(id);
  const wording = responseWording(locale);
  if (!found)
    return {
      ucp: ucpMeta(CAPABILITY, "error"),
      messages: [
        {
          type: "error",
          code: "not_found",
          content: shopTranslator(locale)("agents.answers.not_found"),
          severity: "unrecoverable",
        },
      ],
      continue_url: homeUrl(locale),
    };
  const { product, vipId } = found;
  const isSelected = ({ vip_id, vip_type }: { vip_id: number; vip_type: string }) =>
    selected.some((option) => option.id === String(vip_id) || (!option.id && option.label === vip_type));
  const chosen = vipId ?? product.vip_options.find(isSelected)?.vip_id;
  const plans = featuredFirst(product, chosen).slice(0, chosen === undefined ? undefined : 1);
  return {
    ucp: ucpMeta(CAPABILITY),
    product: toDetailProduct(product, plans, wording),
    policies: toPolicies(
      plans.map((plan, index) => ({ path: `$.product.variants[${index}]`, plan })),
      wording,
    ),
  };
}
