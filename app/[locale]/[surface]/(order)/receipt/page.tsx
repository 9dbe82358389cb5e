import { notFound } from "next/navigation";
import { ReceiptScreen } from "@/components/orders/receipt/receipt-screen";
import { findOwnOrder } from "@/lib/orders/queries";
import { findReceipt } from "@/lib/orders/receipt/queries";
import { orderPageTitle, type PageProps, queryValue, requirePageUser } from "@/lib/platform/pages/page";

export const generateMetadata = orderPageTitle("orders.receipt.title", { find: findOwnOrder });

export default async function ReceiptPage(props: PageProps) {
  const { viewer, locale } = await requirePageUser(props, "/receipt");
  const orderId = (await queryValue(props.searchParams, "order_id")) ?? "";
  const receipt = await findReceipt(viewer, orderId, locale);
  if (!receipt) return notFound();
  return <ReceiptScreen receipt={receipt} addressId={await queryValue(props.searchParams, "address_id")} />;
}
