import { plainText } from "@/lib/agents/rules";
import { responseWording } from "@/lib/agents/ucp/wording";
import { findCategoryPage } from "@/lib/catalog/listing/find-category-page";
import { findProductPage } from "@/lib/catalog/product/find-product-page";
import { STOCK_DEADLINE_HOURS } from "@/lib/delivery/rules";
import { REFUND_DAYS, VENDOR_CONFIRMATION_HOURS } from "@/lib/payments/refunds/rules";
import { WITHDRAWAL_DAYS } from "@/lib/payments/refunds/rules-withdrawal";
import { refundSentence } from "@/lib/payments/refunds/rules-wording";
import type { Locale } from "@/lib/platform/i18n/locales";
import { MESSAGES } from "@/lib/platform/i18n/messages";
import { shopTranslator } from "@/lib/platform/i18n/shop-translator";
import { formatPrice, toCents } from "@/lib/platform/money";
import { localizedPath } from "@/lib/platform/routing/paths";

const CATEGORY_SIZE = 100;

/** Escapes a text for one cell or line of Markdown, so that texts of merchants are never markup. */
const inline = (text: string): string =>
  plainText(text)
    .replace(/\s+/g, " ")
    .replace(/[\\`*_[\]<>|#~]/g, "\\$&");
/** A merchant's text as a quotation. */
const quote = (text: string): string =>
  plainText(text)
    .split(/\n+/)
    .map((line) => `> ${inline(line)}`)
    .join("\n>\n");

/** The Markdown version of a product page (docs/agents.md); null if there is no such product. */
export async function productMarkdown(slug: string, locale: Locale): Promise<string | null> {
  const product = await findProductPage({ slug, locale });
  if (!product) return null;
  const t = shopTranslator(locale);
  const wording = responseWording(locale);
  const url = (path: string) => wording.origin + localizedPath(path, { locale, surface: "desktop" });
  const money = (usd: number) => formatPrice(toCents(usd), locale);
  const rows = product.vip_options.map((plan) => {
    const stock =
      plan.stock_state === "low"
        ? t("catalog.stock.left", { count: plan.stock })
        : stockText(plan.stock_state);
    const perDay = plan.price_per_day === null ? "" : money(plan.price_per_day);
    const refund = inline(refundSentence(wording.refund, plan.refund, locale));
    return `| ${inline(plan.vip_type)} (${plan.vip_id}) | ${money(plan.price)} | ${perDay} | ${stock} | ${refund} |`;
  });
  function stockText(state: "in_stock" | "pre_order" | "sold_out") {
    return state === "in_stock" ? t("catalog.product.in_stock_short") : t(`catalog.stock.${state}`);
  }
  const steps = product.vip_options[0]?.activation.steps ?? [];
  return [
    `# ${inline(product.product_name)}`,
    `${url(`/product/${product.slug}`)} · ${inline(product.maker)} · ${t("catalog.product.sold_by")}: ${inline(product.seller.name)}`,
    `_${t("agents.answers.texts_note")}_`,
    quote(`${product.product_tagline}\n\n${product.product_description}`),
    [
      `| ${(["pass", "price", "per_day", "stock", "refund"] as const).map((name) => t(`catalog.product.${name}`)).join(" | ")} |`,
      "|---|---|---|---|---|",
      ...rows,
    ].join("\n"),
    `## ${t("catalog.product.includes")}`,
    product.includes.map((text) => `- ${inline(text)}`).join("\n"),
    ...(steps.length > 0
      ? [
          `## ${t("catalog.product.activate")}`,
          steps.map((step, index) => `${index + 1}. ${inline(step)}`).join("\n"),
        ]
      : []),
    t("catalog.product.delivery_value"),
  ].join("\n\n");
}

/** The Markdown version of a category page; null if there is no such category. */
export async function categoryMarkdown(slug: string, locale: Locale): Promise<string | null> {
  const page = await findCategoryPage(slug, { sort: "recommend", page: 1, size: CATEGORY_SIZE }, locale);
  if (!page) return null;
  const { origin } = responseWording(locale);
  const t = shopTranslator(locale);
  const url = (path: string) => origin + localizedPath(path, { locale, surface: "desktop" });
  const money = (usd: number) => formatPrice(toCents(usd), locale);
  const lines = page.products.items.map(
    ({ product_name, slug: product, product_tagline, price }) =>
      `- [${inline(product_name)}](${url(`/product/${product}.md`)}), ${t("catalog.from", { price: money(price) })}: ${inline(product_tagline)}`,
  );
  return [
    `# ${inline(page.category.category_name)}`,
    url(`/category/${slug}`),
    page.category.text ?? "",
    `_${t("agents.answers.texts_note")}_`,
    lines.join("\n"),
  ]
    .filter(Boolean)
    .join("\n\n");
}

type HelpQuestion = keyof typeof MESSAGES.en.notifications.help.faq;

/** The Markdown version of the help page. */
export function helpMarkdown(locale: Locale): string {
  const t = shopTranslator(locale);
  const questions = Object.keys(MESSAGES.en.notifications.help.faq) as HelpQuestion[];
  const numbers = {
    stock_hours: STOCK_DEADLINE_HOURS,
    refund_days: REFUND_DAYS,
    withdrawal_days: WITHDRAWAL_DAYS,
    vendor_hours: VENDOR_CONFIRMATION_HOURS,
  };
  return [
    `# ${t("notifications.help.title")}`,
    ...questions.flatMap((name) => [
      `## ${t(`notifications.help.faq.${name}.question`)}`,
      t(`notifications.help.faq.${name}.answer`, numbers),
    ]),
  ].join("\n\n");
}
