import { MerchantHomeScreen } from "@/components/merchants/home/home-screen";
import { EarningFigures, EarningsChart } from "@/components/payouts/money/earning-figures";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { getHome } from "@/lib/merchants/home/get-home";
import { mayChange, merchant } from "@/lib/merchants/rules";
import { getEarnings } from "@/lib/payouts/money/get-earnings";
import { getMoney } from "@/lib/payouts/money/get-money";
import {
  type MerchantProps,
  merchantPage,
  merchantPath,
  merchantTitle,
} from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("profile.read");

export const generateMetadata = merchantTitle(ACCESS, "console.merchant.screen.home");

export default async function MerchantHomePage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  const { viewer, locale } = page;
  const [home, earnings, money] = await Promise.all([getHome(viewer), getEarnings(viewer), getMoney(viewer)]);
  return (
    <MerchantHomeScreen
      locale={locale}
      handle={viewer.merchant.handle}
      name={viewer.merchant.name}
      role={viewer.role}
      mayAdd={mayChange(viewer, "keys.write")}
      mayReply={mayChange(viewer, "reviews.reply")}
      figures={
        <EarningFigures
          locale={locale}
          path={merchantPath(page, "/money")}
          earnings={earnings}
          money={money}
        />
      }
      chart={<EarningsChart locale={locale} earnings={earnings} />}
      home={home}
    />
  );
}
