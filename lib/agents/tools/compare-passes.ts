import type { z } from "zod";
import { plainText } from "@/lib/agents/rules";
import type { Message } from "@/lib/agents/ucp/contract";
import { findByIdentifiers } from "@/lib/agents/ucp/find-by-identifiers";
import { toVariant, usd } from "@/lib/agents/ucp/rules-products";
import { responseWording } from "@/lib/agents/ucp/wording";
import { findLowestPerDay } from "@/lib/catalog/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { shopTranslator } from "@/lib/platform/i18n/shop-translator";
import type { CompareRequest, CompareResponse } from "./contract";

/** Passes side by side, as on the comparison page (`compare_passes`, docs/agents.md). */
export async function comparePasses(
  { ids }: z.output<typeof CompareRequest>,
  locale: Locale,
): Promise<CompareResponse> {
  const unique = [...new Set(ids)];
  const found = await findByIdentifiers(unique, locale);
  const wording = responseWording(locale);
  const messages: Message[] = [];
  const passes = unique.flatMap((id, index) => {
    const hit = found.get(id);
    const plan = hit?.product.vip_options.find(({ vip_id }) => vip_id === (hit.vipId ?? hit.product.vip_id));
    if (hit && plan) return [{ product: hit.product, plan }];
    const content = shopTranslator(locale)("agents.answers.not_found");
    messages.push({ type: "info", code: "not_found", content, path: `$.ids[${index}]` });
    return [];
  });
  const lowest = findLowestPerDay(passes.map(({ plan }) => plan));
  return {
    passes: passes.map(({ product, plan }) => {
      const { id, title, url, price, availability, metadata, seller } = toVariant(product, plan, wording);
      return {
        id,
        product: plainText(product.product_name),
        pass: title,
        vendor: plainText(product.maker),
        seller: seller.name,
        url,
        duration_days: metadata.duration_days,
        price,
        price_per_day: plan.price_per_day === null ? null : usd(plan.price_per_day),
        lowest_price_per_day: lowest.includes(plan),
        availability: availability.status,
        stock: metadata.stock,
        region: metadata.region,
        refund: metadata.refund,
        refundable: metadata.refundable,
        delivery: metadata.delivery,
        includes: [...product.includes, ...plan.includes].map(plainText),
      };
    }),
    messages,
  };
}
