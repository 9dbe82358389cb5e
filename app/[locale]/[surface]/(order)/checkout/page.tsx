import { redirect } from "next/navigation";
import { CheckoutScreen } from "@/components/orders/checkout/checkout-screen";
import { listCartCoupons } from "@/lib/coupons/list-coupons";
import { findRunningEnds } from "@/lib/delivery/library/find-running-ends";
import { toOpenOrder } from "@/lib/orders/find-open-order";
import { findOrder, findOwnOrder } from "@/lib/orders/find-order";
import { isPaid } from "@/lib/orders/rules";
import { env } from "@/lib/platform/env";
import { orderPageTitle, type PageProps, requirePageOrder } from "@/lib/platform/pages/page";
import { localizedPath } from "@/lib/platform/routing/paths";
import { supportAddress } from "@/lib/platform/support-address";

export const generateMetadata = orderPageTitle("orders.checkout.title", "ui.descriptions.checkout", {
  find: findOwnOrder,
});

export default async function CheckoutPage(props: PageProps) {
  const { viewer, order, ...location } = await requirePageOrder(
    props,
    "/checkout",
    findOrder,
    toOpenOrder("/cart"),
  );
  if (isPaid(order.status) || order.status === "refunded")
    redirect(localizedPath(`/payment/success?order_id=${order.order_id}`, location));
  const account = { email: viewer.email, verified: viewer.emailVerified };
  const coupons = await listCartCoupons(viewer, location.locale, order.order_id);
  const running = await findRunningEnds(
    viewer,
    order.order_products.map((line) => line.product_id),
  );
  const sandbox = env().PAYMENT_MODE === "sandbox";
  return <CheckoutScreen {...{ order, account, coupons, running, sandbox }} support={supportAddress()} />;
}
