"use client";

import { useLocale, useTranslations } from "next-intl";
import { Countdown } from "@/components/ui/countdown";
import type { CartItem } from "@/lib/cart/contract";
import { LOW_STOCK } from "@/lib/catalog/rules";
import { formatDay, formatMoment } from "@/lib/platform/format";

/** Notes on a cart line: stock, limits, release date and the end of its price. */
export function CartLineNotes({ item, serverTime }: { item: CartItem; serverTime: string }) {
  const t = useTranslations("cart.line");
  const locale = useLocale();
  if (item.stock_state === "sold_out") return <p className="font-medium text-bad">{t("sold_out")}</p>;
  const tooMany = item.quantity > item.max_quantity;
  const lowStock = item.stock_state === "low" && item.stock <= LOW_STOCK;
  return (
    <>
      {tooMany && <p className="font-medium text-bad">{t("too_many", { count: item.max_quantity })}</p>}
      {lowStock && !tooMany && <p className="font-medium text-warn">{t("few", { count: item.stock })}</p>}
      {item.purchase_limit !== null && <p>{t("limit", { limit: item.purchase_limit })}</p>}
      {item.releases_at && item.stock_state === "pre_order" && (
        <p>{t("pre_order", { date: formatDay(item.releases_at, locale) })}</p>
      )}
      {item.deal && (
        <p>
          {t("deal", { count: item.deal.items_left })}{" "}
          <Countdown
            endsAt={Date.parse(item.deal.ends_at)}
            now={Date.parse(serverTime)}
            dayUnit={t("day_unit")}
            spoken={formatMoment(item.deal.ends_at, locale)}
            className="font-medium whitespace-nowrap text-ink"
          />
        </p>
      )}
    </>
  );
}
