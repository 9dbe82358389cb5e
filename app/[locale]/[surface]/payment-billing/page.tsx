import { PaymentBillingScreen } from "@/components/payments/cards/payment-billing-screen";
import { getBillingPage } from "@/lib/accounts/billing/list-billing-addresses";
import { type PageProps, pageTitle, queryValue, requirePageUser } from "@/lib/platform/pages/page";

export const generateMetadata = pageTitle("payments.cards.page_title", "ui.descriptions.payment_billing");

export default async function PaymentBillingPage(props: PageProps) {
  const { viewer } = await requirePageUser(props, "/payment-billing");
  const returned = await queryValue(props.searchParams, "redirect_status");
  return <PaymentBillingScreen billing={await getBillingPage(viewer)} returned={returned} />;
}
