import { useTranslations } from "next-intl";
import { AccountNav } from "@/components/accounts/account-nav";
import { isPastLastPage, PastLastPage } from "@/components/catalog/listing/pager";
import { ScopedMessages } from "@/components/shell/scoped-messages";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Page } from "@/components/ui/page";
import type { OrderList } from "@/lib/orders/contract";
import { OrderCard } from "./order-card";

/** The user's orders, newest first, with pagination. */
export function OrderHistoryScreen({ list, page, size }: { list: OrderList; page: number; size: number }) {
  const t = useTranslations("orders.history");
  const pagination = { path: "/order-history", query: {}, page, size, total: list.total };
  const last = Math.max(1, Math.ceil(list.total / size));
  return (
    <Page title={t("title")} above={<AccountNav />} narrow>
      {isPastLastPage(pagination) ? (
        <PastLastPage {...pagination} />
      ) : list.orders.length === 0 ? (
        <EmptyState
          title={t("empty_title")}
          action={<ButtonLink href="/top-trending">{t("empty_action")}</ButtonLink>}
        >
          {t("empty_text")}
        </EmptyState>
      ) : (
        <ScopedMessages branches={["orders.actions", "errors.network"]}>
          <ul className="flex flex-col gap-4">
            {list.orders.map((order) => (
              <li key={order.order_id}>
                <OrderCard order={order} />
              </li>
            ))}
          </ul>
        </ScopedMessages>
      )}
      {last > 1 && page <= last && (
        <nav aria-label={t("pages")} className="flex items-center justify-between gap-4 pt-8">
          {page > 1 ? (
            <ButtonLink href={`/order-history?page=${page - 1}`}>{t("newer")}</ButtonLink>
          ) : (
            <span />
          )}
          <span className="figures text-quiet">{t("page", { page, last })}</span>
          {page < last ? (
            <ButtonLink href={`/order-history?page=${page + 1}`}>{t("older")}</ButtonLink>
          ) : (
            <span />
          )}
        </nav>
      )}
    </Page>
  );
}
