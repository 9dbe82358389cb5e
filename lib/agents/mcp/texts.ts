import type { CompareResponse, PlanResponse, RefundResponse } from "@/lib/agents/tools/contract";
import type {
  CartResponse,
  Message,
  ProductResponse,
  SearchResponse,
  Variant,
} from "@/lib/agents/ucp/contract";
import type { Locale } from "@/lib/platform/i18n/locales";
import { shopTranslator } from "@/lib/platform/i18n/shop-translator";
import { formatPrice } from "@/lib/platform/money";

// Text versions of the results for clients that show only text: one fact per line, with the ids and addresses
// of the structured result.

type Texted = { id: string; title: string; url: string; variants: readonly Variant[] };

const messageLines = (messages: readonly Message[] | undefined) =>
  (messages ?? []).map(({ content }) => content);

const join = (lines: readonly (string | false | undefined)[]) => lines.filter(Boolean).join("\n");

export function productTexts(
  answer: SearchResponse | { products: readonly Texted[]; messages?: Message[] },
  locale: Locale,
) {
  const t = shopTranslator(locale);
  return join([
    t("agents.answers.texts_note"),
    ...answer.products.flatMap((product: Texted) => productLines(product, locale)),
    answer.products.length === 0 && t("agents.answers.no_products"),
    ...messageLines(answer.messages),
  ]);
}

export function productText({ product, messages }: ProductResponse, locale: Locale): string {
  if (!product) return join(messageLines(messages));
  return productTexts({ products: [product], ...(messages && { messages }) }, locale);
}

function productLines({ id, title, url, variants }: Texted, locale: Locale): string[] {
  return [`${title} (${id}) ${url}`, ...variants.map((variant) => `- ${variantLine(variant, locale)}`)];
}

function variantLine(
  { id, title, price, unit_price, availability, metadata }: Variant,
  locale: Locale,
): string {
  const t = shopTranslator(locale);
  const money = formatPrice(price.amount, locale);
  const perDay = unit_price && t("catalog.per_day", { price: formatPrice(unit_price.amount, locale) });
  return [`${title} (${id})`, money, perDay, t(`agents.answers.${availability.status}`), metadata.refund]
    .filter(Boolean)
    .join(" · ");
}

export function cartText(
  { id, line_items, totals, continue_url, messages }: CartResponse,
  locale: Locale,
): string {
  const money = (amount: number) => formatPrice(amount, locale);
  const total = totals?.find(({ type }) => type === "total");
  return join([
    ...(line_items ?? []).map(
      ({ item, quantity, totals: [sum] }) =>
        `${quantity} × ${item.title} (${item.id}): ${money(sum?.amount ?? 0)}`,
    ),
    total && `${total.display_text ?? ""}: ${money(total.amount)}`,
    ...messageLines(messages),
    continue_url,
    id && `cart: ${id}`,
  ]);
}

export function compareText({ passes, messages }: CompareResponse, locale: Locale): string {
  const t = shopTranslator(locale);
  return join([
    t("agents.answers.texts_note"),
    ...passes.map(({ id, product, pass, price, price_per_day, availability, refund, url }) =>
      [
        `${product}: ${pass} (${id})`,
        formatPrice(price.amount, locale),
        price_per_day && t("catalog.per_day", { price: formatPrice(price_per_day.amount, locale) }),
        t(`agents.answers.${availability}`),
        refund,
        url,
      ]
        .filter(Boolean)
        .join(" · "),
    ),
    ...messageLines(messages),
  ]);
}

export function refundText(quote: RefundResponse, locale: Locale): string {
  const t = shopTranslator(locale);
  const money = ({ amount }: { amount: number }) => formatPrice(amount, locale);
  return join([
    `${quote.product}: ${quote.pass} (${quote.id}), ${money(quote.price)}`,
    t("agents.answers.back_unused", { day: quote.day, amount: money(quote.back_if_unused) }),
    t("agents.answers.back_used", { day: quote.day, amount: money(quote.back_if_used) }),
    quote.refund,
    quote.url,
  ]);
}

export function planText({ days, plans, messages }: PlanResponse, locale: Locale): string {
  const t = shopTranslator(locale);
  const money = (amount: number) => formatPrice(amount, locale);
  return join([
    ...plans.map((plan) =>
      [
        t("agents.plan.heading", { name: plan.product, days: plan.covered_days }),
        money(plan.total.amount),
        t("catalog.per_day", { price: money(plan.price_per_day.amount) }),
        passList(plan),
        plan.plan_url,
      ].join(" · "),
    ),
    plans.length > 0 &&
      plans.every(({ covers_all }) => !covers_all) &&
      t("agents.answers.not_covered", { days }),
    ...messageLines(messages),
  ]);
}

/** "2 × Day pass (5206), Week pass (5207)". */
const passList = ({ passes, line_items }: PlanResponse["plans"][number]) =>
  line_items
    .map(({ item: { id }, quantity }) => {
      const name = `${passes.find((pass) => pass.id === id)?.pass ?? ""} (${id})`;
      return quantity > 1 ? `${quantity} × ${name}` : name;
    })
    .join(", ");
