import { CampaignsScreen } from "@/components/coupons/console/campaigns-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { FindCouponInput } from "@/lib/coupons/console/contract";
import { getConsoleCoupon } from "@/lib/coupons/console/get-console-coupon";
import { listConsoleCampaigns } from "@/lib/coupons/console/list-console-campaigns";
import { mayStaff } from "@/lib/platform/auth/permissions";
import { isShopError } from "@/lib/platform/errors";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage, queryValues } from "@/lib/platform/pages/console";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("campaigns.manage");

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.campaigns" }))("title"),
  );

export default async function CampaignsPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, "/console/campaigns");
  if (!page) return <NotFoundScreen />;
  const { coupon: typed = "" } = await queryValues(props.searchParams);
  const { items } = await listConsoleCampaigns(page.locale);
  return (
    <CampaignsScreen
      campaigns={items}
      mayMarkFree={mayStaff(page.viewer.staff.roles, "campaigns.free")}
      typed={typed}
      coupon={typed ? await findCoupon(typed, page.locale) : null}
    />
  );
}

async function findCoupon(typed: string, locale: Parameters<typeof getConsoleCoupon>[1]) {
  const input = FindCouponInput.safeParse({ coupon_code: typed });
  if (!input.success) return null;
  return getConsoleCoupon(input.data.coupon_code, locale).catch((error: unknown) => {
    if (isShopError(error, "coupon_unknown")) return null;
    throw error;
  });
}
