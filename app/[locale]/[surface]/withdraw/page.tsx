import { WithdrawScreen } from "@/components/orders/withdrawal/withdraw-screen";
import { type PageProps, pageLocation, pageTitle, queryValue } from "@/lib/platform/pages/page";

export const generateMetadata = pageTitle("orders.withdraw.title", "ui.descriptions.withdraw");

export default async function WithdrawPage({ params, searchParams }: PageProps) {
  await pageLocation(params);
  return <WithdrawScreen orderId={await queryValue(searchParams, "order_id")} />;
}
