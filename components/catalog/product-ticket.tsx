import { useLocale, useTranslations } from "next-intl";
import { Emblem } from "@/components/ui/emblem";
import { Price } from "@/components/ui/price";
import { TicketLink } from "@/components/ui/ticket-link";
import type { ProductItem } from "@/lib/catalog/contract";
import { DealClock } from "./deal-clock";
import { usePassWords } from "./use-pass-words";

export type TicketsOf = {
  items: readonly ProductItem[];
  /** Of the tickets' names. */
  level?: "h2" | "h3";
  /** The list is about the shown passes themselves (deals, a search, a price): each ticket leads to that very pass. */
  exact?: boolean;
  /** Pictures of the first view are not put off. */
  first?: boolean;
};

/** Products as a grid of tickets: two columns where there is room. */
export function ProductTickets({ items, level = "h2", exact = false, first = false }: TicketsOf) {
  return (
    <div className="@container">
      <ul className="grid gap-4 @min-[56rem]:grid-cols-2">
        {items.map((item, i) => (
          <li key={item.product_id}>
            <ProductTicket item={item} level={level} exact={exact} priority={first && i < 2} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function ProductTicket({
  item,
  level,
  exact,
  priority,
}: {
  item: ProductItem;
  level: "h2" | "h3";
  exact: boolean;
  priority: boolean;
}) {
  const t = useTranslations("catalog");
  const words = usePassWords();
  const lang = item.language === useLocale() ? undefined : item.language;
  return (
    <TicketLink
      href={`/product/${item.slug}${exact ? `?plan=${item.vip_id}` : ""}`}
      title={item.product_name}
      lang={lang}
      level={level}
      subtitle={
        <>
          <span className="block">{item.maker}</span>
          <span className="line-clamp-2 pt-0.5 text-ink" lang={lang}>
            {item.product_tagline}
          </span>
        </>
      }
      emblem={<Emblem src={item.product_image} size={112} priority={priority} />}
      hero={words.hero(item)}
      heroLabel={words.heroLabel(item)}
      heroNote={exact || item.price === 0 ? undefined : t("from")}
      price={<Price {...words.price(item)} />}
      perDay={words.perDay(item)}
      aside={<Aside item={item} />}
    />
  );
}

/** What one should know before opening it; nothing when it is simply in stock. */
function Aside({ item }: { item: ProductItem }) {
  const t = useTranslations("catalog");
  if (item.stock_state === "sold_out") return <span className="text-quiet">{t("stock.sold_out")}</span>;
  if (item.stock_state === "pre_order") return <span className="text-good">{t("stock.pre_order")}</span>;
  if (item.deal) return <DealClock deal={item.deal} />;
  if (item.stock_state === "low")
    return <span className="text-warn">{t("stock.left", { count: item.stock })}</span>;
  return null;
}
