import { notFound, redirect } from "next/navigation";
import { CheckoutScreen } from "@/components/orders/checkout-screen";
import { localizedPath } from "@/lib/navigation";
import { findOrder } from "@/lib/orders/queries";
import { isPaid } from "@/lib/orders/rules";
import { type PageProps, pageTitle, queryValue, requirePageUser } from "@/lib/page";

export const generateMetadata = pageTitle("orders.checkout.title");

export default async function CheckoutPage(props: PageProps) {
  const { viewer, locale } = await requirePageUser(props, "mobile", "/checkout");
  const orderId = await queryValue(props.searchParams, "order_id");
  const order = orderId ? await findOrder(viewer, orderId, locale) : null;
  if (!order) return notFound();
  if (isPaid(order.status) || order.status === "refunded")
    redirect(localizedPath(`/payment/success?order_id=${order.order_id}`, { locale, surface: "mobile" }));
  return <CheckoutScreen order={order} account={{ email: viewer.email, verified: viewer.emailVerified }} />;
}
