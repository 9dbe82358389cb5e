import { useLocale, useTranslations } from "next-intl";
import { RefundLine } from "@/components/payments/refund-line";
import { Link } from "@/components/ui/link";
import { LocalTimes } from "@/components/ui/local-times";
import { TicketHero } from "@/components/ui/ticket/ticket-hero";
import type { OrderProduct, OrderView } from "@/lib/orders/contract";
import { durationSpan, formatDate } from "@/lib/platform/format";
import type { RefundButton } from "./owned-pass";
import { PassTicket } from "./pass-ticket";

/** A paid pass whose codes are not delivered yet: when they will be, and how to cancel until then. */
export function WaitingPass({
  order,
  line,
  LineRefund,
}: {
  order: OrderView;
  line: OrderProduct;
  LineRefund: RefundButton;
}) {
  const t = useTranslations("delivery.library");
  const pass = useTranslations("orders.pass");
  const locale = useLocale();
  const count = line.quantity - line.refunded_quantity - line.keys.length;
  return (
    <PassTicket
      level="h3"
      pass={line}
      state="waiting"
      holes={durationSpan(line.duration_days, locale)}
      clock={<TicketHero span={durationSpan(line.duration_days, locale)} label={pass("lifetime")} />}
      status={
        line.deliver_by && (
          <p>
            <LocalTimes of={[line.deliver_by]}>
              {pass(line.pre_order ? "pre_order" : "waiting", {
                count,
                date: formatDate(line.deliver_by, locale),
              })}
            </LocalTimes>
          </p>
        )
      }
      stub={
        <div className="grid h-full content-center justify-items-start gap-1 px-4 py-3">
          <RefundLine refund={line.refund} />
          <div className="flex flex-wrap items-center gap-x-4">
            {line.can_refund && <LineRefund line={line} orderId={order.order_id} className="-ml-3" />}
            <Link href={`/order-history?order_id=${order.order_id}`} className="text-link py-1 text-13">
              {t("order", { number: order.order_number })}
            </Link>
          </div>
        </div>
      }
    />
  );
}
