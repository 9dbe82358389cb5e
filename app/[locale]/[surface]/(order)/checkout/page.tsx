import { notFound, redirect } from "next/navigation";
import { CheckoutScreen } from "@/components/orders/checkout/checkout-screen";
import { findOrder, findOwnOrder } from "@/lib/orders/queries";
import { isPaid } from "@/lib/orders/rules";
import { orderPageTitle, type PageProps, queryValue, requirePageUser } from "@/lib/platform/pages/page";
import { localizedPath } from "@/lib/platform/routing/paths";

export const generateMetadata = orderPageTitle("orders.checkout.title", { find: findOwnOrder });

export default async function CheckoutPage(props: PageProps) {
  const { viewer, ...location } = await requirePageUser(props, "/checkout");
  const orderId = await queryValue(props.searchParams, "order_id");
  const order = orderId ? await findOrder(viewer, orderId, location.locale) : null;
  if (!order) return notFound();
  if (isPaid(order.status) || order.status === "refunded")
    redirect(localizedPath(`/payment/success?order_id=${order.order_id}`, location));
  return <CheckoutScreen order={order} account={{ email: viewer.email, verified: viewer.emailVerified }} />;
}
