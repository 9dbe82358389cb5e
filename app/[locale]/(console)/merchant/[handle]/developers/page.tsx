import { DevelopersScreen } from "@/components/merchants/developers/developers-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { findExamplePlan } from "@/lib/merchants/developers/find-example-plan";
import { merchant, merchantRule } from "@/lib/merchants/rules";
import { env } from "@/lib/platform/env";
import { type MerchantProps, merchantPage, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("profile.read");

export const generateMetadata = merchantTitle(ACCESS, "console.merchant_developers.title");

export default async function MerchantDevelopersPage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  const { merchant: seller, role } = page.viewer;
  return (
    <DevelopersScreen
      handle={seller.handle}
      origin={env().APP_URL}
      live={env().PAYMENT_MODE === "live"}
      planId={await findExamplePlan(page.viewer)}
      mayCreate={merchantRule("tokens.manage").roles.includes(role)}
    />
  );
}
