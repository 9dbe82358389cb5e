import { redirect } from "next/navigation";
import { UnpaidScreen } from "@/components/orders/result/unpaid-screen";
import { toOpenOrder } from "@/lib/orders/find-open-order";
import { findOrder, findOwnOrder } from "@/lib/orders/find-order";
import { isPaid } from "@/lib/orders/rules";
import { orderPageTitle, type PageProps, requirePageOrder } from "@/lib/platform/pages/page";
import { localizedPath } from "@/lib/platform/routing/paths";

export const generateMetadata = orderPageTitle("payments.title.cancel", "ui.descriptions.payment_cancel", {
  find: findOwnOrder,
  exact: true,
});

export default async function PaymentCancelPage(props: PageProps) {
  const { order, ...location } = await requirePageOrder(
    props,
    "/payment/cancel",
    findOrder,
    toOpenOrder("/order-history"),
  );
  if (isPaid(order.status) || order.status === "refunded")
    redirect(localizedPath(`/payment/success?order_id=${order.order_id}`, location));
  return <UnpaidScreen order={order} kind="cancel" />;
}
