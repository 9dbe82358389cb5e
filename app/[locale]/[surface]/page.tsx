import { HomeScreen } from "@/components/catalog/home/home-screen";
import { getHomePage } from "@/lib/catalog/listing/get-home-page";
import { shopJsonLd } from "@/lib/catalog/seo";
import { type PageProps, pageLocation, publicTitle } from "@/lib/platform/pages/page";

export const dynamic = "force-static";

export const generateMetadata = publicTitle("/", { description: "catalog.home.description" });

export default async function HomePage({ params }: PageProps) {
  const location = await pageLocation(params);
  const home = await getHomePage(location.locale);
  return <HomeScreen home={home} surface={location.surface} jsonLd={shopJsonLd(location)} />;
}
