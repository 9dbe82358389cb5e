import { notFound, redirect } from "next/navigation";
import { UnpaidScreen } from "@/components/payments/result/unpaid-screen";
import { findOrder, findOwnOrder } from "@/lib/orders/queries";
import { isPaid } from "@/lib/orders/rules";
import { orderPageTitle, type PageProps, queryValue, requirePageUser } from "@/lib/platform/pages/page";
import { localizedPath } from "@/lib/platform/routing/paths";

export const generateMetadata = orderPageTitle("payments.title.error", { find: findOwnOrder, exact: true });

export default async function PaymentErrorPage(props: PageProps) {
  const { viewer, ...location } = await requirePageUser(props, "/payment/error");
  const orderId = await queryValue(props.searchParams, "order_id");
  const order = orderId ? await findOrder(viewer, orderId, location.locale) : null;
  if (!order) return notFound();
  if (isPaid(order.status) || order.status === "refunded")
    redirect(localizedPath(`/payment/success?order_id=${order.order_id}`, location));
  return <UnpaidScreen order={order} kind="error" />;
}
