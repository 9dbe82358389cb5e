import { notFound, redirect } from "next/navigation";
import { SuccessScreen } from "@/components/payments/result/success-screen";
import { listLibrary } from "@/lib/delivery/library/queries";
import { findOrder, findOwnOrder } from "@/lib/orders/queries";
import { orderPageTitle, type PageProps, queryValue, requirePageUser } from "@/lib/platform/pages/page";
import { localizedPath } from "@/lib/platform/routing/paths";

export const generateMetadata = orderPageTitle("payments.title.success", { find: findOwnOrder, exact: true });

export default async function PaymentSuccessPage(props: PageProps) {
  const { viewer, ...location } = await requirePageUser(props, "/payment/success");
  const orderId = await queryValue(props.searchParams, "order_id");
  const order = orderId ? await findOrder(viewer, orderId, location.locale) : null;
  if (!order) return notFound();
  if (order.status === "cancelled")
    redirect(localizedPath(`/payment/cancel?order_id=${order.order_id}`, location));
  return <SuccessScreen order={order} library={await listLibrary(viewer, location.locale)} />;
}
