import { ConfirmScreen } from "@/components/notifications/subscription-screen";
import { type PageProps, pageLocale, pageTitle, queryValue } from "@/lib/platform/pages/page";

export const generateMetadata = pageTitle("notifications.confirm.title");

export default async function ConfirmPage({ params, searchParams }: PageProps) {
  await pageLocale(params);
  return <ConfirmScreen token={await queryValue(searchParams, "token")} />;
}
