import { countryOptions } from "@/components/accounts/billing/country-options";
import { ProfileScreen } from "@/components/merchants/profile/profile-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { getProfile } from "@/lib/merchants/profile/get-profile";
import { merchant } from "@/lib/merchants/rules";
import { type MerchantProps, merchantPage, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("profile.write");

export const generateMetadata = merchantTitle(ACCESS, "console.merchant_profile.title");

export default async function MerchantProfilePage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  return <ProfileScreen profile={await getProfile(page.viewer)} countries={countryOptions(page.locale)} />;
}
