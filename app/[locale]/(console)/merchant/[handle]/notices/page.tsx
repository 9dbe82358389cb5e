import { NoticesScreen } from "@/components/merchants/notices/notices-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { getNotices } from "@/lib/merchants/notices/change-notices";
import { getProfile } from "@/lib/merchants/profile/get-profile";
import { merchant } from "@/lib/merchants/rules";
import { type MerchantProps, merchantPage, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("notices.choose");

export const generateMetadata = merchantTitle(ACCESS, "console.merchant_notices.title");

export default async function MerchantNoticesPage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  const { viewer } = page;
  const [switches, { support_email }] = [await getNotices(viewer), await getProfile(viewer)];
  return <NoticesScreen switches={switches} email={viewer.user.email} supportEmail={support_email} />;
}
