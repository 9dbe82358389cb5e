import { ConfirmScreen } from "@/components/notifications/subscription-screen";
import { type PageProps, pageLocation, pageTitle, queryValue } from "@/lib/platform/pages/page";

export const generateMetadata = pageTitle(
  "notifications.confirm.title",
  "ui.descriptions.subscription_confirm",
);

export default async function ConfirmPage({ params, searchParams }: PageProps) {
  await pageLocation(params);
  return <ConfirmScreen token={await queryValue(searchParams, "token")} />;
}
