import { VendorConfirmationScreen } from "@/components/orders/vendor-confirmation/vendor-confirmation-screen";
import { findVendorConfirmation } from "@/lib/orders/vendor-confirmation/find-vendor-confirmation";
import { type PageProps, pageLocation, pageTitle, queryValue } from "@/lib/platform/pages/page";

export const generateMetadata = pageTitle(
  "orders.vendor_confirmation.title",
  "ui.descriptions.vendor_confirmation",
);

export default async function VendorConfirmationPage({ params, searchParams }: PageProps) {
  const { locale } = await pageLocation(params);
  const token = (await queryValue(searchParams, "token")) ?? "";
  return <VendorConfirmationScreen confirmation={await findVendorConfirmation(token, locale)} />;
}
