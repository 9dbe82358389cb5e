import { UnsubscribeScreen } from "@/components/notifications/subscription-screen";
import { findUnsubscribeLink } from "@/lib/notifications/subscriptions/unsubscribe";
import { type PageProps, pageLocation, pageTitle, queryValue } from "@/lib/platform/pages/page";

export const generateMetadata = pageTitle("notifications.unsubscribe.title", "ui.descriptions.unsubscribe");

export default async function UnsubscribePage({ params, searchParams }: PageProps) {
  await pageLocation(params);
  const token = await queryValue(searchParams, "token");
  return <UnsubscribeScreen token={token} scope={findUnsubscribeLink(token ?? "")?.topic} />;
}
