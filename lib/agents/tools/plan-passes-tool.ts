import type { z } from "zod";
import type { ProductPlan } from "@/lib/agents/planning/contract";
import { planPassesFor } from "@/lib/agents/planning/plan-passes";
import { planPath } from "@/lib/agents/planning/rules-path";
import { plainText } from "@/lib/agents/rules";
import type { Message } from "@/lib/agents/ucp/contract";
import { productGid, usd } from "@/lib/agents/ucp/rules-products";
import { responseWording } from "@/lib/agents/ucp/wording";
import type { Locale } from "@/lib/platform/i18n/locales";
import { shopTranslator } from "@/lib/platform/i18n/shop-translator";
import { localizedPath } from "@/lib/platform/routing/paths";
import type { PlanRequest, PlanResponse } from "./contract";

/**
 * The planner of `/plan` for an agent (`plan_passes`, docs/agents.md): the same function with the same order
 * of plans.
 */
export async function planPassesTool(
  { need, product, days, budget, country }: z.output<typeof PlanRequest>,
  locale: Locale,
): Promise<PlanResponse> {
  const named = product?.replace(/^product_/, "");
  const input = {
    days,
    ...(named ? { product: named } : { need: need ?? "" }),
    ...(budget !== undefined && { budget: budget / 100 }),
    ...(country && { country }),
  };
  const { plans } = await planPassesFor(input, locale);
  const messages: Message[] =
    plans.length > 0
      ? []
      : [{ type: "info", code: "not_found", content: shopTranslator(locale)("agents.answers.no_plan") }];
  return { days, plans: plans.map((plan) => toPlan(plan, days, locale)), messages };
}

function toPlan(plan: ProductPlan, days: number, locale: Locale): PlanResponse["plans"][number] {
  const { product, passes, cents, perDayCents, covered, fullCents, back } = plan;
  const { origin } = responseWording(locale);
  const url = (path: string) => origin + localizedPath(path, { locale, surface: "desktop" });
  const units = new Map<string, number>();
  for (const { pass } of passes) units.set(String(pass.vip_id), (units.get(String(pass.vip_id)) ?? 0) + 1);
  const money = (amount: number) => ({ amount, currency: "USD" as const });
  return {
    product_id: productGid(product.product_id),
    product: plainText(product.product_name),
    url: url(`/product/${product.slug}`),
    passes: passes.map(({ pass, from, to }) => ({
      id: String(pass.vip_id),
      pass: pass.vip_type,
      price: usd(pass.price),
      from_day: from,
      to_day: to,
    })),
    total: money(cents),
    price_per_day: money(perDayCents),
    covered_days: covered,
    covers_all: covered >= days,
    total_for_all_days: fullCents === null ? null : money(fullCents),
    money_back: back.map(({ from, to, cents: amount }) => ({ from_day: from, to_day: to, amount })),
    plan_url: url(planPath({ product: product.slug, days })),
    line_items: [...units].map(([id, quantity]) => ({ item: { id }, quantity })),
  };
}
