import { CouponsScreen } from "@/components/coupons/coupons-screen";
import { listCoupons } from "@/lib/coupons/list-coupons";
import { type PageProps, pageTitle, requirePageUser } from "@/lib/platform/pages/page";

export const generateMetadata = pageTitle("coupons.mine.title", "ui.descriptions.coupons");

export default async function CouponsPage(props: PageProps) {
  const { viewer, locale } = await requirePageUser(props, "/coupons");
  return <CouponsScreen list={await listCoupons(viewer, locale)} />;
}
