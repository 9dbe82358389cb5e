import { useLocale, useTranslations } from "next-intl";
import { AccountNav } from "@/components/accounts/account-nav";
import { useBuyAgainLabels } from "@/components/cart/buy-again-labels";
import { isPastLastPage, Pager, PastLastPage } from "@/components/catalog/listing/pager";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import { BuyGiftAgain } from "@/components/orders/gifts/buy-gift-again";
import { LineRefund } from "@/components/orders/refunds/line-refund";
import { RefundState } from "@/components/orders/refunds/refund-steps";
import { DemoDataNotice } from "@/components/shell/demo-data-notice";
import { ScopedMessages } from "@/components/shell/scoped-messages";
import { ButtonLink } from "@/components/ui/button";
import { Emblem } from "@/components/ui/emblem";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { LocalTime } from "@/components/ui/local-time";
import { LocalTimes } from "@/components/ui/local-times";
import { Page } from "@/components/ui/page";
import type { OrderList, OrderView } from "@/lib/orders/contract";
import { formatDate } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";
import { OrderAction } from "./order-actions";
import { OrderHold } from "./order-hold";
import { lastDeliveryDate } from "./order-notice";
import { OrderStatusBadge } from "./order-status";

type HistoryProps = {
  list: OrderList;
  page: number;
  size: number;
  /** the orders were made up for the demo */
  demo?: boolean;
};

export function OrderHistoryScreen({ list, page, size, demo = false }: HistoryProps) {
  const t = useTranslations("orders.history");
  const pagination = { path: "/order-history", query: {}, page, size, total: list.total };
  const last = Math.ceil(list.total / size);
  const labels = {
    label: t("pages"),
    previous: t("newer"),
    next: t("older"),
    position: t("page", { page, last }),
  };
  return (
    <Page title={t("title")} above={<AccountNav />} narrow>
      {demo && <DemoDataNotice />}
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
          <Pager {...pagination} labels={labels} />
        </ScopedMessages>
      )}
    </Page>
  );
}

function OrderCard({ order }: { order: OrderView }) {
  const t = useTranslations("orders.history");
  const locale = useLocale();
  const href = `/order-history?order_id=${order.order_id}`;
  // Two passes of the same product are listed as one name.
  const products = [...new Map(order.order_products.map((line) => [line.product_id, line])).values()];
  const names = products.map((line) => line.product_name);
  const single = order.order_products.length === 1 ? order.order_products[0] : undefined;
  const pass = usePassLabels();
  const deliverBy = order.status === "processing" && lastDeliveryDate(order);
  return (
    <article className="rounded-ticket border border-hairline bg-raised p-4 @container md:p-5">
      <header className="flex items-center gap-4">
        <div className="flex -space-x-3">
          {products.slice(0, 3).map((line) => (
            <Emblem
              key={line.order_product_id}
              src={line.product_image}
              size={48}
              className="ring-2 ring-raised"
            />
          ))}
        </div>
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-17">
            <Link href={href} className="hover:underline">
              {names.length > 2
                ? t("names_more", { first: names[0]!, more: names.length - 1 })
                : names.join(t("comma"))}
            </Link>
          </h2>
          <p className="text-13 text-quiet">
            {single && <span className="whitespace-nowrap">{pass.name(single)} · </span>}
            <span className="whitespace-nowrap">
              <LocalTime at={order.created_at} format="date" /> ·
            </span>{" "}
            <span className="sr-only">{t("number")} </span>
            <span className="figures whitespace-nowrap">{order.order_number}</span>
          </p>
          {order.gift && order.status !== "cancelled" && (
            <p className="break-words text-13 text-quiet">
              {order.gift.recipient_email === null
                ? t("gift_erased")
                : t("gift", { email: order.gift.recipient_email })}
            </p>
          )}
        </div>
      </header>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 pt-3">
        <OrderStatusBadge order={order} />
        <p className="figures text-17 font-semibold">
          {order.final_amount === 0 ? t("free") : formatPrice(toCents(order.final_amount), locale)}
        </p>
      </div>
      <div className="flex flex-col gap-3 pt-4 empty:hidden">
        {deliverBy && (
          <p className="text-quiet">
            <LocalTimes of={[deliverBy]}>{t("waits", { date: formatDate(deliverBy, locale) })}</LocalTimes>
          </p>
        )}
        {order.order_products.map((line) => (
          <RefundState
            key={line.order_product_id}
            request={line.refund_request}
            name={order.order_products.length > 1 ? `${line.product_name} · ${pass.name(line)}` : undefined}
          />
        ))}
      </div>
      <footer className="flex flex-wrap items-center gap-3 pt-4">
        {order.can_pay && (
          <ButtonLink look="primary" href={`/checkout?order_id=${order.order_id}`}>
            {t("continue")}
          </ButtonLink>
        )}
        <ButtonLink href={href}>{t("open")}</ButtonLink>
        <CardRefund order={order} href={href} />
        <CardBuyAgain order={order} />
        {order.can_pay && <OrderHold order={order} />}
        {order.can_delete && (
          <div className="-mr-3 ml-auto">
            <OrderAction action="remove" orderId={order.order_id} />
          </div>
        )}
      </footer>
    </article>
  );
}

/** Buys the pass of an order again that has one line. For several, the shopper chooses on the order's page. */
function CardBuyAgain({ order }: { order: OrderView }) {
  const labels = useBuyAgainLabels();
  const pass = usePassLabels();
  const [line, ...more] = order.order_products;
  if (!line || more.length > 0 || order.paid_at === null || line.price === 0 || line.state === "waiting")
    return null;
  return (
    <BuyGiftAgain
      gift={order.gift}
      plan={line}
      name={`${line.product_name}, ${pass.name(line)}`}
      labels={labels}
    />
  );
}

/** The refund button of a single refundable line. For several, the shopper chooses on the order's page. */
function CardRefund({ order, href }: { order: OrderView; href: string }) {
  const t = useTranslations("orders.refund");
  const [line, ...more] = order.order_products.filter(({ can_refund }) => can_refund);
  if (!line) return null;
  if (more.length > 0)
    return (
      <ButtonLink look="quiet" href={href}>
        {t("ask")}
      </ButtonLink>
    );
  return <LineRefund line={line} orderId={order.order_id} />;
}
