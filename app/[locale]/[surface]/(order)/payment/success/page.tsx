import { redirect } from "next/navigation";
import { SuccessScreen } from "@/components/orders/result/success-screen";
import { listLibrary } from "@/lib/delivery/library/list-library";
import { findOrder, findOwnOrder } from "@/lib/orders/find-order";
import { orderPageTitle, type PageProps, queryValue, requirePageOrder } from "@/lib/platform/pages/page";
import { localizedPath } from "@/lib/platform/routing/paths";
import { supportAddress } from "@/lib/platform/support-address";

export const generateMetadata = orderPageTitle("payments.title.success", "ui.descriptions.payment_success", {
  find: findOwnOrder,
  exact: true,
});

export default async function PaymentSuccessPage(props: PageProps) {
  const { viewer, order, ...location } = await requirePageOrder(
    props,
    "/payment/success",
    findOrder,
    () => "/order-history",
  );
  if (order.status === "cancelled")
    redirect(localizedPath(`/payment/cancel?order_id=${order.order_id}`, location));
  const library = await listLibrary(viewer, location.locale);
  // The provider adds the result of the bank's page. It only words the wait; the server decides.
  const paid = (await queryValue(props.searchParams, "redirect_status")) === "succeeded";
  return <SuccessScreen order={order} library={library} support={supportAddress()} paid={paid} />;
}
