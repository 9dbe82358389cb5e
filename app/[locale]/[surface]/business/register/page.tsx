import { BusinessScreen } from "@/components/merchants/business-screen";
import { readDefaultCommission } from "@/lib/merchants/read-default-commission";
import { type PageProps, pageLocation, publicTitle } from "@/lib/platform/pages/page";

export const dynamic = "force-static";

export const generateMetadata = publicTitle("/business/register", {
  title: "merchants.page_title",
  description: "merchants.description",
});

export default async function BusinessPage({ params }: PageProps) {
  const { brand } = await pageLocation(params);
  return <BusinessScreen brand={brand} commission={await readDefaultCommission()} />;
}
