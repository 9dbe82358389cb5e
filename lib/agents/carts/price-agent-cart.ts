import { db } from "@/db/client";
import { type PassUnits, pricePasses } from "@/lib/cart/price-passes";
import { listComparedPasses } from "@/lib/catalog/product/list-compared-passes";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { AgentCartLine, PricedAgentCart } from "./contract";

/** A list of passes with the current prices and stock of the checkout; reserves and writes nothing. */
export async function priceAgentCart(passes: readonly PassUnits[], locale: Locale): Promise<PricedAgentCart> {
  const ids = passes.map(({ vip_id }) => vip_id);
  const [{ lines: priced }, details] = await Promise.all([
    pricePasses(db, null, passes),
    listComparedPasses(ids, locale),
  ]);
  const detailOf = new Map(details.map((pass) => [pass.plan.vip_id, pass]));
  const lines = priced.flatMap((line): AgentCartLine[] => {
    const pass = detailOf.get(line.planId);
    if (!pass || !line.listed) return [];
    const { quantity, stock, purchaseLimit: limit, priceCents: unitCents } = line;
    const fields = { ...pass, quantity, unitCents };
    if (line.state === "sold_out") return [{ ...fields, problem: "sold_out", most: 0 }];
    if (limit !== null && quantity > limit) return [{ ...fields, problem: "purchase_limit", most: limit }];
    if (!line.preOrder && quantity > stock) return [{ ...fields, problem: "stock_short", most: stock }];
    return [{ ...fields, problem: null, most: quantity }];
  });
  const sold = new Set(lines.map(({ plan }) => plan.vip_id));
  return {
    lines,
    missing: ids.filter((id) => !sold.has(id)),
    totalCents: lines.reduce((sum, { unitCents, quantity }) => sum + unitCents * quantity, 0),
  };
}
