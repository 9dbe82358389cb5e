import { useLocale, useTranslations } from "next-intl";
import type { Tone } from "@/components/catalog/tones";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import type { IconName } from "@/components/ui/icon";
import type { ProductDetail, VipOption } from "@/lib/catalog/contract";
import { breakEven } from "@/lib/catalog/pricing/rules";
import { PASS_DAYS } from "@/lib/catalog/rules";
import { preOrderDeadline } from "@/lib/delivery/rules";
import { refundSentence } from "@/lib/payments/refunds/rules-wording";
import { formatDate } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";
import { countryNames } from "./country-names";
import { useDealLabels } from "./use-deal-labels";

/** `at`: the times that the text names, for the reader's time zone. */
export type PlanFact = { icon: IconName; tone: Tone; text: string; at?: string[] };

/** A plan as formatted strings: all that the client needs to show it when it is selected. */
export type PlanOffer = ReturnType<typeof usePlanOffers>[number];

export function usePlanOffers(product: ProductDetail) {
  const t = useTranslations("catalog");
  const labels = usePassLabels();
  const toFacts = usePlanFacts(product);
  const toDealLabels = useDealLabels();
  const refund = useTranslations("payments.refund");
  const locale = useLocale();
  const offers = product.vip_options.map((plan) => ({
    vipId: plan.vip_id,
    name: labels.name(plan),
    ...labels.ticket(plan),
    remark: toRemark(plan),
    deal: plan.deal ? toDealLabels(plan.deal) : undefined,
    refund: refundSentence(refund, plan.refund, locale),
    refundable: plan.refund.refundable,
    facts: toFacts(plan),
    includes: plan.includes.length > 0 ? plan.includes : undefined,
    stock: stockText(plan),
    free: plan.price === 0,
    /** for the approximate price in the reader's currency */
    cents: toCents(plan.price),
    /** A plan that is sold out cannot be bought, but the shopper can join the wait list. */
    action: { label: t(`product.${planAction(plan)}`), soldOut: plan.stock_state === "sold_out" },
  }));
  // Drops undefined properties, which would otherwise be serialized to the client.
  return JSON.parse(JSON.stringify(offers)) as typeof offers;

  function stockText({ stock_state, stock }: VipOption): string {
    if (stock_state === "low") return t("stock.left", { count: stock });
    return stock_state === "in_stock" ? t("product.in_stock_short") : t(`stock.${stock_state}`);
  }

  function toRemark({ stock_state, stock, deal }: VipOption): { text: string; tone: Tone } | undefined {
    if (stock_state === "sold_out") return { text: t("stock.sold_out"), tone: "quiet" };
    if (stock_state === "pre_order") return { text: t("stock.pre_order"), tone: "good" };
    if (deal) return { text: t("deal.label"), tone: "warn" };
    if (stock_state === "low") return { text: t("stock.left", { count: stock }), tone: "warn" };
    return undefined;
  }
}

function planAction({ stock_state, price }: VipOption) {
  if (stock_state === "sold_out") return "sold_out";
  if (price === 0) return "claim";
  return stock_state === "pre_order" ? "pre_order" : "buy";
}

/** Further facts about a plan, one sentence each: stock, region, limits and a cheaper alternative. */
function usePlanFacts(product: ProductDetail) {
  const t = useTranslations("catalog.product");
  const locale = useLocale();
  const stock = useStockFact();
  const lowest = useTranslations("catalog.comparison");
  return (plan: VipOption): PlanFact[] => {
    const alternative = breakEven(plan, product.vip_options);
    return [
      plan.lowest_price_30d !== null &&
        toFact(
          "info",
          "quiet",
          lowest("lowest_text", { price: formatPrice(toCents(plan.lowest_price_30d), locale) }),
        ),
      stock(plan),
      plan.region.includes("worldwide")
        ? toFact("globe", "quiet", t("worldwide"))
        : toFact("globe", "warn", t("only_in", { countries: countryNames(plan.region, locale) })),
      plan.purchase_limit !== null && toFact("user", "quiet", t("limit", { limit: plan.purchase_limit })),
      plan.redeem_by !== null &&
        toFact(
          "info",
          "quiet",
          t("redeem_by", { date: formatDate(plan.redeem_by, locale), days: plan.redeem_margin_days }),
        ),
      alternative &&
        toFact(
          "clock",
          "quiet",
          t("break_even", {
            count: alternative.count,
            pass: passKind(plan),
            days: plan.duration_days ?? 0,
            longer: passKind(alternative.longer),
            longerDays: alternative.longer.duration_days ?? 0,
            saving: formatPrice(
              alternative.count * toCents(plan.price) - toCents(alternative.longer.price),
              locale,
            ),
          }),
        ),
    ].filter((fact): fact is PlanFact => Boolean(fact));
  };
}

const toFact = (icon: IconName, tone: Tone, text: string, at?: string[]): PlanFact => ({
  icon,
  tone,
  text,
  at,
});

function useStockFact() {
  const t = useTranslations("catalog.product");
  const locale = useLocale();
  return ({ stock_state, stock, price, releases_at }: VipOption): PlanFact => {
    const free = price === 0;
    if (stock_state === "sold_out") return toFact("info", "quiet", t("sold_out_text"));
    if (stock_state === "low") return toFact("mail", "warn", t(free ? "low_free" : "low", { count: stock }));
    if (stock_state !== "pre_order") return toFact("mail", "quiet", t(free ? "in_stock_free" : "in_stock"));
    if (!releases_at) return toFact("mail", "quiet", t("pre_order_open"));
    const deliverBy = preOrderDeadline(releases_at).toISOString();
    const dates = { release: formatDate(releases_at, locale), date: formatDate(deliverBy, locale) };
    return toFact("mail", "quiet", t("pre_order_text", dates), [releases_at, deliverBy]);
  };
}

/** The pass type used in a sentence. It is "days" where the duration is not the type's usual one. */
const passKind = ({ pass_type, duration_days }: VipOption) =>
  duration_days === PASS_DAYS[pass_type] ? pass_type : "days";
