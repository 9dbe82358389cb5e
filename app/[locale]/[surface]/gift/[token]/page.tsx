import { GiftClaimScreen } from "@/components/orders/gifts/gift-claim-screen";
import { viewGiftLink } from "@/lib/orders/gifts/view-gift-link";
import { pageViewer } from "@/lib/platform/auth/page-viewer";
import { type PageProps, pageLocation, pageTitle } from "@/lib/platform/pages/page";

export const generateMetadata = pageTitle("orders.gift.claim.page_title", "ui.descriptions.gift");

export default async function GiftPage({ params }: PageProps<"token">) {
  const { locale } = await pageLocation(params);
  const { token } = await params;
  const viewer = await pageViewer(locale);
  const account = viewer.kind === "user" ? { email: viewer.email, verified: viewer.emailVerified } : null;
  return <GiftClaimScreen token={token} gift={await viewGiftLink(viewer, token, locale)} account={account} />;
}
