import { getTranslations } from "next-intl/server";
import { AgentsScreen } from "@/components/agents/about/agents-screen";
import { listHotProducts } from "@/lib/catalog/listing/list-products";
import { webPageJsonLd } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocation, publicTitle } from "@/lib/platform/pages/page";

export const dynamic = "force-static";

export const generateMetadata = publicTitle("/agents", {
  title: "agents.about.page_title",
  description: "agents.about.description",
});

export default async function AgentsPage({ params }: PageProps) {
  const location = await pageLocation(params);
  const t = await getTranslations({ locale: location.locale });
  const page = {
    name: t("agents.about.title"),
    description: t("agents.about.description"),
    home: t("ui.links.home"),
  };
  const { items } = await listHotProducts(location.locale);
  return (
    <AgentsScreen
      origin={location.origin}
      planId={items[0]?.vip_id ?? 1}
      jsonLd={webPageJsonLd("/agents", location, page)}
    />
  );
}
