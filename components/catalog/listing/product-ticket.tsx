import { useLocale, useTranslations } from "next-intl";
import { useDealLabels } from "@/components/catalog/product/use-deal-labels";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import { useWishLabels } from "@/components/notifications/wishlist/wish-labels";
import type { ProductItem } from "@/lib/catalog/contract";
import { foreignLanguage } from "@/lib/catalog/translation/rules";
import { type TicketAside, TicketGrid, type TicketGridProps, type TicketText } from "./ticket-grid";

export type ProductTicketsProps = {
  items: readonly ProductItem[];
  /** The heading level of the ticket names. */
  level?: "h2" | "h3";
  /** Each ticket links to the exact pass that is shown, such as a deal or the pass that a search names. */
  exact?: boolean;
  /** Images in the first view are not lazily loaded. */
  first?: boolean;
};

/** A grid of product tickets. The browser receives their text and not their markup. */
export function ProductTickets(props: ProductTicketsProps) {
  return <TicketGrid {...useTicketGrid(props)} />;
}

/** The texts of the tickets of a grid. With `comparable` each ticket has the plan to choose for the comparison. */
export function useTicketGrid({
  items,
  level = "h2",
  exact = false,
  first = false,
  comparable = false,
}: ProductTicketsProps & { comparable?: boolean }): TicketGridProps {
  const t = useTranslations("catalog");
  const reviews = useTranslations("reviews");
  const locale = useLocale();
  const labels = usePassLabels();
  const toAside = useAside();
  const wish = useWishLabels();
  const tickets = items.map((item): TicketText => {
    const ticket = labels.ticket(item);
    // The shown pass is the cheapest one, unless the ticket links to exactly this pass.
    const price = exact || item.price === 0 ? ticket.price.text : t("from", { price: ticket.price.text });
    const untranslated = item.language !== locale;
    const toText = (text: string) => ({ text, lang: foreignLanguage(text, item.language, locale) });
    return {
      id: item.product_id,
      href: `/product/${item.slug}${exact ? `?plan=${item.vip_id}` : ""}`,
      title: toText(item.product_name),
      maker: item.maker,
      tagline: toText(item.product_tagline),
      src: item.product_image,
      mark: untranslated ? t("english_only") : undefined,
      rating: item.rating
        ? {
            text: item.rating.average.toFixed(1),
            label: reviews("rating", { rating: item.rating.average }),
            count: reviews("count", { count: item.rating.count }),
          }
        : undefined,
      plan: comparable ? item.vip_id : undefined,
      ...ticket,
      price: { ...ticket.price, text: price },
      aside: toAside(item),
    };
  });
  // Drops undefined properties, which would otherwise be serialized as well.
  return { level, first, wish, tickets: JSON.parse(JSON.stringify(tickets)) };
}

/** What the shopper should know before opening the product. Empty when it is simply in stock. */
function useAside() {
  const t = useTranslations("catalog.stock");
  const toDealLabels = useDealLabels();
  return ({ stock_state, stock, deal }: ProductItem): TicketAside | undefined => {
    if (stock_state === "sold_out") return { tone: "quiet", text: t("sold_out") };
    if (stock_state === "pre_order") return { tone: "good", text: t("pre_order") };
    if (deal) return { deal: toDealLabels(deal) };
    return stock_state === "low" ? { tone: "warn", text: t("left", { count: stock }) } : undefined;
  };
}
