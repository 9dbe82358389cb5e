import { WithdrawScreen } from "@/components/orders/withdraw-screen";
import { type PageProps, pageLocale, pageTitle, queryValue } from "@/lib/page";

export const generateMetadata = pageTitle("orders.withdraw.title");

export default async function WithdrawPage({ params, searchParams }: PageProps) {
  await pageLocale(params);
  return <WithdrawScreen orderId={await queryValue(searchParams, "order_id")} />;
}
