import { InviteScreen } from "@/components/merchants/invite/invite-screen";
import { viewInvite } from "@/lib/merchants/team/find-invite";
import { pageViewer } from "@/lib/platform/auth/page-viewer";
import { type PageProps, pageLocation, pageTitle } from "@/lib/platform/pages/page";

export const generateMetadata = pageTitle("merchants.invite.page_title", "ui.descriptions.merchant_invite");

export default async function MerchantInvitePage({ params }: PageProps<"token">) {
  const { locale } = await pageLocation(params);
  const { token } = await params;
  const viewer = await pageViewer(locale);
  return (
    <InviteScreen
      token={token}
      invite={await viewInvite(viewer, token)}
      isSignedIn={viewer.kind === "user"}
    />
  );
}
