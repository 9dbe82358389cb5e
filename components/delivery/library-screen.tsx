import { useTranslations } from "next-intl";
import type { ComponentType } from "react";
import { AccountNav } from "@/components/accounts/account-nav";
import { DemoDataNotice } from "@/components/shell/demo-data-notice";
import { ScopedMessages } from "@/components/shell/scoped-messages";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Page } from "@/components/ui/page";
import type { LibraryItem, LibraryList } from "@/lib/delivery/contract";
import { stackPasses } from "@/lib/delivery/rules";
import type { OrderProduct, OrderView } from "@/lib/orders/contract";
import type { GivenGift } from "@/lib/orders/gifts/contract";
import { NextPasses } from "./next-passes";
import { OwnedPass, type RefundButton } from "./owned-pass";
import { PASS_MESSAGES } from "./pass-messages";
import { latelyRefunded, RefundedPass } from "./refunded-pass";
import { WaitingPass } from "./waiting-pass";

type LibraryScreenProps = {
  library: LibraryList;
  /** the reader's paid orders that can be refunded or are not delivered yet */
  orders: readonly OrderView[];
  /** the reader's orders with a late refund */
  refunded: readonly OrderView[];
  /** gifts of the reader that wait for their recipients, or were claimed lately */
  gifts: readonly GivenGift[];
  /** Parts of orders, which the page passes. */
  GivenGifts: ComponentType<{ gifts: readonly GivenGift[]; className?: string }>;
  LineRefund: RefundButton;
  /** the passes were made up for the demo */
  demo?: boolean;
};

/** A line of an order whose codes are not delivered yet. */
const awaitsDelivery = (line: OrderProduct) =>
  line.state === "waiting" && line.keys.length + line.refunded_quantity < line.quantity;

export function LibraryScreen({
  library,
  orders,
  refunded: refundedOrders,
  gifts,
  GivenGifts,
  LineRefund,
  demo = false,
}: LibraryScreenProps) {
  const t = useTranslations("delivery.library");
  const now = Date.parse(library.server_time);
  const hasEnded = (endsAt: string | null) => endsAt !== null && Date.parse(endsAt) <= now;
  const running = library.items.filter((item) => !hasEnded(item.ends_at));
  const ended = library.items.filter((item) => hasEnded(item.ends_at));
  const lines = orders.flatMap((order) => order.order_products.map((line) => ({ order, line })));
  const waiting = lines.filter(({ line }) => awaitsDelivery(line));
  const refunded = latelyRefunded(refundedOrders);
  const isEmpty = library.total + refunded.length === 0;
  const { top, next } = stackPasses(running, library.server_time);
  const purchases = new Map(lines.map((purchase) => [purchase.line.order_product_id, purchase]));
  const owned = (item: LibraryItem) => (
    <OwnedPass
      item={item}
      serverTime={library.server_time}
      purchase={purchases.get(item.order_product_id)}
      LineRefund={LineRefund}
    />
  );
  return (
    <ScopedMessages branches={[...PASS_MESSAGES, "orders.actions"]}>
      <Page
        above={<AccountNav />}
        title={t("title")}
        lead={running.length > 0 ? t("lead", { count: running.length }) : undefined}
        narrow
      >
        {demo && <DemoDataNotice />}
        {waiting.length > 0 && (
          <section aria-labelledby="waiting" className={library.total > 0 ? "pb-12" : undefined}>
            <h2 id="waiting" className="pb-3 text-21">
              {t("waiting_title")}
            </h2>
            <ul className="flex flex-col gap-4">
              {waiting.map(({ order, line }) => (
                <li key={line.order_product_id}>
                  <WaitingPass order={order} line={line} LineRefund={LineRefund} />
                </li>
              ))}
            </ul>
          </section>
        )}
        {isEmpty && waiting.length + gifts.length > 0 ? null : isEmpty ? (
          <EmptyState
            title={t("empty_title")}
            action={<ButtonLink href="/top-trending">{t("empty_action")}</ButtonLink>}
          >
            {t("empty_text")}
          </EmptyState>
        ) : (
          <ul className="flex flex-col gap-4">
            {top.map((item) => (
              <li key={item.library_id}>
                {owned(item)}
                <NextPasses running={item} next={next.get(item.library_id) ?? []}>
                  {owned}
                </NextPasses>
              </li>
            ))}
            {refunded.map((each) => (
              <li key={`${each.line.order_product_id} ${each.refund.at}`}>
                <RefundedPass {...each} />
              </li>
            ))}
          </ul>
        )}
        <GivenGifts gifts={gifts} className={library.total > 0 ? "pt-12" : undefined} />
        {ended.length > 0 && (
          <section aria-labelledby="ended" className={running.length > 0 ? "pt-12" : undefined}>
            <h2 id="ended" className="pb-3 text-21 text-quiet">
              {t("ended_title")}
            </h2>
            <ul className="flex flex-col gap-4">
              {ended.map((item) => (
                <li key={item.library_id}>
                  <OwnedPass
                    item={item}
                    serverTime={library.server_time}
                    purchase={purchases.get(item.order_product_id)}
                    LineRefund={LineRefund}
                  />
                </li>
              ))}
            </ul>
          </section>
        )}
      </Page>
    </ScopedMessages>
  );
}
