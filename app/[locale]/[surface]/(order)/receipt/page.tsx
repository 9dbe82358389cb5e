import { ReceiptScreen } from "@/components/orders/receipt/receipt-screen";
import { findOwnOrder } from "@/lib/orders/find-order";
import { findReceipt } from "@/lib/orders/find-receipt";
import { orderPageTitle, type PageProps, queryValue, requirePageOrder } from "@/lib/platform/pages/page";

export const generateMetadata = orderPageTitle("orders.receipt.title", "ui.descriptions.receipt", {
  find: findOwnOrder,
});

export default async function ReceiptPage(props: PageProps) {
  const { order } = await requirePageOrder(props, "/receipt", findReceipt, () => "/order-history");
  return <ReceiptScreen receipt={order} addressId={await queryValue(props.searchParams, "address_id")} />;
}
