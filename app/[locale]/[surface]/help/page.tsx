import { helpItems } from "@/components/notifications/help/help-items";
import { HelpScreen } from "@/components/notifications/help/help-screen";
import { helpJsonLd } from "@/lib/notifications/seo";
import { type PageProps, pageLocation, publicTitle } from "@/lib/platform/pages/page";

export const dynamic = "force-static";

export const generateMetadata = publicTitle("/help", {
  title: "notifications.help.page_title",
  description: "notifications.help.description",
});

export default async function HelpPage({ params }: PageProps) {
  await pageLocation(params);
  const items = await helpItems();
  return <HelpScreen items={items} jsonLd={helpJsonLd(items)} />;
}
