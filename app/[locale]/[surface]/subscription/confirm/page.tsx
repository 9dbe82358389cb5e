import { ConfirmScreen } from "@/components/notifications/subscription-screen";
import { pagePlace, type PageProps, pageTitle, queryValue } from "@/lib/platform/pages/page";

export const generateMetadata = pageTitle("notifications.confirm.title");

export default async function ConfirmPage({ params, searchParams }: PageProps) {
  await pagePlace(params);
  return <ConfirmScreen token={await queryValue(searchParams, "token")} />;
}
