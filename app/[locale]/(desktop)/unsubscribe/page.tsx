import { UnsubscribeScreen } from "@/components/notifications/subscription-screen";
import { type PageProps, pageLocale, pageTitle, queryValue } from "@/lib/page";

export const generateMetadata = pageTitle("notifications.unsubscribe.title");

export default async function UnsubscribePage({ params, searchParams }: PageProps) {
  await pageLocale(params);
  return <UnsubscribeScreen token={await queryValue(searchParams, "token")} />;
}
