import { MerchantHomeScreen } from "@/components/merchants/portal/home-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { getHome } from "@/lib/merchants/home/get-home";
import { merchant } from "@/lib/merchants/rules";
import { type MerchantProps, merchantPage, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("profile.read");

export const generateMetadata = merchantTitle(ACCESS, "console.merchant.screen.home");

export default async function MerchantHomePage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  const { merchant: seller, role } = page.viewer;
  return (
    <MerchantHomeScreen
      handle={seller.handle}
      name={seller.name}
      role={role}
      home={await getHome(page.viewer)}
    />
  );
}
