import { notFound } from "next/navigation";
import { ReceiptScreen } from "@/components/orders/receipt-screen";
import { findReceipt } from "@/lib/orders/queries-receipt";
import { type PageProps, pageTitle, queryValue, requirePageUser } from "@/lib/page";

export const generateMetadata = pageTitle("orders.receipt.title");

export default async function ReceiptPage(props: PageProps) {
  const { viewer, locale } = await requirePageUser(props, "desktop", "/receipt");
  const orderId = (await queryValue(props.searchParams, "order_id")) ?? "";
  const receipt = await findReceipt(viewer, orderId, locale);
  if (!receipt) return notFound();
  return <ReceiptScreen receipt={receipt} addressId={await queryValue(props.searchParams, "address_id")} />;
}
