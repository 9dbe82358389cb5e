import { MerchantHomeScreen } from "@/components/merchants/home/home-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { getHome } from "@/lib/merchants/home/get-home";
import { mayChange, merchant } from "@/lib/merchants/rules";
import { type MerchantProps, merchantPage, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("profile.read");

export const generateMetadata = merchantTitle(ACCESS, "console.merchant.screen.home");

export default async function MerchantHomePage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  const { viewer, locale } = page;
  return (
    <MerchantHomeScreen
      locale={locale}
      handle={viewer.merchant.handle}
      name={viewer.merchant.name}
      role={viewer.role}
      mayAdd={mayChange(viewer, "keys.write")}
      mayReply={mayChange(viewer, "reviews.reply")}
      home={await getHome(viewer)}
    />
  );
}
