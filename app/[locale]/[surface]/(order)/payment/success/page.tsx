import { redirect } from "next/navigation";
import { SuccessScreen } from "@/components/payments/result/success-screen";
import { listLibrary } from "@/lib/delivery/library/queries";
import { findOrder, findOwnOrder } from "@/lib/orders/queries";
import { orderPageTitle, type PageProps, requirePageOrder } from "@/lib/platform/pages/page";
import { localizedPath } from "@/lib/platform/routing/paths";

export const generateMetadata = orderPageTitle("payments.title.success", "ui.descriptions.payment_success", {
  find: findOwnOrder,
  exact: true,
});

export default async function PaymentSuccessPage(props: PageProps) {
  const { viewer, order, ...location } = await requirePageOrder(props, "/payment/success", findOrder);
  if (order.status === "cancelled")
    redirect(localizedPath(`/payment/cancel?order_id=${order.order_id}`, location));
  return <SuccessScreen order={order} library={await listLibrary(viewer, location.locale)} />;
}
